// A call of the sandbox payment provider's API: its fields, and Stripe's rules for idempotency keys.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Company } from './company.ts'
import { type Answers, API_VERSION } from './records.ts'
import { fields, header, isForm, type Exchange } from './exchange.ts'

export type ApiCall = {
  fields: ReadonlyMap<string, string>
  query: URLSearchParams
  /** Null: a repeated call is a new call. */
  idempotencyKey: string | null
  /** Hash of method, path and fields. */
  fingerprint: string
}

/** Stripe's error object: https://docs.stripe.com/api/errors */
export type ApiFault = { type: string; message: string; code?: string }

export class ApiRefusal extends Error {
  readonly status: number
  readonly fault: ApiFault

  constructor(status: number, fault: ApiFault) {
    super(fault.message)
    this.status = status
    this.fault = fault
  }
}

export const invalid = (message: string, code?: string): ApiRefusal =>
  new ApiRefusal(400, { type: 'invalid_request_error', message, ...(code !== undefined && { code }) })

export const missing = (what: string, id: string): ApiRefusal =>
  new ApiRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'` })

/** `path` begins with `/v1/` and has no query. */
export function readCall(exchange: Exchange, path: string): ApiCall {
  const given = isForm(exchange) ? fields(exchange) : null
  if (!given) throw invalid('The request body is not a form that can be read.')
  const version = header(exchange, 'stripe-version')
  if (version !== null && version !== API_VERSION) throw invalid(`Invalid Stripe API version: ${version}`)
  const idempotencyKey = header(exchange, 'idempotency-key')
  if (idempotencyKey !== null && idempotencyKey.length > 255)
    throw idempotencyError('An idempotency key has at most 255 characters.')
  const inputs = [exchange.method, path, ...[...given].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat()]
  const fingerprint = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
  return { fields: given, query: new URLSearchParams(exchange.path.split('?')[1]), idempotencyKey, fingerprint }
}

type Prefix = 'cus' | 'du' | 'in' | 'pi' | 'prod' | 're' | 'sub' | 'txi'

/**
 * A new record's id is derived from its idempotency key, so that storing the record stores the key as well. An HMAC,
 * because the address of a pay page must not be guessable from a business number.
 */
export function idFor(company: Company, prefix: Prefix, call: ApiCall): string {
  const key = call.idempotencyKey ?? randomUUID()
  const digest = createHmac('sha256', company.secretKey).update(`${prefix} ${key}`).digest('hex')
  return `${prefix}_${digest.slice(0, 24)}`
}

/** Creates one record at a time and one for each key: a repeat gets the first answer. `create` returns the body. */
export function createdOnce(
  company: Company,
  { prefix, call }: { prefix: Prefix; call: ApiCall },
  create: (id: string) => Promise<string>,
): Promise<string> {
  return company.store.exclusively(async () => {
    const id = idFor(company, prefix, call)
    const existing = await company.store.read(id)
    return (existing && firstAnswer(existing.answers, call)) ?? create(id)
  })
}

/** The first answer to this key, or null for a new key. Throws when the key was used for another call. */
export function firstAnswer(answers: Answers, { idempotencyKey, fingerprint }: ApiCall): string | null {
  const known = idempotencyKey === null ? undefined : answers[hashOf(idempotencyKey)]
  if (known && known.fingerprint !== fingerprint)
    throw idempotencyError(
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    )
  return known?.body ?? null
}

export function withAnswer(answers: Answers, call: ApiCall, object: object): { answers: Answers; body: string } {
  const body = JSON.stringify(object)
  if (call.idempotencyKey === null) return { answers, body }
  return { answers: { ...answers, [hashOf(call.idempotencyKey)]: { fingerprint: call.fingerprint, body } }, body }
}

export function text(call: ApiCall, name: string, maxLength = 500): string | null {
  const value = call.fields.get(name)
  if (value === undefined || value === '') return null
  if (value.length > maxLength) throw invalid(`Too long: ${name}`)
  return value
}

export function required(call: ApiCall, name: string): string {
  const value = text(call, name)
  if (value === null) throw invalid(`Missing required param: ${name}.`, 'parameter_missing')
  return value
}

/** A whole number of minor units (or of days) that JSON carries exactly. */
export function wholeNumber(call: ApiCall, name: string, minimum: number): number {
  const value = required(call, name)
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= minimum)) throw invalid(`Invalid integer: ${name}`, 'parameter_invalid_integer')
  return number
}

export function metadata(call: ApiCall): Record<string, string> {
  const found = [...call.fields].flatMap(([name, value]) => {
    const key = /^metadata\[(\w{1,40})\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  if (found.length > 50 || found.some(([, value]) => value.length > 500)) throw invalid('Too much metadata.')
  return Object.fromEntries(found)
}

/** Whether the answer has the object instead of its id. */
export const isExpanded = ({ fields: form, query }: ApiCall, name: string): boolean =>
  [...query, ...form].some(([key, value]) => key.startsWith('expand[') && value === name)

/** The newest first, `limit` of them. */
export function listOf(call: ApiCall, oldestFirst: readonly object[]): string {
  const limit = Number(call.query.get('limit') ?? 10)
  const data = oldestFirst.toReversed().slice(0, limit)
  return JSON.stringify({ object: 'list', has_more: data.length < oldestFirst.length, data })
}

const idempotencyError = (message: string): ApiRefusal => new ApiRefusal(400, { type: 'idempotency_error', message })

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
