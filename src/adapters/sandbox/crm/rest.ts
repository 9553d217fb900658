// HubSpot's API of objects and of their properties (2026-09), as far as companies and deals go.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Change, ObjectType, Portal, PortalObject } from './portal.ts'

export type Call = { method: string; path: string; query: URLSearchParams; body: unknown }
/** `changes`: what has to be stored and announced. `hasNewProperty`: there is one more property. */
export type PortalAnswer = { status: number; body: unknown; changes?: Change[]; hasNewProperty?: boolean }

const Values = Type.Record(Type.String(), Type.String())
const Write = Type.Object({ properties: Values })
const Upsert = Type.Object({
  inputs: Type.Array(Type.Object({ id: Type.String(), idProperty: Type.String(), properties: Values })),
})
const Merge = Type.Object({ primaryObjectId: Type.String(), objectIdToMerge: Type.String() })
const NewProperty = Type.Object({ name: Type.String({ minLength: 1 }), hasUniqueValue: Type.Literal(true) })

const NOT_FOUND: PortalAnswer = { status: 404, body: { status: 'error', message: 'resource not found' } }
export const problem = (status: number, message: string): PortalAnswer => ({
  status,
  body: { status: 'error', message, correlationId: 'aeb5f871', category: 'VALIDATION_ERROR' },
})
const invalid = (message: string): PortalAnswer => problem(400, message)

export function answerPortal(portal: Portal, call: Call): PortalAnswer {
  const [, area, type, rest = ''] =
    /^\/crm\/(objects|properties)\/2026-09\/(companies|deals)(?:\/(.*))?$/.exec(call.path) ?? []
  if (type !== 'companies' && type !== 'deals') return NOT_FOUND
  if (area === 'properties') return ofProperties(portal, type, { call, name: decoded(rest) })
  if (rest === '') return call.method === 'POST' ? create(portal, type, call.body) : NOT_FOUND
  // What is new is not in the index yet.
  if (rest === 'search') return { status: 200, body: { total: 0, results: [] } }
  if (rest === 'batch/upsert') return upsert(portal, type, call.body)
  if (rest === 'merge' && type === 'companies') return merge(portal, call.body)
  const [id = '', kind, , , company = ''] = rest.split('/').map(decoded)
  if (kind === 'associations') return associate(portal, id, company)
  return kind === undefined ? ofObject(portal, type, { call, id }) : NOT_FOUND
}

/** What is no address of anything stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type OfObject = { call: Call; id: string }

function ofObject(portal: Portal, type: ObjectType, { call: { method, query, body }, id }: OfObject): PortalAnswer {
  const property = query.get('idProperty')
  if (property !== null && !portal.unique[type].has(property)) return invalid(`${property} has no unique values`)
  const one = property === null ? portal.living(type, id) : portal.withValue(type, property, id)
  if (!one) return NOT_FOUND
  if (method === 'GET') return { status: 200, body: shown(one) }
  if (method === 'DELETE') return { status: 204, body: undefined, changes: portal.archive(type, one.id) }
  if (method !== 'PATCH') return NOT_FOUND
  if (!Value.Check(Write, body)) return invalid('Invalid input JSON')
  const wrong = portal.problemIn(type, one.id, body.properties)
  if (wrong !== null) return invalid(wrong)
  const changes = portal.edit(type, one.id, body.properties)
  return { status: 200, body: shown(one), changes }
}

function create(portal: Portal, type: ObjectType, body: unknown): PortalAnswer {
  if (!Value.Check(Write, body)) return invalid('Invalid input JSON')
  const wrong = portal.problemIn(type, null, body.properties)
  if (wrong !== null) return invalid(wrong)
  const object = portal.add(type, body.properties)
  return { status: 201, body: shown(object), changes: [{ object, kind: 'creation' }] }
}

/** All of them or none. */
function upsert(portal: Portal, type: ObjectType, body: unknown): PortalAnswer {
  if (!Value.Check(Upsert, body)) return invalid('Invalid input JSON')
  const [results, changes]: [object[], Change[]] = [[], []]
  const inputs = body.inputs.map(({ id, idProperty, properties }) => {
    const values = { ...properties, [idProperty]: id }
    const known = portal.withValue(type, idProperty, id)
    return { known, values, wrong: portal.problemIn(type, known?.id ?? null, values) }
  })
  const [refused] = inputs.flatMap(({ wrong }) => wrong ?? [])
  if (refused !== undefined) return invalid(refused)
  for (const { known, values } of inputs) {
    const object = known ?? portal.add(type, values)
    changes.push(...(known ? portal.edit(type, known.id, values) : [{ object, kind: 'creation' } as const]))
    results.push({ ...shown(object), new: !known })
  }
  return { status: 200, body: { status: 'COMPLETE', results, startedAt: NOW, completedAt: NOW }, changes }
}

function merge(portal: Portal, body: unknown): PortalAnswer {
  if (!Value.Check(Merge, body)) return invalid('Invalid input JSON')
  const changes = portal.merge(body.primaryObjectId, body.objectIdToMerge)
  const [kept] = changes
  return kept ? { status: 200, body: shown(kept.object), changes } : NOT_FOUND
}

function associate(portal: Portal, dealId: string, companyId: string): PortalAnswer {
  const [deal, company] = [portal.living('deals', dealId), portal.living('companies', companyId)]
  if (!deal || !company) return NOT_FOUND
  const body = { status: 'COMPLETE', results: [] }
  if (deal.companies.includes(company.id)) return { status: 200, body }
  deal.companies.push(company.id)
  const ends = { fromObjectId: Number(deal.id), toObjectId: Number(company.id) }
  const more = { objectId: undefined, associationType: 'DEAL_TO_COMPANY', associationRemoved: false, ...ends }
  return { status: 200, body, changes: [{ object: deal, kind: 'associationChange', more }] }
}

type OfProperty = { call: Call; name: string }

/** Those that HubSpot has itself have values that are not unique. Only others are made here. */
function ofProperties({ unique, isProperty }: Portal, type: ObjectType, { call, name }: OfProperty): PortalAnswer {
  if (call.method === 'GET') {
    if (!isProperty(type, name)) return NOT_FOUND
    return { status: 200, body: { name, hasUniqueValue: unique[type].has(name) } }
  }
  if (!Value.Check(NewProperty, call.body)) return invalid('Invalid input JSON')
  if (isProperty(type, call.body.name)) return problem(409, `A property named ${call.body.name} exists already`)
  unique[type].add(call.body.name)
  return { status: 201, body: { name: call.body.name, hasUniqueValue: true }, hasNewProperty: true }
}

const NOW = '2026-11-20T12:00:00.000Z'

const shown = ({ id, properties: values, companies }: PortalObject) => ({
  id,
  properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value])),
  createdAt: NOW,
  updatedAt: NOW,
  archived: false,
  associations: { companies: { results: companies.map((company) => ({ id: company, type: 'deal_to_company' })) } },
})
