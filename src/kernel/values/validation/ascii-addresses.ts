// Brings the addresses in a value into the form in which they are kept, before the value is validated.
import type { TSchema } from 'typebox'
import { asciiMailAddress, asciiUrl } from '#kernel/values/internet-addresses.ts'

type Shape = TSchema & { format?: string; properties?: Record<string, Shape>; items?: Shape; anyOf?: Shape[] }
type Change = (value: unknown) => unknown

const FORMATS: Readonly<Record<string, (text: string) => string>> = { email: asciiMailAddress, uri: asciiUrl }

/** Gives the value itself where nothing is to be changed. */
export const asciiAddressesIn = <Value>(schema: TSchema | undefined): ((value: Value) => Value) => {
  const change = schema ? changeOf(schema) : null
  return (value) => (change ? (change(value) as Value) : value)
}

/** Null if the schema has no addresses. */
function changeOf({ format, properties = {}, items, anyOf = [] }: Shape): Change | null {
  const convert = format === undefined ? undefined : FORMATS[format]
  const ofItem = items ? changeOf(items) : null
  const members = Object.entries(properties).flatMap(([name, one]) => {
    const change = changeOf(one)
    return change ? [{ name, change }] : []
  })
  const changes: Change[] = [
    ...(convert ? [(value: unknown) => (typeof value === 'string' ? convert(value) : value)] : []),
    ...(ofItem ? [(value: unknown) => (Array.isArray(value) ? value.map(ofItem) : value)] : []),
    ...(members.length > 0 ? [(value: unknown) => withMembers(value, members)] : []),
    ...anyOf.flatMap((one) => changeOf(one) ?? []),
  ]
  return changes.length > 0 ? (value) => changes.reduce((now, change) => change(now), value) : null
}

function withMembers(value: unknown, members: readonly { name: string; change: Change }[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const given = value as Record<string, unknown>
  const changed = members.flatMap(({ name, change }) => {
    const after = Object.hasOwn(given, name) ? change(given[name]) : undefined
    return after === undefined || after === given[name] ? [] : [[name, after] as const]
  })
  return changed.length > 0 ? { ...given, ...Object.fromEntries(changed) } : value
}
