// Reads the generated OpenAPI document.
import { isObject, type Json, type JsonObject, objectAt } from '#kernel/values/json.ts'

/** An object with properties, or a map with bounds, which becomes a component of its own. */
export const isRecord = (schema: Json | undefined): schema is JsonObject =>
  isObject(schema) && ('propertyNames' in schema || Object.keys(objectAt(schema, 'properties')).length > 0)

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
