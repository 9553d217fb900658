// What a list can be sorted by, and filtered by as ranges (docs/interface/general.md), declared once for its parameters
// and its statement.
import { type TOptional, type TSchema, type TString, Type } from 'typebox'
import { addDays } from '#kernel/values/time/calendar.ts'
import { CalendarDate, Money, Timestamp } from '#kernel/values/schema.ts'
import { nothing, raw, sql, type Statement } from '#kernel/values/sql.ts'

type Field = {
  kind: 'time' | 'date' | 'amount'
  /** Whether the list is sorted by the field. */
  sorts: boolean
  isNullable?: true
  /** The column, where the list shows it under another name. */
  column?: string
}

/** An index on the organization, the column and `id` is expected of each (test/sweeps/list-plans.test.ts). */
export const TIME = { kind: 'time', sorts: true } as const
export const DATE = { kind: 'date', sorts: true } as const
/** May be null, and is then later than any other: a range finds only the records that have one. */
export const OPTIONAL_TIME = { ...TIME, isNullable: true } as const
export const OPTIONAL_DATE = { ...DATE, isNullable: true } as const
/**
 * Under row security PostgreSQL asks no index about decimals, so these are compared record by record: as a whole, of
 * which it expects half of the records. Of four comparisons it expects next to none, and sorts the whole table for a
 * page.
 */
export const AMOUNT = { kind: 'amount', sorts: true } as const

const OPERATORS = ['gte', 'gt', 'lte', 'lt'] as const
const WORDS = { gte: 'From', gt: 'After', lte: 'Up to', lt: 'Before' } as const
const AMOUNT_WORDS = { gte: 'At least', gt: 'More than', lte: 'At most', lt: 'Less than' } as const

type Parameters<Name extends string> = {
  [Parameter in `${Name}[${(typeof OPERATORS)[number]}]`]: TOptional<TString>
} & { sort: TOptional<TString>; updated_since: TOptional<TString> }

export type Listing<Name extends string = string> = {
  readonly fields: Readonly<Record<Name, Field>>
  /** For the schema of the list's query. */
  readonly parameters: Parameters<Name>
}

/** `updated` is the field that `updated_since` looks at. */
export function listing<const Fields extends Record<string, Field>>(
  fields: Fields,
  updated: keyof Fields & string,
): Listing<keyof Fields & string> {
  const ranges = Object.entries<Field>(fields).flatMap(([name, { kind }]) =>
    OPERATORS.map((operator) => [`${name}[${operator}]`, Type.Optional(boundOf(name, kind, operator))]),
  )
  const sortable = ['id', ...Object.keys(fields).filter((name) => fields[name]?.sorts)]
  const sort = Type.Unsafe<string>({
    type: 'string',
    enum: sortable.flatMap((name) => [name, `-${name}`]),
    description: 'The field to sort by, `-` for the largest or latest first; equal ones by `id` in the same direction',
  })
  const updated_since = Type.Optional({
    ...Timestamp,
    description: `\`${updated}\` from then on, the earliest first: for copies that are kept up to date`,
  })
  const parameters = { sort: Type.Optional(sort), updated_since, ...Object.fromEntries(ranges) }
  return { fields: withUpdated(fields, updated), parameters }
}

/** `updated_since` is read like `updated_at[gte]`. */
function withUpdated<Fields extends Record<string, Field>>(fields: Fields, updated: keyof Fields & string) {
  const column = fields[updated]?.column ?? updated
  return { ...fields, [SINCE]: { kind: 'time', sorts: false, column } as const }
}
const SINCE = 'updated_since'

function boundOf(name: string, kind: Field['kind'], operator: (typeof OPERATORS)[number]): TSchema {
  if (kind === 'amount') return { ...Money, description: `${AMOUNT_WORDS[operator]} so much \`${name}\`` }
  const description = `${WORDS[operator]} this \`${name}\`${kind === 'time' ? ', to the millisecond' : ''}`
  return { ...(kind === 'time' ? Timestamp : CalendarDate), description }
}

/** A column that a list is ordered by before `id`. */
export type SortKey = {
  column: string
  type: 'timestamptz' | 'date' | 'text' | 'numeric'
  /** It sorts behind every other value, as PostgreSQL does by itself. */
  isNullable?: true
}

/** `c.` of `c.id` */
export const aliasOf = (id: string): string => (id.includes('.') ? id.replace(/[^.]*$/, '') : '')

type Query = Readonly<Record<string, unknown>>

/** Whether the query sorts or has a range. */
export const isAsked = (query: object): boolean => {
  for (const name in query) if (name === 'sort' || name === SINCE || name.endsWith(']')) return true
  return false
}
/**
 * `isOfRecord`: of the list of a record, whose own rows are few. PostgreSQL would walk through those of others, in the
 * order of an index on the field, to find them; so the field is written as something that no index has.
 */
type ListingOptions = { listing: Listing; alias: string; isOfRecord?: boolean }

function columnOf(name: string, { column = name, kind }: Field, { alias, isOfRecord = false }: ListingOptions): string {
  const plain = `${alias}${column}`
  return isOfRecord ? `(${plain} + ${kind === 'time' ? `interval '0'` : '0'})` : plain
}

/** Further conditions, to be put behind those of the list. */
export function rangesOf(query: Query, asked: ListingOptions): Statement {
  let conditions = nothing
  for (const [name, field] of Object.entries<Field>(asked.listing.fields)) {
    const bounds = boundsOf(query, name)
    if (bounds) conditions = sql`${conditions} ${CONDITIONS[field.kind](raw(columnOf(name, field, asked)), bounds)}`
  }
  return conditions
}

type Bounds = { [Operator in (typeof OPERATORS)[number]]?: string }

function boundsOf(query: Query, name: string): Bounds | null {
  if (name === SINCE) return typeof query[SINCE] === 'string' ? { gte: query[SINCE] } : null
  const given: Bounds = {}
  for (const operator of OPERATORS) {
    const value = query[`${name}[${operator}]`]
    if (typeof value === 'string') given[operator] = value
  }
  return Object.keys(given).length === 0 ? null : given
}

type Column = ReturnType<typeof raw>

/**
 * One text per field, whichever bounds are given, so that a client cannot have thousands of statements prepared. Times
 * are compared to the millisecond, as clients see them.
 */
const CONDITIONS: Record<Field['kind'], (column: Column, bounds: Bounds) => Statement> = {
  time(column, { gte, gt, lte, lt }) {
    const from = latest(momentOf(gte), momentAfter(gt))
    const until = earliest(momentOf(lt), momentAfter(lte))
    return sql`and ${column} >= ${from}::timestamptz and ${column} < ${until}::timestamptz`
  },
  date(column, { gte, gt, lte, lt }) {
    const from = latest(gte, dayAfter(gt))
    const until = earliest(lt, dayAfter(lte))
    return sql`and ${column} >= ${from}::date and ${column} < ${until}::date`
  },
  amount(column, { gte = '-infinity', gt = '-infinity', lte = 'infinity', lt = 'infinity' }) {
    return sql`and coalesce(${column} >= ${gte}::numeric and ${column} > ${gt}::numeric
      and ${column} <= ${lte}::numeric and ${column} < ${lt}::numeric, false)`
  },
}

const momentOf = (text: string | undefined): string | undefined => text && new Date(text).toISOString()
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')
const LAST_DAY = '9999-12-31'

function momentAfter(text: string | undefined): string | undefined {
  const moment = text && Date.parse(text)
  if (moment === undefined || moment === '') return undefined
  return moment >= LAST_MOMENT ? 'infinity' : new Date(moment + 1).toISOString()
}

const dayAfter = (day: string | undefined): string | undefined =>
  day && (day === LAST_DAY ? 'infinity' : addDays(day, 1))

/** Both forms are ordered as texts are, and letters come after digits. */
const latest = (...given: (string | undefined)[]): string =>
  given.reduce<string>(
    (one, other) => (other !== undefined && (one === '-infinity' || other > one) ? other : one),
    '-infinity',
  )
const earliest = (...given: (string | undefined)[]): string =>
  given.reduce<string>((one, other) => (other !== undefined && other < one ? other : one), 'infinity')

const TYPES = { time: 'timestamptz', date: 'date', amount: 'numeric' } as const

/**
 * What the list is sorted by: what `sort` says, else the first field that is asked for by a range, since an index has
 * the range in that order. Null for the order of the list itself.
 */
export function sortOf(query: Query, asked: ListingOptions): { key: SortKey | null; isDescending: boolean } | null {
  const { sort } = query
  const { fields } = asked.listing
  const keyOf = (name: string): SortKey | null => {
    const field = fields[name]
    if (!field) return null
    const isNullable = field.isNullable && boundsOf(query, name) === null
    return { column: columnOf(name, field, asked), type: TYPES[field.kind], ...(isNullable && { isNullable }) }
  }
  if (typeof sort === 'string') return { key: keyOf(sort.replace('-', '')), isDescending: sort.startsWith('-') }
  const ranged = Object.keys(fields).find((name) => fields[name]?.kind !== 'amount' && boundsOf(query, name) !== null)
  return ranged === undefined ? null : { key: keyOf(ranged), isDescending: ranged !== SINCE }
}
