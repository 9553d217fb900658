// The components of the OpenAPI document: every record, body, line, enumeration and map with bounds has one name and is
// written once.
// names.json has the names that neither a path nor the name of an operation gives.
import { MARKS } from '#http/serialize.ts'
import NAMES from './names.json' with { type: 'json' }
import { pascal, singular } from './operation-id.ts'
import { isObject, type Json, type JsonObject, objectAt, textAt } from '#kernel/values/json.ts'
import { bodyOf, envelopeIn, isRecord, type Operation } from './openapi-json.ts'

const named = (table: keyof typeof NAMES, key: string): string | undefined =>
  new Map<string, string>(Object.entries(NAMES[table])).get(key)

export type Names = ReturnType<typeof createNames>

export function createNames() {
  const byShape = new Map<string, string>()
  const schemas = new Map<string, Json>()

  function free(wanted: string, owner = ''): string {
    const own = owner.replace(/Request$|Result$/, '')
    for (const name of [wanted, own + wanted]) if (!schemas.has(name)) return name
    let number = 2
    while (schemas.has(`${wanted}${number}`)) number++
    return `${wanted}${number}`
  }
  function give(schema: JsonObject, wanted: string, owner?: string): string {
    const shape = JSON.stringify(schema)
    const known = byShape.get(shape)
    if (known !== undefined) return known
    const name = free(wanted, owner)
    byShape.set(shape, name)
    schemas.set(name, schema)
    return name
  }

  function reference(schema: Json, owner: string, property: string): Json {
    if (Array.isArray(schema)) return schema.map((one) => reference(one, owner, property))
    if (!isObject(schema)) return schema
    const values = namedValues(schema)
    if (values) return enumeration(schema, values, owner, property)
    if (isRecord(schema)) return refTo(give(schema, nameIn(owner, singular(property), property), owner))
    return within(schema, owner, property)
  }
  /** The schema, with its parts replaced by references. */
  function within(schema: JsonObject, owner: string, property: string): JsonObject {
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => {
        if (AS_THEY_ARE.has(key)) return [key, value]
        if (key !== 'properties' || !isObject(value)) return [key, reference(value, owner, property)]
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, one]) => [name, reference(one, owner, name)])),
        ]
      }),
    )
  }
  function enumeration(schema: JsonObject, values: readonly string[], owner: string, property: string): Json {
    const shape = JSON.stringify(values.toSorted())
    const { description, examples: _examples, default: fallback } = schema
    let name = byShape.get(shape)
    if (name === undefined) {
      name = free(nameIn(owner, property, property), owner)
      byShape.set(shape, name)
      schemas.set(name, { type: 'string', enum: [...values] })
    }
    const said = {
      ...(description !== undefined && { description }),
      ...(fallback !== undefined && { default: fallback }),
    }
    const isNullable = Array.isArray(schema['enum']) && schema['enum'].includes(null)
    return isNullable ? { anyOf: [refTo(name), { type: 'null' }], ...said } : { ...refTo(name), ...said }
  }

  return {
    collect(one: Operation): void {
      const id = textAt(one.operation, 'operationId')
      const data = dataOf(one.operation)
      const item = isObject(data) && isRecord(data['items']) ? data['items'] : undefined
      if (item) give(item, named('answers', id) ?? itemName(one.path, schemas))
      else if (isRecord(data))
        give(data, named('answers', id) ?? (isDetail(one) ? recordOf(one.path) : `${pascal(id)}Result`))
      const instead = insteadOf(one.operation)
      if (instead)
        give(instead.schema, named('insteadByOperation', id) ?? named('instead', instead.mark) ?? pascal(instead.mark))
      const body = bodyOf(one.operation)
      if (isRecord(body)) give(body, named('bodies', id) ?? `${pascal(id)}Request`)
    },
    give,
    reference,
    /** The components of a component may be named while the list is read, so it can grow. */
    components(): JsonObject {
      const result: JsonObject = {}
      for (const [name, schema] of schemas) result[name] = isRecord(schema) ? within(schema, name, '') : schema
      return result
    },
  }
}

const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** The values of an enumeration of two or more texts; a single one is a constant. */
function namedValues({ enum: values }: JsonObject): string[] | undefined {
  if (!Array.isArray(values)) return undefined
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length > 1 && texts.length >= values.filter((value) => value !== null).length ? texts : undefined
}

/** `status` of a Quote → QuoteStatus, `environment_type` of an Environment → EnvironmentType. */
function nameIn(owner: string, base: string, property: string): string {
  const own = owner.replace(/Request$|Result$/, '')
  const name = pascal(base)
  return named('properties', property) ?? (name.startsWith(own) ? name : own + name)
}

export const isDetail = ({ path, method }: Operation): boolean => method === 'get' && path.endsWith('}')

/** `/auth/api-keys/{id}` → ApiKey, `/admin/products/{id}` → AdminProduct */
function recordOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const record = pascal(singular(segments.at(-1) ?? ''))
  return segments[0] === 'admin' ? `Admin${record}` : record
}

/** Names the item of a list: the record, its summary when the details have the name, or `TicketHistoryEntry`. */
function itemName(path: string, taken: ReadonlyMap<string, Json>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const last = segments.at(-1) ?? ''
  if (singular(last) === last) return `${segments.map(singular).map(pascal).join('')}Entry`
  const record = recordOf(path)
  return taken.has(record) ? `${record}Summary` : record
}

/** Keys whose values are no schemas. */
const AS_THEY_ARE = new Set(['examples', 'example', 'enum', 'required', 'default', 'const'])

/** The last one, since the preview of a dry run comes with 200 before an answer of its own status. */
const successOf = (operation: JsonObject): Json | undefined =>
  Object.entries(objectAt(operation, 'responses')).findLast(([status]) => status < '400')?.[1]
const dataOf = (operation: JsonObject): Json | undefined =>
  alternativesIn(successOf(operation)).find((one) => markOf(one) === undefined)
/** What the operation may answer instead, with the mark by which it is told. */
function insteadOf(operation: JsonObject): { mark: string; schema: JsonObject } | undefined {
  const answers = Object.values(objectAt(operation, 'responses')).flatMap(alternativesIn)
  return answers.flatMap((schema) => {
    const mark = markOf(schema)
    return mark !== undefined && isObject(schema) ? [{ mark, schema }] : []
  })[0]
}

/** A dry run may be answered with the same status as the operation itself. */
function alternativesIn(response: Json | undefined): Json[] {
  const { data = null } = objectAt(envelopeIn(response), 'properties')
  const either = isObject(data) && Array.isArray(data['anyOf']) ? data['anyOf'] : []
  return either.some((one) => markOf(one) !== undefined) ? either : [data]
}
const markOf = (schema: Json): string | undefined => MARKS.find((mark) => mark in objectAt(schema, 'properties'))
