// Reads JSON of unknown shape.
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
