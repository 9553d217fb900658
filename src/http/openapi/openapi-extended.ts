// A record that has all that another one has is written as that one and more: `AdminInvoice` as `Invoice`.
import { isObject, type Json, type JsonObject, membersOf, objectAt } from '#kernel/values/json.ts'

const WORTH_IT = 5

export function extended(schemas: JsonObject): JsonObject {
  const records = Object.entries(schemas).flatMap(([name, schema]) => {
    const size = Object.keys(objectAt(schema, 'properties')).length
    // A body takes no other fields than its own, so it can be no part of another one.
    const isOpen = isObject(schema) && !('additionalProperties' in schema || 'patternProperties' in schema)
    return isOpen && size >= WORTH_IT ? [{ name, schema, size, texts: textsOf(schema) }] : []
  })
  const largestFirst = records.toSorted((one, other) => other.size - one.size)
  const shorter = records.flatMap((one): [string, Json][] => {
    const base = largestFirst.find(
      (other) => other.size < one.size && !other.name.endsWith('Result') && isWithin(other, one),
    )
    return base ? [[one.name, withBase(one.schema, base.name, base.schema)]] : []
  })
  return { ...schemas, ...Object.fromEntries(shorter) }
}

type Texts = ReadonlyMap<string, string>

const textsOf = (schema: JsonObject): Texts =>
  new Map(membersOf(schema['properties']).map(([name, one]) => [name, JSON.stringify(one)]))

const requiredOf = ({ required }: JsonObject): readonly Json[] => (Array.isArray(required) ? required : [])

function isWithin(part: { schema: JsonObject; texts: Texts }, whole: { schema: JsonObject; texts: Texts }): boolean {
  const needed = requiredOf(whole.schema)
  return (
    requiredOf(part.schema).every((name) => needed.includes(name)) &&
    [...part.texts].every(([name, text]) => whole.texts.get(name) === text)
  )
}

function withBase(schema: JsonObject, name: string, base: JsonObject): JsonObject {
  const { type = 'object', properties, required: _required, ...rest } = schema
  const inherited = objectAt(base, 'properties')
  const own = membersOf(properties).filter(([field]) => !(field in inherited))
  const required = requiredOf(schema).filter((field) => !requiredOf(base).includes(field))
  const more = { type, ...(required.length > 0 && { required }), properties: Object.fromEntries(own) }
  return { allOf: [{ $ref: `#/components/schemas/${name}` }, more], ...rest }
}
