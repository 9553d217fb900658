// The records of the stand-in's portal, with the rules of HubSpot's API of objects: unknown properties and a value of a
// unique property that another object has are 400, archived objects 404, and the id of a merged one leads to what it became.

export type Refusal = { status: number; body: unknown }
export type Stored = {
  id: string
  properties: Record<string, string>
  companies: Set<string>
  isArchived: boolean
  mergedInto: string | null
}
type Type = 'companies' | 'deals'

export type HubspotStore = {
  companies: Map<string, Stored>
  deals: Map<string, Stored>
  /** Type → the properties with unique values. */
  unique: Record<Type, Set<string>>
  /** As a salesperson does it. */
  add: (type: Type, properties: Record<string, string>) => Stored
  edit: (type: Type, id: string, properties: Record<string, string>) => void
  archive: (type: Type, id: string, isArchived?: boolean) => void
  /** The second becomes a part of the first, which keeps its values and gets what it lacks. */
  merge: (primary: string, secondary: string) => void
  answer: (method: string, url: URL, body: unknown) => Refusal
}

const NATIVE: Record<Type, readonly string[]> = {
  companies: ['name', 'phone', 'website', 'city', 'state', 'country'],
  deals: ['dealname', 'amount', 'deal_currency_code', 'closedate', 'pipeline', 'dealstage'],
}

export function hubspotStore(): HubspotStore {
  let next = 9_000_000_001
  const objects: Record<Type, Map<string, Stored>> = { companies: new Map(), deals: new Map() }
  const unique: HubspotStore['unique'] = {
    companies: new Set(['titular_organization_id', 'cnpj']),
    deals: new Set(['titular_quote_id']),
  }
  const living = (type: Type, id: string): Stored | undefined => {
    const one = objects[type].get(id)
    if (one?.mergedInto) return living(type, one.mergedInto)
    return one && !one.isArchived ? one : undefined
  }
  const withValue = (type: Type, property: string, value: string) =>
    [...objects[type].values()].find(
      (one) => !one.isArchived && one.mergedInto === null && one.properties[property] === value,
    )
  const problemIn = (type: Type, id: string | null, properties: Record<string, string>): string | null => {
    for (const [name, value] of Object.entries(properties)) {
      if (typeof value !== 'string') return `Property "${name}" is no string`
      if (!NATIVE[type].includes(name) && !unique[type].has(name)) return `Property "${name}" does not exist`
      const holder = unique[type].has(name) && value !== '' ? withValue(type, name, value) : undefined
      if (holder && holder.id !== id) return `${name}: ${value} is already used by ${holder.id}`
    }
    return null
  }
  const add = (type: Type, properties: Record<string, string>): Stored => {
    const id = String(next++)
    const made = { id, properties, companies: new Set<string>(), isArchived: false, mergedInto: null }
    objects[type].set(id, made)
    return made
  }
  const at = { objects, unique, living, withValue, problemIn, add }
  return {
    ...objects,
    unique,
    add,
    edit: (type, id, properties) => void Object.assign(living(type, id)?.properties ?? {}, properties),
    archive: (type, id, isArchived = true) => {
      const one = objects[type].get(id)
      if (one) one.isArchived = isArchived
    },
    merge: (primary, secondary) => {
      const [kept, gone] = [objects.companies.get(primary), objects.companies.get(secondary)]
      if (!kept || !gone) throw new Error('no such companies')
      gone.mergedInto = primary
      for (const [name, value] of Object.entries(gone.properties)) kept.properties[name] ||= value
    },
    answer: (method, url, body) => answer(at, `${method} ${url.pathname}`, url.searchParams, body),
  }
}

type At = {
  objects: Record<Type, Map<string, Stored>>
  unique: HubspotStore['unique']
  living: (type: Type, id: string) => Stored | undefined
  withValue: (type: Type, property: string, value: string) => Stored | undefined
  problemIn: (type: Type, id: string | null, properties: Record<string, string>) => string | null
  add: (type: Type, properties: Record<string, string>) => Stored
}
type Body = {
  properties?: Record<string, string>
  inputs?: { id: string; idProperty: string; properties: Record<string, string> }[]
  name?: string
  hasUniqueValue?: boolean
}

const NOT_FOUND: Refusal = { status: 404, body: { status: 'error', message: 'resource not found' } }
const invalid = (message: string): Refusal => ({
  status: 400,
  body: { status: 'error', message, correlationId: 'aeb5f871', category: 'VALIDATION_ERROR' },
})

function answer(at: At, call: string, query: URLSearchParams, given: unknown): Refusal {
  const body = (given ?? {}) as Body
  const [, method, type, rest = ''] =
    /^(\w+) \/crm\/objects\/2026-09\/(companies|deals)\/(.+)$/.exec(call) ?? ([] as string[])
  if (type !== 'companies' && type !== 'deals') return aboutProperty(at, call, body)
  // What is new is not in the index yet.
  if (rest === 'search') return { status: 200, body: { total: 0, results: [] } }
  if (rest === 'batch/upsert') return upsert(at, type, body)
  const [id = '', kind, , , company = ''] = rest.split('/').map(decodeURIComponent)
  if (kind === 'associations') {
    const deal = at.living('deals', id)
    const target = at.living('companies', company)
    if (!deal || !target) return NOT_FOUND
    deal.companies.add(target.id)
    return { status: 200, body: { status: 'COMPLETE', results: [] } }
  }
  const property = query.get('idProperty')
  if (property && !at.unique[type].has(property)) return invalid(`${property} has no unique values`)
  const one = property ? at.withValue(type, property, id) : at.living(type, id)
  if (!one) return NOT_FOUND
  if (method === 'PATCH') {
    const problem = at.problemIn(type, one.id, body.properties ?? {})
    if (problem !== null) return invalid(problem)
    Object.assign(one.properties, body.properties)
  }
  return { status: 200, body: shown(one) }
}

function upsert(at: At, type: Type, { inputs = [] }: Body): Refusal {
  const results = []
  for (const { id, idProperty, properties: given } of inputs) {
    const known = at.withValue(type, idProperty, id)
    const values = { ...given, [idProperty]: id }
    const problem = at.problemIn(type, known?.id ?? null, values)
    if (problem !== null) return invalid(problem)
    const one = known ?? at.add(type, {})
    Object.assign(one.properties, values)
    results.push({ ...shown(one), new: !known })
  }
  return { status: 200, body: { status: 'COMPLETE', results, startedAt: NOW, completedAt: NOW } }
}

function aboutProperty({ unique }: At, call: string, { name = '', hasUniqueValue = false }: Body): Refusal {
  const [, method, type, named = ''] =
    /^(\w+) \/crm\/properties\/2026-09\/(companies|deals)\/?(.*)$/.exec(call) ?? ([] as string[])
  if (type !== 'companies' && type !== 'deals') return NOT_FOUND
  if (method === 'POST') {
    if (hasUniqueValue) unique[type].add(name)
    return { status: 201, body: { name, hasUniqueValue } }
  }
  if (unique[type].has(named)) return { status: 200, body: { name: named, hasUniqueValue: true } }
  return NATIVE[type].includes(named) ? { status: 200, body: { name: named, hasUniqueValue: false } } : NOT_FOUND
}

const NOW = '2026-11-20T12:00:00.000Z'

const shown = ({ id, properties: values, companies }: Stored) => ({
  id,
  properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value])),
  createdAt: NOW,
  updatedAt: NOW,
  archived: false,
  associations: { companies: { results: [...companies].map((company) => ({ id: company, type: 'deal_to_company' })) } },
})
