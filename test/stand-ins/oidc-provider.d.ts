// What the stand-in uses of npm's oidc-provider, which has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: new (properties: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    on(event: string, listener: (...details: unknown[]) => void): void
  }
}
