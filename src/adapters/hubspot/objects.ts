// Objects of HubSpot as its API answers them, read and written by id or by a property whose values are unique.
import { Type, type Static } from 'typebox'
import { CrmRefused, CrmUnavailable } from '#ports/crm.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import { API_VERSION, type HubspotApi } from './api.ts'

const HubspotObject = Type.Object({
  id: Type.String({ pattern: '^\\d{1,20}$' }),
  properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  associations: Type.Optional(
    Type.Record(Type.String(), Type.Object({ results: Type.Array(Type.Object({ id: Type.String() })) })),
  ),
})
export type HubspotObject = Static<typeof HubspotObject>

const BatchAnswer = Type.Object({
  results: Type.Array(HubspotObject),
  errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
})

export type ObjectType = 'companies' | 'deals'
export type Properties = Record<string, string>
/** A property whose values are unique, and the value. */
export type Key = { property: string; value: string }

export const pathOf = (type: ObjectType): string => `/crm/objects/${API_VERSION}/${type}`

export function findObject(
  api: HubspotApi,
  type: ObjectType,
  { key, properties, associations }: { key: Key; properties: readonly string[]; associations?: ObjectType },
): Promise<HubspotObject | null> {
  const query = new URLSearchParams({ idProperty: key.property, properties: properties.join(',') })
  if (associations) query.set('associations', associations)
  const path = `${pathOf(type)}/${encodeURIComponent(key.value)}?${query.toString()}`
  return api.ask(HubspotObject, { method: 'GET', path })
}

/**
 * By id, or created unless an object has the key: HubSpot holds the property unique, so that two calls at once create
 * one.
 */
export async function saveObject(
  api: HubspotApi,
  type: ObjectType,
  { id, key, properties }: { id: string | null; key: Key; properties: Properties },
): Promise<HubspotObject> {
  if (id !== null) {
    const written = { ...properties, [key.property]: key.value }
    const path = `${pathOf(type)}/${encodeURIComponent(id)}`
    const saved = await api.ask(HubspotObject, { method: 'PATCH', path, body: { properties: written } })
    // Found a moment ago: the next attempt looks again.
    if (!saved) throw new CrmUnavailable(`${type} ${id} is not there any more`)
    return saved
  }
  const inputs = [{ idProperty: key.property, id: key.value, properties }]
  const answer = await api.ask(BatchAnswer, { method: 'POST', path: `${pathOf(type)}/batch/upsert`, body: { inputs } })
  const [saved] = answer?.results ?? []
  if (saved) return saved
  // A batch that fails in part is answered with 207.
  const message = answer?.errors?.map((error) => error.message).join('; ') ?? 'the batch had no result'
  throw new CrmRefused(oneLine(`${type}: ${message}`, 500))
}
