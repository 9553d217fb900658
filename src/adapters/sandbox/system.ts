// What the systems outside of the service have in common that the sandbox replaces: each answers requests below its
// own addresses, and its code is loaded with the first one, since most runs of a sandbox have none.
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import type { Answer, Exchange } from './payments/exchange.ts'

export type SandboxSystem = {
  /** Below the public URL. */
  urls: readonly string[]
  handle(exchange: Exchange): Promise<Answer>
  stop?(): Promise<void>
}

/** What each of them is opened with. */
export type SystemOptions = {
  /** Its state is below `<dataDir>/sandbox`. One process at a time. */
  dataDir: string
  /** Where its events go, and the secret that signs them. */
  webhookUrl: string
  webhookSecret: string
  now?: () => Date
  onError: (error: unknown, about: string) => void
}

export type OpenSystem = Pick<SandboxSystem, 'handle' | 'stop'>

export function onDemand(
  urls: readonly string[],
  open: () => Promise<OpenSystem>,
  onError: (error: unknown, about: string) => void,
): SandboxSystem {
  let isOpen = false
  const opened = onFirstUse(async () => {
    isOpen = true
    return open()
  })
  return {
    urls,
    async handle(exchange) {
      try {
        return await (await opened()).handle(exchange)
      } catch (error) {
        onError(error, `${exchange.method} ${exchange.path}`)
        return jsonAnswer(500, { message: 'Internal Server Error' })
      }
    },
    stop: async () => (isOpen ? (await opened()).stop?.() : undefined),
  }
}

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
})
