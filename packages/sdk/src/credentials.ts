// How a client says who it is. Each kind is a value of its own, so that a page carries the one that it uses alone.

/** A request without credentials, for signing in and renewing; throws as a call does. */
export type Send = <Data>(method: 'GET' | 'POST', path: string, more?: SendOptions) => Promise<Data>
export type SendOptions = { body?: object; headers?: Record<string, string> }

export type Credentials = {
  /** Called once by each client. */
  connect?: (send: Send) => void
  /** The headers of a request; may sign in or renew first. */
  headers: () => Record<string, string> | Promise<Record<string, string>>
  /** After a request with these headers was refused with 401: whether there are others now. */
  renew?: (refused: Record<string, string>) => Promise<boolean>
  /** Whether the browser's cookies go along. */
  hasCookies?: true
}

/** The pair of an API key, of an organization or of the vendor. */
export const apiKey = (consumerKey: string, consumerSecret: string): Credentials => ({
  headers: () => ({ authorization: `Basic ${btoa(`${consumerKey}:${consumerSecret}`)}` }),
})

/** A token that somebody else renews, or a function that gives the present one. */
export const bearer = (token: string | (() => string | Promise<string>)): Credentials => ({
  headers: async () => ({ authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }),
})

/** One run at a time: who comes while it runs gets its outcome. */
export function oneAtATime<Given extends unknown[], Outcome>(
  run: (...given: Given) => Promise<Outcome>,
): (...given: Given) => Promise<Outcome> {
  let running: Promise<Outcome> | null = null
  return (...given) => (running ??= run(...given).finally(() => void (running = null)))
}

export const notConnected: Send = () =>
  Promise.reject(new TypeError('These credentials belong to no client yet: give them to createTitular first'))
