// The example of each record in openapi.json, as the running demo answers it. `npm run examples` keeps those that still
// fit their schema, so that the file changes only where a record does.
import { isObject, type Json, type JsonObject, objectAt, textAt } from '#kernel/values/json.ts'

export type Examples = Record<string, JsonObject>
type Component = { name: string; isList: boolean }
type Operation = { path: string; method: string; operation: JsonObject; component: Component }
type Caller = { token: string; organization: string }

const WORTH_TRYING = 12
const LONGEST_TEXT = 200

export const resolved = (document: JsonObject, value: Json | undefined): JsonObject => {
  if (!isObject(value)) return {}
  const reference = textAt(value, '$ref')
  if (reference === '') return value
  return reference.split('/').slice(1).reduce<JsonObject>(objectAt, document)
}

/** The component that the answer of an operation has as its data, or as the items of it. */
export function componentOf(document: JsonObject, operation: JsonObject): Component | null {
  const success = Object.entries(objectAt(operation, 'responses')).findLast(([status]) => status < '300')?.[1]
  const schema = objectAt(objectAt(objectAt(resolved(document, success), 'content'), 'application/json'), 'schema')
  const own = Array.isArray(schema['allOf']) ? schema['allOf'][1] : undefined
  const data = objectAt(objectAt(own, 'properties'), 'data')
  const one = Array.isArray(data['anyOf']) ? data['anyOf'][0] : data
  const item = objectAt(one, 'items')
  if (textAt(item, '$ref')) return { name: nameIn(item), isList: true }
  return isObject(one) && textAt(one, '$ref') ? { name: nameIn(one), isList: false } : null
}

const nameIn = (reference: JsonObject): string => textAt(reference, '$ref').split('/').at(-1) ?? ''

export function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      const component = isObject(operation) ? componentOf(document, operation) : null
      return isObject(operation) && component ? [{ path, method, operation, component }] : []
    }),
  )
}

/** Whether an example still has just the fields of its schema, of their types. */
export function fits(document: JsonObject, schema: Json | undefined, value: Json | undefined): boolean {
  const { anyOf, type, properties, items, required, enum: values } = merged(document, schema)
  if (value === undefined) return false
  if (Array.isArray(anyOf)) return anyOf.some((one) => fits(document, one, value))
  if (Array.isArray(values) && !values.includes(value)) return false
  const types = [type ?? []].flat()
  if (types.length > 0 && !types.some((one) => isOf(one, value))) return false
  if (Array.isArray(value)) return value.every((one) => items === undefined || fits(document, items, one))
  if (!isObject(value) || !isObject(properties)) return true
  const needed = Array.isArray(required) ? required : []
  return (
    needed.every((name) => typeof name === 'string' && name in value) &&
    Object.entries(value).every(([name, one]) => name in properties && fits(document, properties[name], one))
  )
}

/** A schema that names another one in `allOf`, with the fields of both. */
function merged(document: JsonObject, schema: Json | undefined): JsonObject {
  const { allOf, ...own } = resolved(document, schema)
  if (!Array.isArray(allOf)) return own
  const parts = allOf.map((one) => merged(document, one))
  const required = parts.flatMap((one) => (Array.isArray(one['required']) ? one['required'] : []))
  return { ...own, required, properties: Object.assign({}, ...parts.map((one) => objectAt(one, 'properties'))) }
}

const isOf = (type: Json, value: Json): boolean => {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** Of a running service with the demo and without limits of requests. `kept`: the examples that are there. */
export async function examplesOf(url: string, password: string, kept: Examples): Promise<Examples> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as JsonObject
  const schemas = objectAt(objectAt(document, 'components'), 'schemas')
  const callers: Caller[] = []
  for (const [email, organization] of [
    ['staff@titular.example', '1'],
    ['ana@padaria.example', '1'],
    ['staff@titular.example', '2'],
  ] as const) {
    const answer = await send(`${url}/api/v1/auth/login`, 'POST', {}, { email, password })
    callers.push({ token: textAt(objectAt(answer, 'data'), 'access_token'), organization })
  }
  const found: Examples = {}
  const offer = (name: string, value: Json): void => {
    if (!isObject(value)) return
    const example = shortened(value)
    const present = found[name]
    if (fits(document, schemas[name], example) && (!present || worth(example) > worth(present))) found[name] = example
  }
  const tour = createTour(url, document, callers)
  await tour.reads(offer)
  await tour.writes(offer, (name) => name in found)
  await tour.reads(offer)
  const names = [...new Set(operationsOf(document).map(({ component }) => component.name))].toSorted()
  return Object.fromEntries(
    names.flatMap((name): [string, JsonObject][] => {
      const example = fits(document, schemas[name], kept[name]) ? kept[name] : found[name]
      return example ? [[name, example]] : []
    }),
  )
}

async function send(url: string, method: string, headers: Record<string, string>, body?: Json): Promise<JsonObject> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers: { ...headers, ...type }, ...sent })
  const isRead = response.ok && (response.headers.get('content-type') ?? '').includes('application/json')
  if (isRead) return (await response.json()) as JsonObject
  await response.body?.cancel()
  return {}
}

/** The more of its fields are filled, the better; the longer, the worse. */
function worth(value: Json): number {
  const leaves = leavesOf(value)
  const filled = leaves.filter((one) => one !== null && one !== '').length
  return filled / Math.max(1, leaves.length) - JSON.stringify(value).length / 5000
}

const leavesOf = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

/** At most two items of a list, and the beginning of a long text. */
function shortened<Value extends Json>(value: Value): Value
function shortened(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
  return typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT - 1)}…` : value
}

const exampleOf = (parameter: JsonObject): string => {
  const { examples } = objectAt(parameter, 'schema')
  const value = parameter['example'] ?? (Array.isArray(examples) ? examples[0] : undefined)
  return typeof value === 'string' ? value : JSON.stringify(value ?? 1)
}
const rankOf = ({ path }: Operation): number => path.split('/').length + (path.includes('{') ? 10 : 0)

const headersOf = ({ token, organization }: Caller) => ({
  authorization: `Bearer ${token}`,
  'x-service-organization': organization,
})

type Offer = (component: string, value: Json) => void

function createTour(url: string, document: JsonObject, callers: readonly Caller[]) {
  const answers = new Map<string, Promise<JsonObject>>()
  const operations = operationsOf(document)
  const read = (path: string, caller: Caller): Promise<JsonObject> => {
    const key = `${caller.token} ${caller.organization} ${path}`
    const answer = answers.get(key) ?? send(`${url}/api/v1${path}`, 'GET', headersOf(caller))
    answers.set(key, answer)
    return answer
  }
  const parametersOf = (operation: JsonObject): JsonObject[] => {
    const { parameters } = operation
    return Array.isArray(parameters) ? parameters.map((one) => resolved(document, one)) : []
  }
  /** The addresses of records that the lists above them have. */
  async function addressesOf({ path, operation }: Operation): Promise<string[]> {
    let found = ['']
    const segments = path.split('/').slice(1)
    for (const [index, segment] of segments.entries()) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1]
      if (name === undefined) found = found.map((one) => `${one}/${segment}`)
      else {
        const isListed = 'get' in objectAt(objectAt(document, 'paths'), `/${segments.slice(0, index).join('/')}`)
        const listed = isListed ? await Promise.all(found.map((one) => listedAt(one, name))) : []
        const example = parametersOf(operation).find((one) => one['name'] === name) ?? {}
        const ends = listed.flat().length > 0 ? listed.flat() : found.map((one) => `${one}/${exampleOf(example)}`)
        found = [...new Set(ends)].slice(0, WORTH_TRYING)
      }
    }
    return found
  }
  async function listedAt(path: string, name: string): Promise<string[]> {
    const lists = await Promise.all(callers.map((caller) => read(path, caller)))
    const items = lists.flatMap(({ data }) => (Array.isArray(data) ? data.filter(isObject) : []))
    return items.map((item) => {
      const id = item[name] ?? item[name.replace(/_id$/, '')] ?? item['id'] ?? item['key']
      return `${path}/${encodeURIComponent(typeof id === 'string' ? id : JSON.stringify(id))}`
    })
  }

  async function reads(offer: Offer): Promise<void> {
    answers.clear()
    for (const one of operations.filter(({ method }) => method === 'get')) {
      const needed = parametersOf(one.operation).filter(({ in: at, required }) => at === 'query' && required === true)
      const query = needed.map((parameter) => `${textAt(parameter, 'name')}=${exampleOf(parameter)}`).join('&')
      for (const address of await addressesOf(one))
        for (const caller of callers) {
          const { data = null } = await read(query ? `${address}?${query}` : address, caller)
          for (const value of one.component.isList && Array.isArray(data) ? data : [data])
            offer(one.component.name, value)
        }
    }
  }
  /** Those whose answers no read has, with the examples of their bodies; records that are new first. */
  async function writes(offer: Offer, isKnown: (component: string) => boolean): Promise<void> {
    const others = operations.filter(({ method }) => method !== 'get').toSorted((a, b) => rankOf(a) - rankOf(b))
    for (const one of others) {
      const { component, method, operation } = one
      const body = objectAt(objectAt(operation['requestBody'], 'content'), 'application/json')['example']
      const isOpen = Array.isArray(operation['security']) && operation['security'].length === 0
      for (const address of await addressesOf(one))
        for (const caller of callers) {
          if (isKnown(component.name)) continue
          const headers = isOpen ? {} : headersOf(caller)
          const { data = null } = await send(`${url}/api/v1${address}`, method.toUpperCase(), headers, body)
          offer(component.name, data)
        }
    }
  }
  return { reads, writes }
}
