// Verifies that a webhook came from the service, as Standard Webhooks says. By Web Crypto alone, whose comparison takes
// the same time whatever is wrong.
import { base64Bytes, joined, utf8, type Bytes } from './bytes.ts'
import { TitularError } from './errors.ts'
import type { TitularEvent } from './generated/events.ts'

export type WebhookProblem = 'headers' | 'timestamp' | 'signature' | 'body'

/** The request is not one of the service, or too old: answer 400 and do nothing. */
export class WebhookError extends TitularError {
  override readonly name = 'WebhookError'
  readonly problem: WebhookProblem

  constructor(problem: WebhookProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export type WebhookRequest = {
  headers: Headers | { readonly [name: string]: string | readonly string[] | undefined }
  /** The bytes as they came: parsed and written again they are other bytes. */
  body: string | Uint8Array
}

export type WebhookKeys = {
  /** `whsec_…`, or `whpk_…` of an endpoint that signs by `v1a`; several while one is rotated. */
  secret: string | readonly string[]
  /** How old, or how far ahead, the request may be; 300. */
  toleranceSeconds?: number | undefined
  now?: (() => number) | undefined
}

export type Webhook = { id: string; event: TitularEvent }

/** The id is the same whenever an event comes again: keep it for some days, and do nothing for one that you know. */
export async function verifyWebhook(request: WebhookRequest, keys: WebhookKeys): Promise<Webhook> {
  const { secret, toleranceSeconds = 300, now = Date.now } = keys
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(request.headers, name),
  )
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('headers', 'The request has no headers of Standard Webhooks')
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('timestamp', 'The request is too old, or the clock of this machine is wrong')
  const body = typeof request.body === 'string' ? utf8(request.body) : request.body
  const signed = joined([utf8(`${id}.${timestamp}.`), body])
  const given = signatures.split(' ')
  const results = await Promise.all([secret].flat().map((key) => isSignedWith(key, given, signed)))
  if (!results.includes(true)) throw new WebhookError('signature', 'The signature is not of this secret and body')
  return { id, event: eventOf(body) }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([one]) => one.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : undefined
}

/** `v1` is made with a shared secret, `v1a` with a private key whose public half the receiver has. */
const SCHEMES = {
  whsec: { version: 'v1,', algorithm: { name: 'HMAC', hash: 'SHA-256' } },
  whpk: { version: 'v1a,', algorithm: { name: 'Ed25519' } },
}

async function isSignedWith(secret: string, given: readonly string[], signed: Bytes): Promise<boolean> {
  const { version, algorithm } = secret.startsWith('whpk_') ? SCHEMES.whpk : SCHEMES.whsec
  const bytes = base64Bytes(secret.replace(/^wh(sec|pk)_/, ''))
  if (!bytes || bytes.length < 24) throw new TypeError('secret: whsec_… or whpk_… of an endpoint is needed')
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  const mine = given.filter((one) => one.startsWith(version)).map((one) => base64Bytes(one.slice(version.length)))
  const checks = mine.flatMap((signature) =>
    signature ? [crypto.subtle.verify(algorithm, key, signature, signed)] : [],
  )
  return (await Promise.all(checks)).includes(true)
}

function eventOf(body: Uint8Array): TitularEvent {
  try {
    const event: TitularEvent = JSON.parse(new TextDecoder().decode(body))
    return event
  } catch {
    throw new WebhookError('body', 'The body is no JSON')
  }
}
