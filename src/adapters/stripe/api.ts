// Stripe's API through its library: one client per legal entity, bounded calls, and each of its errors as one of the
// port's two. No error of the library goes further: it may carry a payment's client secret.
import type { Stripe } from 'stripe'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Agent, request } from 'undici'
import { InvalidMoney } from '#kernel/values/money.ts'
import { cut } from '#kernel/values/text.ts'
import { PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { toStripe } from './amounts.ts'
import { API_VERSION, stripeLibrary } from './library.ts'

export type StripeAccount = {
  company: string
  secretKey: string
  /** Stripe's own, or one of the sandbox's accounts, which lie below a path. */
  url: string
  timeoutMs: number
}

export type StripeApi = {
  /** Asks, and holds the answer to the shape; what is not in the shape tells nothing about what happened. */
  ask<Shape extends TSchema>(shape: Shape, call: (stripe: Stripe) => Promise<unknown>): Promise<Static<Shape>>
}

/** A list of 100 invoices, each with its first ten lines, is some 2 MB. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

export function stripeApi(account: StripeAccount): StripeApi {
  let client: Stripe | null = null
  return {
    async ask(shape, call) {
      client ??= openClient(account)
      const answer = await call(client).catch((error: unknown) => {
        throw asOurs(account.company, error)
      })
      if (!Value.Check(shape, answer))
        throw new PaymentProviderUnavailable(`${account.company}: an answer in an unknown shape`)
      return answer
    },
  }
}

function openClient({ secretKey, url, timeoutMs }: StripeAccount): Stripe {
  const Library = stripeLibrary()
  const { protocol, hostname, port } = new URL(url)
  return new Library(secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMs,
    // A job that failed comes again by itself, with the same idempotency keys.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(boundedFetch(url)),
  })
}

/**
 * No redirects, a pool and a limit of its own; the library's signal ends the whole exchange, body included. The path of
 * the account's address is put before that of the call: the library takes a host only.
 */
function boundedFetch(url: string): typeof fetch {
  const base = url.replace(/\/+$/, '')
  const dispatcher = new Agent({ connections: 8, maxResponseSize: MAX_RESPONSE_BYTES })
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const body = typeof init?.body === 'string' && init.body !== '' ? init.body : null
    const {
      statusCode,
      headers,
      body: content,
    } = await request(base + pathname + search, {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body,
      dispatcher,
      signal: init?.signal ?? AbortSignal.timeout(60_000),
    })
    const requestId = headers['request-id']
    return new Response(await content.text(), {
      status: statusCode,
      headers: typeof requestId === 'string' ? { 'request-id': requestId } : {},
    })
  }
}

/** What of an error may be told: never a card, never a secret. */
const StripeFault = Type.Object({
  type: Type.String(),
  statusCode: Type.Optional(Type.Integer()),
  code: Type.Optional(Type.String()),
  decline_code: Type.Optional(Type.String()),
  param: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
})

/** They say what is wrong with the request, or with the card: the same request would be refused again. */
const REFUSALS: ReadonlySet<string> = new Set([
  'StripeCardError',
  'StripeInvalidRequestError',
  'StripeIdempotencyError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

/** Refused on the ground that the object is not what it would have to be; told apart so that a second look can decide. */
function asOurs(company: string, error: unknown): Error {
  if (error instanceof PaymentRefused || error instanceof PaymentProviderUnavailable) return error
  if (!(error instanceof stripeLibrary().errors.StripeError))
    return new PaymentProviderUnavailable(`${company}: no answer that can be read`)
  const fault = faultOf(error)
  const about = [fault.type, fault.statusCode, fault.code, fault.decline_code, fault.param, fault.requestId]
  const told = `${company}: ${about.filter((part) => part !== undefined).join(' ')}`
  if (!REFUSALS.has(fault.type)) return new PaymentProviderUnavailable(told)
  // The message of these two quotes the key, though shortened.
  const quotes = fault.type === 'StripeAuthenticationError' || fault.type === 'StripePermissionError'
  return new PaymentRefused(quotes ? told : `${told}: ${cut(fault.message ?? '', 500)}`)
}

function faultOf(error: object): Static<typeof StripeFault> {
  const known = Object.fromEntries(
    Object.keys(StripeFault.properties).flatMap((name) => {
      const value: unknown = Reflect.get(error, name)
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
  return Value.Check(StripeFault, known) ? known : { type: 'StripeError' }
}

/** Stripe's minor units, or a refusal: an amount that cannot be said to Stripe never will be. */
export function stripeAmount(amount: string, currency: string): number {
  try {
    return toStripe(amount, currency)
  } catch (cause) {
    if (cause instanceof InvalidMoney) throw new PaymentRefused(cause.message, { cause })
    throw cause
  }
}
