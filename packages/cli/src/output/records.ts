// Records as an answer has them, and the texts of their fields.
export type Json = Record<string, unknown>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `customer.name` is a field of a field. */
export function at(record: unknown, path: string): unknown {
  if (!isRecord(record)) return undefined
  if (path in record) return record[path]
  const [first = '', ...rest] = path.split('.')
  return rest.length > 0 ? at(record[first], rest.join('.')) : undefined
}

/** Nothing, or something without anything in it. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

export function textOf(value: unknown): string {
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** Of what is no record of a list: a number, a text. */
export const asRecord = (value: unknown): Json => (isRecord(value) ? value : { value })

/** The fields of records by their first appearance; those of an object by the object's name before them. */
export function fieldsIn(records: readonly Json[]): string[] {
  const names = new Set<string>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      const members = isRecord(value) ? Object.keys(value) : []
      if (members.length === 0) names.add(name)
      for (const member of members) names.add(`${name}.${member}`)
    }
  return [...names]
}
