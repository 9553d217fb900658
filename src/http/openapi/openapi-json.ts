// Reads JSON of unknown shape: the generated OpenAPI document.
import { MARKS } from '#http/serialize.ts'

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

/** The last one, since the preview of a dry run comes with 200 before an answer of its own status. */
const successOf = (operation: JsonObject): Json | undefined =>
  Object.entries(objectAt(operation, 'responses')).findLast(([status]) => status < '400')?.[1]
export const envelopeIn = (response: Json | undefined): JsonObject =>
  objectAt(objectAt(objectAt(response, 'content'), 'application/json'), 'schema')
export const dataOf = (operation: JsonObject): Json | undefined =>
  alternativesIn(successOf(operation)).find((one) => markOf(one) === undefined)
/** What the operation may answer instead, with the mark by which it is told. */
export function insteadOf(operation: JsonObject): { mark: string; schema: JsonObject } | undefined {
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

export const bodyOf = (operation: JsonObject): JsonObject => objectAt(mediaOf(operation['requestBody']).media, 'schema')
