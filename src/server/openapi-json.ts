// Reading JSON whose shape is known only by looking: the generated document, before it is made pleasant.

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectAt = (value: Json | undefined, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export const textAt = (value: JsonObject, name: string): string => {
  const found = value[name]
  return typeof found === 'string' ? found : ''
}

/** An object that lists its properties: what is worth a name of its own. */
export const isRecord = (schema: Json | undefined): schema is JsonObject =>
  Object.keys(objectAt(schema, 'properties')).length > 0

/** The one content type of a body or an answer, and what is said of it. */
export function mediaOf(value: Json | undefined): { type: string; media: JsonObject } {
  const content = objectAt(value, 'content')
  const [type = 'application/json'] = Object.keys(content)
  return { type, media: objectAt(content, type) }
}

export type Operation = { path: string; method: string; operation: JsonObject }

const successOf = (operation: JsonObject): Json | undefined =>
  Object.entries(objectAt(operation, 'responses')).find(([status]) => status < '400')?.[1]
export const envelopeOf = (operation: JsonObject): JsonObject =>
  objectAt(objectAt(objectAt(successOf(operation), 'content'), 'application/json'), 'schema')
export const dataOf = (operation: JsonObject): Json | undefined => objectAt(envelopeOf(operation), 'properties')['data']
export const bodyOf = (operation: JsonObject): JsonObject => objectAt(mediaOf(operation['requestBody']).media, 'schema')
