// Makes a request of an operation, its parameters and the options of the call.
import type { Company } from './generated/types.ts'
import type { AnyOperation } from './operation.ts'

/** What a client has for all of its calls, and a call may have for itself. */
export type ClientScope = {
  /** The organization to work in. An API key of an organization needs none. */
  organization?: number | undefined
  /** The legal entity, where no record decides it. */
  company?: Company | undefined
  /** The language of sentences for people, as `Accept-Language` has it: `pt-BR`, `en`. */
  language?: string | undefined
  /** For an answer, or the first byte of a file; null for no limit. 30 seconds, and none for uploads. */
  timeoutMs?: number | null | undefined
  /** How many times a request that does no harm twice is sent again; 3. */
  retries?: number | undefined
  /** Sent with each request, beside those of the client. */
  headers?: Record<string, string> | undefined
}

export type CallOptions = ClientScope & {
  signal?: AbortSignal | undefined
  /** Made for each call; a key of your own makes a call repeatable over a restart of your program too. */
  idempotencyKey?: string | undefined
  /** The `etag` of the record as it was seen: the change is refused when it is another one now. */
  ifMatch?: string | undefined
  /** Why the caller makes the request, for the audit log. */
  reason?: string | undefined
}

export type Parameters = Record<string, unknown>

const BASE_PATH = '/api/v1'
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 3

/** The address of the service, with or without the base path of the API. */
export const baseOf = (url: string): string => {
  const trimmed = url.replace(/\/+$/, '')
  return trimmed.endsWith(BASE_PATH) ? trimmed : trimmed + BASE_PATH
}

type RequestOptions = CallOptions & { isFile: boolean }

export function requestOf(base: string, operation: AnyOperation, parameters: Parameters, options: RequestOptions) {
  const { path, method, idempotency, multipart } = operation
  const { body, ...others } = parameters
  const isSafe = method === 'GET'
  return {
    url: base + addressOf(path, others),
    method,
    headers: headersOf(operation, body, options),
    body: multipart ? formOf(body) : jsonOf(body),
    isRepeatable: isSafe || idempotency === true,
    retries: options.retries ?? DEFAULT_RETRIES,
    timeoutMs: options.timeoutMs === undefined ? (multipart ? null : DEFAULT_TIMEOUT_MS) : options.timeoutMs,
    isStream: options.isFile,
    signal: options.signal,
  }
}

function addressOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams()
  const inPath = new Set<string>()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    inPath.add(name)
    const value = parameters[name]
    const text = value === undefined || value === null ? '' : textOf(value)
    if (text === '') throw new TypeError(`${path} needs ${name}`)
    // These are steps in an address, in whatever form they are written: the request would go to another operation.
    if (text === '.' || text === '..') throw new TypeError(`${path}: ${name} cannot be ${text}`)
    return encodeURIComponent(text)
  })
  for (const [name, value] of Object.entries(parameters))
    if (!inPath.has(name) && value !== undefined && value !== null) query.append(name, textOf(value))
  return query.size > 0 ? `${filled}?${query.toString()}` : filled
}

/** Several values of one parameter stand there by comma. */
const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

function headersOf(operation: AnyOperation, body: unknown, options: RequestOptions): Record<string, string> {
  const { organization, company, language, idempotencyKey, ifMatch, reason, headers } = options
  const all: Record<string, string | undefined> = {
    accept: options.isFile ? '*/*' : 'application/json',
    'accept-language': language,
    'x-service-organization': operation.organization && organization?.toString(),
    'x-service-company': operation.organization && company,
    'idempotency-key': operation.idempotency && (idempotencyKey ?? newKey()),
    'if-match': ifMatch,
    'x-reason': reason === undefined ? undefined : headerText(reason),
    'content-type': body === undefined || operation.multipart ? undefined : 'application/json',
    ...headers,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Not by `randomUUID`, which pages have under TLS and on this machine only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Headers are ASCII; a percent sign would be taken for the beginning of an escape. */
const headerText = (text: string): string => text.replaceAll(/[^ -~]+|%/gu, encodeURIComponent)

const jsonOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body))

/** The file comes last, so that the service knows the fields before it reads the bytes. */
function formOf(body: unknown): FormData {
  const form = new FormData()
  const entries = Object.entries(typeof body === 'object' && body !== null ? body : {})
  for (const [name, value] of entries)
    if (value !== undefined && value !== null && !(value instanceof Blob)) form.append(name, textOf(value))
  for (const [name, value] of entries) if (value instanceof Blob) form.append(name, value)
  return form
}
