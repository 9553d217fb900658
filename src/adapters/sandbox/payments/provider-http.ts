// HTTP to the payment provider: every way it can go wrong becomes one of the port's two failures.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Agent, request } from 'undici'
import { PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'

export type ProviderHttpOptions = { company: string; baseUrl: string; secretKey: string; timeoutMs: number }

export type ProviderCall = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  fields?: Readonly<Record<string, string>>
  idempotencyKey?: string
}

export type ProviderHttp = (call: ProviderCall) => Promise<unknown>

const MAX_RESPONSE_BYTES = 1024 * 1024

/** Refusals that say "not now": the same request may succeed later. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429])

const Refusal = Type.Object({ error: Type.Object({ message: Type.String({ maxLength: 2_000 }) }) })

/** Resolves with the parsed body of a 2xx answer; redirects are not followed. */
export function providerHttp(options: ProviderHttpOptions): ProviderHttp {
  const dispatcher = new Agent({ connections: 8, maxResponseSize: MAX_RESPONSE_BYTES })
  return async (call) => {
    const { status, text } = await exchange(options, dispatcher, call)
    const what = `${options.company}: ${call.method} ${call.path}`
    const body = parsed(text)
    if (status >= 200 && status < 300 && body !== undefined) return body
    if (status >= 400 && status < 500 && !RETRYABLE.has(status)) {
      const message = Value.Check(Refusal, body) ? body.error.message : `status ${status}`
      throw new PaymentRefused(`${what}: ${message}`)
    }
    throw new PaymentProviderUnavailable(`${what}: status ${status}`)
  }
}

async function exchange(
  { company, baseUrl, secretKey, timeoutMs }: ProviderHttpOptions,
  dispatcher: Agent,
  call: ProviderCall,
) {
  const headers = {
    authorization: `Bearer ${secretKey}`,
    ...(call.fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
  }
  try {
    const response = await request(baseUrl.replace(/\/+$/, '') + call.path, {
      method: call.method,
      headers,
      body: call.fields ? new URLSearchParams({ ...call.fields }).toString() : null,
      dispatcher,
      // For the whole exchange: a body that drips must not outlast it.
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.statusCode, text: await response.body.text() }
  } catch (cause) {
    throw new PaymentProviderUnavailable(`${company}: ${call.method} ${call.path}: no answer`, { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
