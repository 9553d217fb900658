// The cursor of a list: the place of the last record that a client has, signed together with what it has asked for.
import { derive, isEqual, type SecretKey } from '#kernel/keys/secrets.ts'

/** Instead of a cursor, to begin with. */
export const FIRST = 'first'

/** The value that the list is sorted by, as text (null when it has none), and the id. */
export type Position = { key: string | null; id: number }

/** Parameters that do not decide which records the list has, or in which order. */
const NOT_BOUND = ['cursor', 'page', 'per_page', 'count', 'fields', 'expand']

/** The list with its filters and its order; `organizationId` is null for lists over all organizations. */
export type AskedList = { path: string; organizationId: number | null; params: object; query: object }

function signature(secretKey: SecretKey, { path, organizationId, params, query }: AskedList, position: string): string {
  const filters = Object.entries(query).filter(([name]) => !NOT_BOUND.includes(name))
  const asked = JSON.stringify([organizationId, Object.entries(params).toSorted(byName), filters.toSorted(byName)])
  return derive(secretKey, 'list-cursor', path, asked, position).subarray(0, 12).toString('base64url')
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

export function cursorAt(secretKey: SecretKey, asked: AskedList, { key, id }: Position): string {
  const position = Buffer.from(JSON.stringify([id, key])).toString('base64url')
  return `${position}.${signature(secretKey, asked, position)}`
}

/** Whether the service made it for this list, with these filters and in this order. */
export function isCursorOf(secretKey: SecretKey, asked: AskedList, cursor: string): boolean {
  if (cursor === FIRST) return true
  const [position = '', signed = ''] = cursor.split('.')
  return cursor === `${position}.${signed}` && isEqual(signed, signature(secretKey, asked, position))
}

/** Null for the beginning. Only of a cursor that `isCursorOf` has accepted. */
export function positionOf(cursor: string): Position | null {
  if (cursor === FIRST) return null
  const [position = ''] = cursor.split('.')
  const [id, key] = JSON.parse(Buffer.from(position, 'base64url').toString()) as [number, string | null]
  return { key, id }
}
