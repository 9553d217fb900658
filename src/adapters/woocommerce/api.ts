// Requests to a shop's REST API v3 (woocommerce.github.io/woocommerce-rest-api-docs). Its address is a setting of the
// operator, so that it may be private; the configuration requires https off the loopback.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { jsonApi } from '#ports/json-api.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import { CommerceRefused, CommerceUnavailable } from '#ports/commerce.ts'

export type ShopOptions = {
  /** Of the WordPress site, without `/wp-json`. */
  url: string
  consumerKey: string
  consumerSecret: string
  timeoutMs?: number
}

/** A page of 100 orders with long lists of lines. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const MAX_MESSAGE_LENGTH = 300

/** The refusals after which the same request may succeed: keys are replaced, proxies limit rates. */
const RETRYABLE: ReadonlySet<number> = new Set([401, 403, 408, 409, 425, 429])

const Failure = Type.Object({ code: Type.String(), message: Type.String() })
/** The shop's answer to a refund above what is left; a status of 500 all the same. */
const TOO_MUCH = 'Invalid refund amount.'

export type Method = 'GET' | 'POST' | 'PUT'
export type Shop = {
  /** Null for 404. */
  call(method: Method, path: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

export function createShop({ url, consumerKey, consumerSecret, timeoutMs = 15_000 }: ShopOptions): Shop {
  // In a header: keys in the query string end up in access logs.
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  const baseUrl = `${url}/wp-json/wc/v3`
  const api = jsonApi({ baseUrl, headers: { authorization }, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES })

  async function call(method: Method, path: string, body?: object): Promise<unknown> {
    const { status, body: answer } = await api.send(method, path, body).catch(unavailable)
    if (status === 404) return null
    if (status >= 200 && status < 300) {
      if (answer === undefined) throw new CommerceUnavailable(`The shop’s answer (${status}) is not JSON`)
      return answer
    }
    const { code, message } = Value.Check(Failure, answer) ? answer : { code: 'no code', message: 'no message' }
    const said = `${status}, ${oneLine(code, 100)}: ${oneLine(message, MAX_MESSAGE_LENGTH)}`
    if (message.includes(TOO_MUCH) || (status < 500 && !RETRYABLE.has(status)))
      throw new CommerceRefused(`The shop refused ${method} ${path} (${said})`)
    throw new CommerceUnavailable(`The shop is not available (${said})`)
  }

  return { call, close: api.close }
}

function unavailable(cause: unknown): never {
  throw new CommerceUnavailable('The shop did not answer', { cause })
}
