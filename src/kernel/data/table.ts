// A tenant table as the changes know it: its name, its resource, its row, what the trail must not show.
import type { Static, TSchema } from 'typebox'
import { Money, Percent } from '#kernel/values/schema.ts'

export type Table<Row = Record<string, unknown>> = {
  readonly name: string
  /** Singular, as in event names: `titular/<resource>/created`. */
  readonly resource: string
  readonly columns: readonly string[]
  /** Columns whose values the audit log and events never show. */
  readonly masked: readonly string[]
  /** What operations get to see of a row they wrote: the schema's properties, none of the `extra` columns. */
  readonly shown: readonly string[]
  /** Decimals, which are text in the trail as they are everywhere else: a JSON number would lose its digits. */
  readonly decimals: readonly string[]
  /** Times, which the trail writes as every answer does. */
  readonly times: readonly string[]
  /** Columns that `GET /search` looks through. */
  readonly search: readonly string[]
  /** Held against the database's columns by a test. */
  readonly schema: TSchema
  readonly row?: Row
}

/**
 * `schema` has one property per column. `derived` columns are computed by the database and never written. `extra` ones are
 * written, but not shown; `times` and `decimals` are the columns whose property does not tell that they are.
 */
export function table<Schema extends TSchema & { properties: Record<string, TSchema> }>(
  name: string,
  resource: string,
  schema: Schema,
  options: {
    masked?: readonly string[]
    derived?: readonly string[]
    extra?: readonly string[]
    times?: readonly string[]
    decimals?: readonly string[]
    search?: readonly string[]
  } = {},
): Table<Static<Schema>> {
  const { masked = [], derived = [], extra = [], search = [] } = options
  const shown = Object.keys(schema.properties)
  const columns = [...shown, ...extra].filter((column) => !derived.includes(column))
  const decimals = [...shown.filter((column) => isDecimal(schema.properties[column])), ...(options.decimals ?? [])]
  const isTime = (column: string) => shapeOf(schema.properties[column]).format === 'date-time'
  const times = [...shown.filter(isTime), ...(options.times ?? [])]
  return { name, resource, columns, masked, shown, decimals, times, search, schema }
}

const shapeOf = (schema: object | undefined) =>
  (schema ?? {}) as { pattern?: string; format?: string; anyOf?: object[] }
const DECIMALS = [Money, Percent].map((schema) => shapeOf(schema).pattern)

function isDecimal(schema: object | undefined): boolean {
  const { pattern, anyOf = [] } = shapeOf(schema)
  return (pattern !== undefined && DECIMALS.includes(pattern)) || anyOf.some(isDecimal)
}
