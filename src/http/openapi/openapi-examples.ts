// Makes the example of an answer from the examples of its schema.
import { isObject, type Json, type JsonObject } from './openapi-json.ts'

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-20T14:42:55.123Z',
  date: '2026-12-31',
  email: 'ana@acme.example',
  uri: 'https://acme.example',
}

export function exampleOf(schema: Json | undefined): Json {
  if (!isObject(schema)) return null
  const { examples, const: constant, enum: values, anyOf, items, properties } = schema
  if (Array.isArray(examples)) return examples[0] ?? null
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0] ?? null
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (isObject(properties))
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, exampleOf(value)]))
  return ofType(schema, items)
}

function ofType(schema: JsonObject, items: Json | undefined): Json {
  const type = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? 'null']
  // A nullable value without an example is null.
  if (type.includes('null')) return null
  const [first] = type
  if (first === 'array') return [exampleOf(items)]
  if (first === 'integer' || first === 'number') return 1
  if (first === 'boolean') return true
  if (first === 'object') return {}
  const { format } = schema
  return (typeof format === 'string' && BY_FORMAT[format]) || 'text'
}
