// The records of a preview: one for all that was written about a record, from its events and audit entries.
import { isDeepStrictEqual } from 'node:util'
import type { PreviewedRecord } from './preview.ts'

type Fields = Record<string, unknown>
export type WrittenEvent = { type: string; resource: string; resource_id: number; data: Fields }
export type WrittenEntry = {
  action: string
  resource: string
  resource_id: number
  before: Fields | null
  after: Fields | null
}

/** The fields of the event's record that the caller may see, `all` of them, or null when the event itself is hidden. */
export type Visibility = (event: WrittenEvent) => readonly string[] | 'all' | null

type WrittenPair = { event: WrittenEvent; entry: WrittenEntry }
type IsNew = (resource: string | null, id: number | null) => boolean

export function recordsOf(
  events: readonly WrittenEvent[],
  entries: readonly WrittenEntry[],
  visible: Visibility,
): { records: PreviewedRecord[]; isNew: IsNew } {
  const written = paired(events, entries)
  const created = new Set(written.filter(({ entry }) => entry.before === null).map(({ event }) => keyOf(event)))
  const isNew: IsNew = (resource, id) => created.has(keyOf({ resource, resource_id: id }))
  const byRecord = new Map<string, WrittenPair[]>()
  for (const one of written) {
    const fields = visible(one.event)
    if (fields === null) continue
    const shown = fields === 'all' ? one : { ...one, entry: onlyFields(one.entry, fields) }
    byRecord.set(keyOf(one.event), [...(byRecord.get(keyOf(one.event)) ?? []), shown])
  }
  return { records: [...byRecord.values()].flatMap((of) => recordOf(of, isNew) ?? []), isNew }
}

const keyOf = ({ resource, resource_id }: { resource: string | null; resource_id: number | null }): string =>
  `${resource}:${resource_id}`

const actionOf = (type: string): string => type.slice(type.lastIndexOf('/') + 1)

/** Each change writes one of both, in the same order. */
function paired(events: readonly WrittenEvent[], entries: readonly WrittenEntry[]): WrittenPair[] {
  const left = [...entries]
  return events.flatMap((event) => {
    const at = left.findIndex((one) => keyOf(one) === keyOf(event) && one.action === actionOf(event.type))
    const [entry] = at < 0 ? [] : left.splice(at, 1)
    return entry ? [{ event, entry }] : []
  })
}

function onlyFields(entry: WrittenEntry, fields: readonly string[]): WrittenEntry {
  const only = (side: Fields | null) =>
    side && Object.fromEntries(Object.entries(side).filter(([name]) => fields.includes(name)))
  return { ...entry, before: only(entry.before), after: only(entry.after) }
}

/** Null when nothing differs in the end. */
function recordOf(written: readonly WrittenPair[], isNew: IsNew): PreviewedRecord | null {
  const [first] = written
  const last = written.at(-1)
  if (!first || !last) return null
  const { resource, resource_id: id, data } = last.event
  const isCreated = isNew(resource, id)
  const isRemoved = last.entry.after === null
  const before: Fields = Object.assign({}, ...written.map(({ entry }) => entry.before).toReversed())
  const after: Fields = Object.assign({}, ...written.map(({ entry }) => entry.after))
  if (!isCreated && !isRemoved)
    for (const name of Object.keys(after))
      if (isDeepStrictEqual(before[name], after[name])) {
        delete before[name]
        delete after[name]
      }
  if (isCreated) for (const name of ONLY_THEN) delete after[name]
  if (Object.keys(after).length === 0 && !isRemoved) return null
  return {
    resource,
    resource_id: isCreated ? null : id,
    reference: isCreated ? null : referenceIn(data),
    events: written.map(({ event }) => actionOf(event.type)),
    before: isCreated ? null : before,
    after: isRemoved ? null : withoutNewIds(after, isNew),
  }
}

/** Known only when the record is really made. */
const ONLY_THEN = ['id', 'number', 'created_at']

const referenceIn = (data: Fields): string | null =>
  ['number', 'nfse_number', 'code', 'entitlement_code', 'name', 'title']
    .map((name) => data[name])
    .find((value) => typeof value === 'string') ?? null

/** A record that would be made has no id that others could name. */
const withoutNewIds = (fields: Fields, isNew: IsNew): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      name.endsWith('_id') && typeof value === 'number' && isNew(name.slice(0, -'_id'.length), value) ? null : value,
    ]),
  )
