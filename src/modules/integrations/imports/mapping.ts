// The mapping of a file that another system wrote: which of its columns is which field, which of its values is which,
// and what is the same for all lines. Pure.
import { Type, type Static } from 'typebox'
import { parsedJson } from '#kernel/values/text/json.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed } from '#kernel/values/schema.ts'
import { compileRead } from '#kernel/values/validation/validation.ts'

const Column = Type.String({ maxLength: 200 })

export const Mapping = Closed(
  {
    columns: Type.Record(Column, Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]), {
      description: 'The field or the fields of each column of a CSV, or name in an NDJSON; others are left out',
      examples: [{ 'Client ID': 'external_id', Status: 'status', Cycle: ['interval', 'term_months'] }],
    }),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'By field what stands for a value of the file, as the API takes it; null: not given',
        examples: [{ status: { Active: 'publish' } }],
      }),
    ),
    fixed: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields that are the same on each line, as the API takes them',
        examples: [{ country: 'BR' }],
      }),
    ),
  },
  { description: 'Which columns of the file are which fields' },
)
export type Mapping = Static<typeof Mapping>

const read = compileRead(Mapping, () => ({}))

type ReadMapping = { mapping: Mapping; problems?: never } | { mapping?: never; problems: Fields }

/** `fields` are those of the kind. The problems are by path, such as `mapping.columns.Client ID`. */
export function mappingOf(text: string, fields: readonly string[], now: Date): ReadMapping {
  const given = parsedJson(text)
  if (!isObject(given)) return { problems: { mapping: 'must be a JSON object' } }
  const { value, problems: wrong } = read(given, now)
  if (!value) return { problems: placed(wrong) }
  const problems = placed(problemsOf(value, fields))
  return Object.keys(problems).length > 0 ? { problems } : { mapping: value }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const placed = (problems: Fields): Fields =>
  Object.fromEntries(Object.entries(problems).map(([at, problem]) => [`mapping.${at}`, problem]))

function problemsOf({ columns, values = {}, fixed = {} }: Mapping, fields: readonly string[]): Fields {
  const targets = Object.entries(columns).flatMap(([column, given]) =>
    [given].flat().map((field): [string, string] => [column, field]),
  )
  const found = targets.flatMap(([column, field], index): [string, string][] => {
    const at = `columns.${column}`
    if (!fields.includes(field)) return [[at, UNKNOWN]]
    const other = targets.slice(0, index).find(([, one]) => one === field)
    if (other?.[0] === column) return [[at, `has the field ${field} twice`]]
    return other ? [[at, `is the field of the column "${other[0]}" too`]] : []
  })
  const isTarget = (field: string) => targets.some(([, one]) => one === field)
  for (const field of Object.keys(values))
    if (!fields.includes(field)) found.push([`values.${field}`, UNKNOWN])
    else if (!isTarget(field)) found.push([`values.${field}`, 'is the field of no column'])
  for (const field of Object.keys(fixed))
    if (!fields.includes(field)) found.push([`fixed.${field}`, UNKNOWN])
    else if (isTarget(field)) found.push([`fixed.${field}`, 'is the field of a column too'])
  if (!isTarget('external_id')) found.push(['columns', 'must have a column for external_id'])
  return Object.fromEntries(found)
}

const UNKNOWN = 'is no field of this kind'

/** The fields of each column, none of those that are left out. Without a mapping columns have the names of fields. */
export const fieldsOfColumns = (columns: readonly string[], mapping: Mapping | null): (readonly string[])[] =>
  columns.map((column) => {
    if (!mapping) return [column]
    return Object.hasOwn(mapping.columns, column) ? [mapping.columns[column] ?? []].flat() : []
  })

/** What the mapping has for a text of the field: null where it is not given, undefined where it says nothing. */
export function valueFor(mapping: Mapping | null, field: string, text: string): unknown {
  const values = mapping?.values
  const ofField = values && Object.hasOwn(values, field) ? values[field] : undefined
  return ofField && Object.hasOwn(ofField, text) ? ofField[text] : undefined
}

/** A line of NDJSON by fields. */
export function mappedValues(given: Record<string, unknown>, mapping: Mapping | null): Record<string, unknown> {
  if (!mapping) return given
  const mapped = Object.entries(mapping.columns).flatMap(([name, fields]) => {
    if (!Object.hasOwn(given, name)) return []
    const value = given[name]
    return [fields].flat().flatMap((field) => {
      const instead = isScalar(value) ? valueFor(mapping, field, String(value)) : undefined
      return instead === null ? [] : [[field, instead === undefined ? value : instead]]
    })
  })
  return { ...Object.fromEntries(mapped), ...mapping.fixed }
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
