// A tenant table as changes.ts needs it: name, columns, the events that changes emit, what the audit log masks.
import type { Static, TSchema } from 'typebox'
import { Money, Percent } from '#kernel/values/schema.ts'
import type { OrganizationAccess } from '#kernel/values/permissions.ts'
import type { Move } from './moves.ts'

declare const emitted: unique symbol
/** `titular/quote/paid`. Only `quotesTable.events.paid` gives one, so that a misspelt event type does not compile. */
export type EventType<Resource extends string = string> = `titular/${Resource}/${string}` & { readonly [emitted]: true }

/** The events that every table has besides those of its moves. */
type Change = 'created' | 'updated' | 'deleted'

export type Table<Row = Record<string, unknown>, Resource extends string = string, Event extends string = string> = {
  readonly name: string
  /** Singular, as in event types: `titular/<resource>/created`. */
  readonly resource: Resource
  /** The events that changes of the table may emit, by their last part. */
  readonly events: { readonly [Name in Event]: EventType<Resource> } & {
    readonly [Name in Change]: EventType<Resource>
  }
  readonly columns: readonly string[]
  /** The only columns that change once a row is there; without it all of them may. */
  readonly changeable?: readonly string[]
  /** Columns whose values the audit log and events never show. */
  readonly masked: readonly string[]
  /** The columns that a change returns: the schema's properties, without the `extra` columns. */
  readonly visible: readonly string[]
  /** Decimals are text in the audit log as in the API: a JSON number would lose digits. */
  readonly decimals: readonly string[]
  /** Times are written in the audit log as in the API's answers. */
  readonly times: readonly string[]
  /** Columns that `GET /search` looks through. */
  readonly search: readonly string[]
  /** By event: the access that whoever causes it needs, whatever the route (kernel/data/acts.ts). */
  readonly needs: Readonly<Record<string, OrganizationAccess>>
  /** A test compares it with the database's columns. */
  readonly schema: TSchema
  readonly row?: Row
}

/**
 * `schema` has one property per column. `derived` columns are computed by the database and never written; `extra`
 * columns are written but never returned. `times` and `decimals` name the columns whose schema does not say so. `moves`
 * are the table's transitions; `events` are further event names.
 */
export function table<
  const Resource extends string,
  Schema extends TSchema & { properties: Record<string, TSchema> },
  const Acts extends Record<string, Move> = Record<string, Move<never>>,
  const Event extends string = never,
>(
  name: string,
  resource: Resource,
  schema: Schema,
  options: {
    moves?: Acts
    events?: readonly Event[]
    masked?: readonly string[]
    derived?: readonly string[]
    extra?: readonly string[]
    times?: readonly string[]
    decimals?: readonly string[]
    search?: readonly string[]
    changeable?: readonly string[]
    needs?: { readonly [Name in NoInfer<Acts[keyof Acts]['event'] | Event> | Change]?: OrganizationAccess }
  } = {},
): Table<Static<Schema>, Resource, Acts[keyof Acts]['event'] | Event> {
  const { masked = [], derived = [], extra = [], search = [], changeable } = options
  const visible = Object.keys(schema.properties)
  const columns = [...visible, ...extra].filter((column) => !derived.includes(column))
  const decimals = [...visible.filter((column) => isDecimal(schema.properties[column])), ...(options.decimals ?? [])]
  const isTime = (column: string) => shapeOf(schema.properties[column]).format === 'date-time'
  const times = [...visible.filter(isTime), ...(options.times ?? [])]
  const acts = Object.values<Move>(options.moves ?? {}).map(({ event }) => event)
  const names = ['created', 'updated', 'deleted', ...acts, ...(options.events ?? [])]
  const typeOf = (event: string) => `titular/${resource}/${event}`
  const events = Object.fromEntries(names.map((event) => [event, typeOf(event)])) as Table<
    unknown,
    Resource,
    Acts[keyof Acts]['event'] | Event
  >['events']
  const needs = Object.fromEntries(
    Object.entries<OrganizationAccess | undefined>(options.needs ?? {}).flatMap(([event, access]) =>
      access ? [[typeOf(event), access]] : [],
    ),
  )
  return {
    name,
    resource,
    events,
    columns,
    ...(changeable && { changeable }),
    masked,
    visible,
    decimals,
    times,
    search,
    needs,
    schema,
  }
}

/** The moves that a row of the table may make. */
export type MoveOf<Of> = Of extends Table<infer _Row, infer _Resource, infer Event> ? Move<Event> : never

const shapeOf = (schema: object | undefined) =>
  (schema ?? {}) as { pattern?: string; format?: string; anyOf?: object[] }
const DECIMALS = [Money, Percent].map((schema) => shapeOf(schema).pattern)

function isDecimal(schema: object | undefined): boolean {
  const { pattern, anyOf = [] } = shapeOf(schema)
  return (pattern !== undefined && DECIMALS.includes(pattern)) || anyOf.some(isDecimal)
}
