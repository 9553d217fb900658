// Stripe's API through its library: one client per legal entity, calls with a time limit, and the library's errors turned
// into the port's two. The library's own errors are never passed on, since they may contain a payment's client secret.
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
  /** Stripe's address, or that of one of the sandbox's accounts, which has a path. */
  url: string
  timeoutMs: number
}

export type StripeApi = {
  /** Calls Stripe and checks the answer; one of another shape does not say what happened: PaymentProviderUnavailable. */
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
        throw portError(account.company, error)
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
    // Failed jobs are retried anyway, with the same idempotency keys.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(boundedFetch(url)),
  })
}

/**
 * No redirects, and a connection pool of its own; the library's signal ends the whole exchange with its body. The path of
 * the account's address is put before the path of the call, since the library takes only a host.
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

/** The fields of an error that may be logged: none has a card or a secret. */
const StripeFault = Type.Object({
  type: Type.String(),
  statusCode: Type.Optional(Type.Integer()),
  code: Type.Optional(Type.String()),
  decline_code: Type.Optional(Type.String()),
  param: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
})

/** Errors of the request or the card: the same request would be refused again. */
const REFUSALS: ReadonlySet<string> = new Set([
  'StripeCardError',
  'StripeInvalidRequestError',
  'StripeIdempotencyError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

/** The port's error for an error of the library. */
function portError(company: string, error: unknown): Error {
  if (error instanceof PaymentRefused || error instanceof PaymentProviderUnavailable) return error
  if (!(error instanceof stripeLibrary().errors.StripeError))
    return new PaymentProviderUnavailable(`${company}: no answer that can be read`)
  const fault = faultOf(error)
  const about = [fault.type, fault.statusCode, fault.code, fault.decline_code, fault.param, fault.requestId]
  const message = `${company}: ${about.filter((part) => part !== undefined).join(' ')}`
  if (!REFUSALS.has(fault.type)) return new PaymentProviderUnavailable(message)
  // The message of these two contains the key, though shortened.
  const quotes = fault.type === 'StripeAuthenticationError' || fault.type === 'StripePermissionError'
  return new PaymentRefused(quotes ? message : `${message}: ${cut(fault.message ?? '', 500)}`)
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

/** Stripe's minor units; throws PaymentRefused for an amount that Stripe cannot take. */
export function stripeAmount(amount: string, currency: string): number {
  try {
    return toStripe(amount, currency)
  } catch (cause) {
    if (cause instanceof InvalidMoney) throw new PaymentRefused(cause.message, { cause })
    throw cause
  }
}
