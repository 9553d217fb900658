// A call of the sandbox payment provider's API: its fields, and Stripe's rules for idempotency keys.
import { createHash, createHmac } from 'node:crypto'
import type { Company } from './company.ts'
import type { Answers } from './records.ts'

export type ApiCall = {
  fields: ReadonlyMap<string, string>
  idempotencyKey: string
  /** Of method, path and fields. */
  fingerprint: string
}

export class ApiRefusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/**
 * A new record's id comes from its idempotency key, so the record itself is the memory of the key: a kill between the
 * two is impossible. Keyed, because a pay page's address must not be guessable from a business number.
 */
export function idFor(company: Company, prefix: Prefix, call: ApiCall): string {
  const digest = createHmac('sha256', company.secretKey).update(`${prefix} ${call.idempotencyKey}`).digest('hex')
  return `${prefix}_${digest.slice(0, 24)}`
}

type Prefix = 'cus' | 'in' | 're' | 'sub'

/** One at a time, and once for each key: a repeat gets the first answer. `create` gives the answer's body. */
export function createdOnce(
  company: Company,
  prefix: Prefix,
  call: ApiCall,
  create: (id: string) => Promise<string>,
): Promise<string> {
  return company.store.exclusively(async () => {
    const id = idFor(company, prefix, call)
    const existing = await company.store.read(id)
    return (existing && firstAnswer(existing.answers, call)) ?? create(id)
  })
}

/** The first answer to this key, or null when the key is new here. The same key for something else is refused. */
export function firstAnswer(answers: Answers, call: ApiCall): string | null {
  const known = answers[answerKey(call)]
  if (!known) return null
  if (known.fingerprint !== call.fingerprint) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new ApiRefusal(400, 'idempotency_error', message)
  }
  return known.body
}

export function withAnswer(answers: Answers, call: ApiCall, object: object): { answers: Answers; body: string } {
  const body = JSON.stringify(object)
  return { answers: { ...answers, [answerKey(call)]: { fingerprint: call.fingerprint, body } }, body }
}

export function missing(what: string, id: string): ApiRefusal {
  return new ApiRefusal(404, 'invalid_request_error', `No such ${what}: '${id}'`)
}

export function invalid(message: string): ApiRefusal {
  return new ApiRefusal(400, 'invalid_request_error', message)
}

export function text(call: ApiCall, name: string, maxLength = 500): string | null {
  const value = call.fields.get(name)
  if (value === undefined || value === '') return null
  if (value.length > maxLength) throw invalid(`Too long: ${name}`)
  return value
}

export function required(call: ApiCall, name: string): string {
  const value = text(call, name)
  if (value === null) throw invalid(`Missing required param: ${name}.`)
  return value
}

/** A positive whole number of minor units (or of pieces), within what JSON carries exactly. */
export function wholeNumber(call: ApiCall, name: string, minimum: number): number {
  const value = required(call, name)
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= minimum)) throw invalid(`Invalid integer: ${name}`)
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

function answerKey(call: ApiCall): string {
  return createHash('sha256').update(call.idempotencyKey).digest('hex')
}
