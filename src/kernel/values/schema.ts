// Schemas that all areas share: ids, times, money, lists (spec 2.1, 8; docs/interface/general.md, Conventions).
import { Type, type TSchema, type Static } from 'typebox'

const MAX_ID = Number.MAX_SAFE_INTEGER

/** An integer identifier within 2^53. */
export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID, examples: [1] })
/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-20T14:42:55.123Z'] })
export const CalendarDate = Type.String({ format: 'date', examples: ['2026-12-31'] })
/** A month of the calendar. */
export const Month = Type.String({
  pattern: '^(19[5-9]\\d|2[01]\\d\\d)-(0[1-9]|1[0-2])$',
  maxLength: 7,
  examples: ['2026-10'],
})
/** A decimal string with the currency's minor digits. */
export const Money = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,4})?$', examples: ['150.00'], maxLength: 24 })
/** A decimal string from 0 to 100. */
export const Percent = Type.String({ pattern: '^(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)$', examples: ['18.00'] })
/** ISO 4217. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', format: 'currency', examples: ['BRL'] })
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ana@acme.example'] })
/** Stored and shown, never fetched by the server. */
export const HttpUrl = Type.String({
  format: 'uri',
  pattern: '^https?://',
  maxLength: 255,
  examples: ['https://acme.example'],
})
// No control characters, since names appear in mails and logs; no invisible ones, which can make two names look alike.
const PRINTABLE = '^(?=[^]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: PRINTABLE, format: 'visible-text' })
/** The name of something in another party's documents. */
export const Reference = Type.String({ minLength: 1, maxLength: 255, pattern: PRINTABLE, format: 'visible-text' })
export const Line = Type.String({ maxLength: 255 })
export const Text = Type.String({ maxLength: 20_000 })
export const COMPANIES = ['entity_br', 'entity_global'] as const
export const Company = Type.Enum(COMPANIES, {
  description: 'The legal entity of the vendor',
  examples: ['entity_br'],
})
export type Company = Static<typeof Company>

/** How often something is billed again. */
export const Interval = Type.Enum(['month', 'year'], { examples: ['month'] })

/** The schema or `null`. Strings and numbers become a list of types, which serializes faster than `anyOf`. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const plain = schema as TSchema & { type?: string; enum?: unknown[] }
  if (typeof plain.type === 'string' && plain.type !== 'object' && plain.type !== 'array')
    return Type.Unsafe<Static<Schema> | null>({ ...plain, type: [plain.type, 'null'] })
  if (Array.isArray(plain.enum)) return Type.Unsafe<Static<Schema> | null>({ ...plain, enum: [...plain.enum, null] })
  return Type.Unsafe<Static<Schema> | null>({ anyOf: [plain, { type: 'null' }] })
}

/** An object that refuses unknown fields. */
export function Closed<Properties extends Record<string, TSchema>>(properties: Properties, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 100

/** Paging (spec 8). */
const wholeNumber = (what: string, fallback: number, maximum: number) =>
  Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum, default: fallback, description: what })

/** Of lists that are only paged by number. */
export const Pages = {
  page: Type.Optional(wholeNumber('The page, from 1', 1, 1_000_000_000)),
  per_page: Type.Optional(wholeNumber('Items on a page', DEFAULT_PER_PAGE, MAX_PER_PAGE)),
}

export const Paging = {
  ...Pages,
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Instead of `page`: `first`, then the `next_cursor` of each answer until it is null',
      examples: ['first'],
    }),
  ),
  count: Type.Optional(
    Type.Boolean({ description: 'With `cursor`: whether to count the list for `total`', default: false }),
  ),
}

/** The filter of a list whose records are found by their terms (kernel/data/lists/search-page.ts). */
export const SearchFilter = (of: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `A word of ${of} begins with it; case, accents and ASCII punctuation do not count`,
    }),
  )

/** The filter of a list by a field with fixed values, several of them by comma: `status=sent,viewed`. */
export const AnyOf = <Schema extends TSchema>(one: Schema, options: object = {}) =>
  Type.Optional(Type.Array(one, { minItems: 1, maxItems: 20, ...options }))

/** The filter of a list whose records contain the text. */
export const PartFilter = (of: string) => Type.Optional(Type.String({ maxLength: 200, description: `Part of ${of}` }))

export const ById = Closed({ id: Id })

export type Page = { page?: number; per_page?: number; cursor?: string; count?: boolean }

/** These members of a record. */
export const pick = <Of extends object, Name extends keyof Of>(record: Of, names: readonly Name[]): Pick<Of, Name> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Of, Name>
