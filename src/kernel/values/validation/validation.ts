// Validates input against schemas: names every bad field, coerces nothing in bodies, removes nothing silently (spec 7).
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Static, TSchema } from 'typebox'
import { asciiAddressesIn } from './ascii-addresses.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import { sentenceFor } from './sentences.ts'
import { storable } from '#kernel/values/text/text.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { Fields } from './problems.ts'
import { type Problem, withoutOtherKinds } from './union-problems.ts'

/** What rules know of a request. */
export type RuleContext = Clock & {
  isStaff: boolean
  /** The caller's e-mail address; null without a caller. */
  email: string | null
  isGiven: (field: string) => boolean
}

/** Gets only the fields that fit the schema; `isGiven` tells of any field whether it was sent. */
export type Rules<Body> = (body: Partial<Body>, asked: RuleContext) => Fields

// The library stops at 8 errors by default, and an unknown field counts as two.
Settings.Set({ maxErrors: 100 })

export type Check = (value: unknown) => Fields | null

/** A check that is compiled at its first use. It gives null when the value is valid, else the bad fields. */
export function compileCheck(schema: TSchema): Check {
  let compiled: ReturnType<typeof Compile> | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return null
    const fields = fieldsOf(compiled.Errors(value), schema)
    // Never an empty list: it would pass for a valid value.
    return Object.keys(fields).length > 0 ? fields : { body: 'does not have an allowed form' }
  }
}

export type ReadResult<Value> = { value: Value; problems?: never } | { value?: never; problems: Fields }

/**
 * Reads what no request has validated, for staff: the value with its type, or its bad fields. `rules` get the fields
 * that fit the schema, as those of a route do.
 */
export function compileRead<Schema extends TSchema>(
  schema: Schema,
  rules: Rules<Static<Schema>>,
): (value: Record<string, unknown>, now: Date) => ReadResult<Static<Schema>> {
  const check = compileCheck(schema)
  const ascii = asciiAddressesIn<Record<string, unknown>>(schema)
  return (given, now) => {
    const value = ascii(given)
    const wrong = { ...unstorableStrings(value), ...check(value) }
    const sound = Object.fromEntries(Object.entries(value).filter(([field]) => !isBad(wrong, field)))
    const isGiven = (field: string) => Object.hasOwn(value, field)
    const asked = { now, realNow: now, isStaff: true, email: null, isGiven }
    const problems = { ...rules(sound as never, asked), ...wrong }
    return Object.keys(problems).length > 0 ? { problems } : { value: value as never }
  }
}

const isBad = (wrong: Fields, field: string): boolean =>
  Object.keys(wrong).some((one) => one === field || one.startsWith(`${field}.`))

/** Without a prototype, so that a field named `__proto__` is reported like any other. */
const noFields = (): Fields => Object.create(null) as Fields

function fieldsOf(problems: readonly Problem[], schema: TSchema): Fields {
  const fields = noFields()
  const say = (field: string, message: string) => (fields[field || 'body'] ??= message)
  for (const { keyword, schemaPath, instancePath, params } of withoutOtherKinds(problems)) {
    if (keyword === 'additionalProperties')
      for (const key of strings(params['additionalProperties'])) fields[fieldName(instancePath, key)] = 'unknown field'
    else if (keyword === 'required')
      for (const key of strings(params['requiredProperties'])) say(fieldName(instancePath, key), 'is required')
    else if (keyword === 'boolean' && schemaPath.endsWith('/additionalProperties'))
      // The list of unknown fields comes after all of these, so that it is cut off where there are many.
      fields[fieldName(instancePath)] = 'unknown field'
    else if (keyword !== 'boolean')
      say(fieldName(instancePath), sentenceFor(keyword, params, examplesAt(schema, schemaPath)))
  }
  return fields
}

/** The examples of the schema at a path such as `#/properties/name`. */
function examplesAt(schema: TSchema, path: string): unknown[] {
  let at: unknown = schema
  for (const part of path.split('/').slice(1))
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[unescape(part)] : undefined
  const { examples } = (at ?? {}) as { examples?: unknown }
  return Array.isArray(examples) ? examples : []
}

const fieldName = (path: string, last?: string): string =>
  [...path.split('/').slice(1).map(unescape), ...(last ? [last] : [])].join('.')

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const propertiesOf = (schema: { properties?: Record<string, { type?: unknown }> } | undefined) =>
  schema?.properties ?? {}

/** Query values are text. They become integers, booleans or lists where the schema says so. */
export function coerceQuery(query: Record<string, unknown>, schema: TSchema | undefined): Record<string, unknown> {
  const properties = propertiesOf(schema)
  // Entries instead of assignments, so that a parameter named `__proto__` is refused like any unknown one.
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, coerced(value, properties[name]?.type)]),
  )
}

function coerced(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'array') return value.split(',')
  if ([type].flat().includes('integer')) return /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}

/** Path ids: 404 unless a plain positive integer within 2^53. */
export function coerceParams(params: Record<string, string>, schema: TSchema | undefined): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) {
    if (properties[name]?.type !== 'integer' && !value.includes('\0')) result[name] = value
    else if (/^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value))) result[name] = Number(value)
    else throw new AppError('NOT_FOUND')
  }
  return result
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses the body as JSON; an empty body is `{}`. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new AppError('BAD_REQUEST', { message: 'The body is not valid JSON', cause })
  }
  assertWithinLimits(value)
  return value
}

const MAX_DEPTH = 32
const MAX_MEMBERS = 1000
const MAX_FOUND = 100

/** Above what any body needs. Without limits, finding duplicates or naming every bad field could take minutes. */
function assertWithinLimits(value: unknown): void {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const current of level) {
      if (typeof current !== 'object' || current === null) continue
      const members = Object.values(current)
      if (depth >= MAX_DEPTH) throw invalid({ body: `must not be nested more than ${MAX_DEPTH} deep` })
      if (members.length > MAX_MEMBERS)
        throw invalid({ body: `must not have more than ${MAX_MEMBERS} members in one place` })
      for (const member of members) next.push(member)
    }
    level = next
  }
}

/** Names the texts, and the members by their names, with NUL or unpaired surrogates, which PostgreSQL cannot store. */
export function unstorableStrings(value: unknown): Fields | null {
  const fields = noFields()
  const waiting: [string, unknown][] = [['', value]]
  for (let next = waiting.pop(), found = 0; next !== undefined && found < MAX_FOUND; next = waiting.pop()) {
    const [path, current] = next
    if (typeof current === 'string' && isUnstorable(current)) {
      fields[path || 'body'] = `must ${STORABLE}`
      found++
    } else if (typeof current === 'object' && current !== null)
      for (const [key, child] of Object.entries(current)) {
        const name = path ? `${path}.${storable(key)}` : storable(key)
        if (!isUnstorable(key)) waiting.push([name, child])
        else {
          fields[name] = `has a name that must ${STORABLE}`
          found++
        }
      }
  }
  return Object.keys(fields).length > 0 ? fields : null
}

const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()
const STORABLE = 'not contain NUL or unpaired surrogates'

/** Throws one 422 with all fields that the checks found. */
export function assertNoProblems(...found: (Fields | null)[]): void {
  const fields = Object.fromEntries(found.flatMap((one) => Object.entries(one ?? {})))
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
