// `fields`: only some fields of each record that a read answers.
import { type TSchema, Type } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { needsCaller } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'
import { listedOf } from '#http/serialize.ts'
import { Closed } from '#kernel/values/schema.ts'
import { cut } from '#kernel/values/text/text.ts'

/** None where it is no object. */
export const propertiesOf = (schema: TSchema | undefined): Readonly<Record<string, TSchema>> | undefined =>
  Type.IsObject(schema) ? schema.properties : undefined

/** The fields of its record, or null where the answer is no record, or must not be kept. */
function recordOf(route: Route): TSchema | null {
  const { file, longPoll, secret } = route.features
  const record = route.page ?? route.data
  const hasRecord = route.method === 'GET' && needsCaller(route) && !(file ?? longPoll ?? secret)
  return hasRecord && record && propertiesOf(record) ? record : null
}

export function withFields(route: Route, query: TSchema | undefined): TSchema | undefined {
  const record = recordOf(route)
  if (!record) return query
  const names = Object.keys(propertiesOf(record) ?? {})
  const fields = Type.String({
    maxLength: 2000,
    description: 'Only these fields of the record, by comma',
    examples: [names.slice(0, 2).join(',')],
  })
  return Closed({ ...propertiesOf(query), fields: Type.Optional(fields) })
}

/** Of a parameter with names by comma. A refusal repeats an unknown one: of a long text it has the beginning. */
export const namesIn = (names: unknown): string[] | null =>
  typeof names === 'string' ? names.split(',').map((name) => cut(name.trim(), 100)) : null

export function fieldsProblems(route: Route, { fields }: { fields?: unknown }): Fields | null {
  if (fields === undefined) return null
  const known = propertiesOf(recordOf(route) ?? undefined)
  const unknown = known ? namesIn(fields)?.find((name) => !Object.hasOwn(known, name)) : undefined
  if (unknown === undefined) return null
  return { fields: unknown === '' ? 'must name fields, by comma' : `the record has no field ${unknown}` }
}

type FieldSelector = (query: { fields?: unknown; expand?: unknown }, data: unknown) => { data: unknown } | null

/** Cuts what a route answers down to the fields that its query names, and `expanded`; null when it asks for neither. */
export function cutOf(route: Route): FieldSelector {
  const record = recordOf(route)
  let listed: ((value: unknown) => unknown) | undefined
  return ({ fields, expand }, data) => {
    const names = record ? namesIn(fields) : null
    if (!record || (!names && expand === undefined)) return null
    const cutDown = (value: unknown): unknown => {
      const all = (listed ??= listedOf(record))(value) as Record<string, unknown>
      const kept = names ? Object.fromEntries(names.map((name) => [name, all[name]])) : all
      const { expanded } = value as { expanded?: unknown }
      return expanded === undefined ? kept : { ...kept, expanded }
    }
    return { data: Array.isArray(data) ? data.map(cutDown) : cutDown(data) }
  }
}
