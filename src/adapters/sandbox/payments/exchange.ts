// An HTTP request and its answer without a web framework, as the sandbox's providers handle them.
import { Type } from 'typebox'
import { Value } from 'typebox/value'

export type Exchange = {
  method: string
  /** Below the public URL, with or without a query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** The raw bytes; null when there are none. */
  body: Uint8Array | null
}

export type Answer = { status: number; headers: Record<string, string>; body: string }

/** A form has nine bytes for a Chinese character: 200 lines with names of 200 characters are 0.4 MB. */
const MAX_BODY_BYTES = 1024 * 1024

export function header(exchange: Exchange, name: string): string | null {
  const value = exchange.headers[name]
  return typeof value === 'string' ? value : null
}

/** Form fields, or the fields of a flat JSON object. Null: unreadable. */
export function fields(exchange: Exchange): ReadonlyMap<string, string> | null {
  if (!exchange.body) return new Map()
  if (exchange.body.byteLength > MAX_BODY_BYTES) return null
  const text = new TextDecoder().decode(exchange.body)
  const type = (header(exchange, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return jsonFields(text)
  return new Map(new URLSearchParams(text))
}

/** Whether the body, if there is one, is a form. */
export function isForm(exchange: Exchange): boolean {
  const type = header(exchange, 'content-type') ?? ''
  return !exchange.body?.byteLength || type.toLowerCase().startsWith('application/x-www-form-urlencoded')
}

export function isJson(exchange: Exchange): boolean {
  return (header(exchange, 'content-type') ?? '').toLowerCase().startsWith('application/json')
}

function jsonFields(text: string): ReadonlyMap<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Value.Check(Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])), parsed)) return null
    return new Map(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
  } catch {
    return null
  }
}
