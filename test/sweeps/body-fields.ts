// The values in a schema at any depth, and a body with one of them replaced.
import type { TSchema } from 'typebox'

export type Field = {
  /** Names of properties, and 0 for the first item of a list. */
  path: readonly (string | 0)[]
  /** `free` is text that people write; `formed` an identifier, a URL or an amount. */
  kind: 'free' | 'formed' | 'time' | 'date' | 'number'
  minimum: number
  maximum: number
  /** A name: one line without invisible characters. */
  isName: boolean
}

type Shape = {
  type?: string | string[]
  enum?: unknown
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  pattern?: string
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** The limit of a text whose schema sets none. */
const LONG = 20_000

export function fieldsOf(schema: TSchema | undefined): Field[] {
  return schema === undefined ? [] : found(schema, [])
}

function found(shape: Shape, path: (string | 0)[]): Field[] {
  const { anyOf = [], items, properties = {} } = shape
  const kind = kindOf(shape)
  const { maxLength = LONG, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = shape
  const isName = shape.format === 'visible-text'
  const own = kind && { path, kind, minimum, maximum: kind === 'number' ? maximum : maxLength, isName }
  return [
    ...(own ? [own] : []),
    ...anyOf.flatMap((one) => found(one, path)),
    ...(items ? found(items, [...path, 0]) : []),
    ...Object.entries(properties).flatMap(([name, one]) => found(one, [...path, name])),
  ]
}

function kindOf({ type = [], enum: choices, const: only, format, pattern = '' }: Shape): Field['kind'] | null {
  const types = [type].flat()
  if (choices !== undefined || only !== undefined) return null
  if (types.includes('integer')) return 'number'
  if (!types.includes('string')) return null
  if (format === 'date-time') return 'time'
  if (format === 'date') return 'date'
  // The patterns of names only exclude control characters.
  return (format === undefined || format === 'visible-text') && (pattern === '' || pattern.includes('[^\\u0000'))
    ? 'free'
    : 'formed'
}

export const nameOf = ({ path }: Field): string => path.join('.')

export function withValue(body: unknown, [name, ...rest]: Field['path'], value: unknown): unknown {
  if (name === undefined) return value
  if (name === 0) {
    const [head, ...others]: unknown[] = Array.isArray(body) ? body : [undefined]
    return [withValue(head, rest, value), ...others]
  }
  const fields = typeof body === 'object' && body !== null ? { ...body } : {}
  return { ...fields, [name]: withValue(Reflect.get(fields, name), rest, value) }
}
