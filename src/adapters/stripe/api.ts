// Stripe's API through its library: one client per legal entity, calls with a time limit, and the library's errors
// turned into the port's two. The library's own errors are never passed on, since they may contain a payment's client
// secret.
import type { Stripe } from 'stripe'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { InvalidMoney } from '#kernel/values/money.ts'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { cut } from '#kernel/values/text/text.ts'
import { PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { toStripe } from './amounts.ts'
import { stripeLibrary } from './library.ts'

export type StripeAccount = {
  company: string
  secretKey: string
  /** Stripe's address, or that of one of the sandbox's accounts, which has a path. */
  url: string
  timeoutMs: number
}

export type StripeApi = {
  /**
   * Calls Stripe and checks the answer; one of another shape does not say what happened: PaymentProviderUnavailable.
   */
  ask<Shape extends TSchema>(shape: Shape, call: (stripe: Stripe) => Promise<unknown>): Promise<Static<Shape>>
}

export function stripeApi(account: StripeAccount): StripeApi {
  const client = onFirstUse(async () => (await import('./client.ts')).openClient(account))
  return {
    async ask(shape, call) {
      const answer = await call(await client()).catch((error: unknown) => {
        throw portError(account.company, error)
      })
      if (!Value.Check(shape, answer))
        throw new PaymentProviderUnavailable(`${account.company}: an answer in an unknown shape`)
      return answer
    },
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
