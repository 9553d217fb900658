// Reads JSON of unknown shape: the generated OpenAPI document.
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

/** None of what is no object. */
export const membersOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])

/** An object with properties, which becomes a component of its own. */
export const isRecord = (schema: Json | undefined): schema is JsonObject =>
  Object.keys(objectAt(schema, 'properties')).length > 0

/** The only content type of a body or an answer, and its description. */
export function mediaOf(value: Json | undefined): { type: string; media: JsonObject } {
  const content = objectAt(value, 'content')
  const [type = 'application/json'] = Object.keys(content)
  return { type, media: objectAt(content, type) }
}

export type Operation = { path: string; method: string; operation: JsonObject }

export const envelopeIn = (response: Json | undefined): JsonObject =>
  objectAt(objectAt(objectAt(response, 'content'), 'application/json'), 'schema')
export const bodyOf = (operation: JsonObject): JsonObject => objectAt(mediaOf(operation['requestBody']).media, 'schema')
