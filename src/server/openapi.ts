// The generated document made pleasant: paths below the server's address, tags in the order of the areas, one component
// for each failure, each record and each body. It changes how things are said, never what.
import { ERROR_CODES, ERRORS } from '#kernel/errors.ts'
import { exampleOf } from './openapi-examples.ts'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export type Tag = { name: string; description: string }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectAt = (value: Json | undefined, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

const textAt = (value: JsonObject, name: string): string => {
  const found = value[name]
  return typeof found === 'string' ? found : ''
}

export function pleasant(document: JsonObject, basePath: string, tags: readonly Tag[]): JsonObject {
  const names = createNames()
  const operations = operationsOf(document, basePath)
  // Details first: they name the record, whichever route is declared before them.
  for (const one of operations.toSorted((a, b) => rank(a) - rank(b))) names.collect(one)
  const paths: JsonObject = {}
  const used = new Set<Json>()
  for (const { path, method, operation } of operations) {
    for (const tag of Array.isArray(operation['tags']) ? operation['tags'] : []) used.add(tag)
    paths[path] = { ...objectAt(paths, path), [method]: names.replaced(operation) }
  }
  const known = tags.filter(({ name }) => used.has(name))
  const others = [...used].filter((name) => !tags.some((tag) => tag.name === name))
  return {
    ...document,
    servers: [{ url: basePath, description: 'This service' }],
    tags: [...known, ...others.map((name) => ({ name }))],
    paths,
    components: {
      securitySchemes: objectAt(document['components'], 'securitySchemes'),
      schemas: typed({ ...names.schemas(), Failure: failureOf(document), PageMeta: PAGE_META }),
      responses: failures(),
    },
  }
}

type Operation = { path: string; method: string; operation: JsonObject }

function operationsOf(document: JsonObject, basePath: string): Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path: path.replace(basePath, ''), method, operation }] : [],
    ),
  )
}

const isDetail = ({ path, method }: Operation): boolean => method === 'get' && path.endsWith('}')
const isNested = ({ path }: Operation): boolean => path.split('/').length > 3
/** `/quotes/{id}` names the quote before any list does, and lists before what else shows one. */
const rank = (one: Operation): number =>
  isDetail(one) ? (isNested(one) ? 1 : 0) : one.method === 'get' ? (isNested(one) ? 3 : 2) : 4

/** What no path says. */
const NAMES: Readonly<Record<string, string>> = {
  postAuthRegister: 'Tokens',
  getAuthMe: 'Me',
  getAuthSession: 'Session',
  getEntitlementsByIdLineage: 'Lineage',
  getQuotesByIdPayment: 'QuotePayment',
}

function createNames() {
  const byShape = new Map<string, string>()
  const taken = new Map<string, Json>()

  function give(schema: JsonObject, wanted: string): void {
    const shape = JSON.stringify(schema)
    if (byShape.has(shape)) return
    let name = typeof schema['title'] === 'string' ? schema['title'] : wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
    byShape.set(shape, name)
    taken.set(name, schema)
  }
  function reference(schema: Json | undefined): Json {
    const name = byShape.get(JSON.stringify(schema))
    return name === undefined ? (schema ?? {}) : { $ref: `#/components/schemas/${name}` }
  }
  return {
    collect(one: Operation): void {
      const data = dataOf(one.operation)
      const id = textAt(one.operation, 'operationId')
      const record = recordOf(one.path)
      if (isObject(data)) {
        const item = isObject(data['items']) ? data['items'] : undefined
        if (item && isRecord(item)) give(item, taken.has(record) ? `${record}ListItem` : record)
        else if (isRecord(data)) give(data, NAMES[id] ?? (isDetail(one) ? record : `${pascal(id)}Data`))
      }
      const body = bodyOf(one.operation)
      if (isRecord(body)) give(body, `${pascal(id)}Body`)
    },
    replaced: (operation: JsonObject): JsonObject => replaced(operation, reference),
    schemas: (): JsonObject => Object.fromEntries(taken),
  }
}

const PAGE_META: Json = {
  type: 'object',
  description: 'Which part of the list this is',
  required: ['page', 'per_page', 'total', 'pages'],
  properties: Object.fromEntries(
    [['page', 1] as const, ['per_page', 20] as const, ['total', 42] as const, ['pages', 3] as const].map(
      ([name, example]) => [name, { type: 'integer', examples: [example] }],
    ),
  ),
}

const isRecord = (schema: Json): boolean => Object.keys(objectAt(schema, 'properties')).length > 0

const successOf = (operation: JsonObject): [string, Json] | undefined =>
  Object.entries(objectAt(operation, 'responses')).find(([status]) => status < '400')
const envelopeOf = (operation: JsonObject): JsonObject =>
  objectAt(objectAt(objectAt(successOf(operation)?.[1], 'content'), 'application/json'), 'schema')
const dataOf = (operation: JsonObject): Json | undefined => objectAt(envelopeOf(operation), 'properties')['data']
const bodyOf = (operation: JsonObject): JsonObject =>
  objectAt(objectAt(objectAt(operation['requestBody'], 'content'), 'application/json'), 'schema')

function replaced(operation: JsonObject, reference: (schema: Json | undefined) => Json): JsonObject {
  const result: JsonObject = { ...operation, responses: responsesOf(operation, reference) }
  if (Array.isArray(operation['parameters'])) result['parameters'] = operation['parameters'].map(typed)
  if (!isObject(operation['requestBody'])) return result
  const media = objectAt(objectAt(operation['requestBody'], 'content'), 'application/json')
  const schema = objectAt(media, 'schema')
  const needed = Array.isArray(schema['required']) && schema['required'].length > 0
  // A body whose fields are all optional may be left out.
  const content = { 'application/json': { ...media, schema: typed(reference(schema)) } }
  return { ...result, requestBody: { required: needed, content } }
}

function responsesOf(operation: JsonObject, reference: (schema: Json | undefined) => Json): JsonObject {
  const statuses = Object.entries(objectAt(operation, 'responses')).map(([status, response]): [string, Json] => {
    if (status >= '400') return [status, { $ref: `#/components/responses/${nameOfStatus(Number(status))}` }]
    if (isFile(response)) return [status, response]
    const envelope = envelopeOf(operation)
    const properties = objectAt(envelope, 'properties')
    const data = isObject(properties['data']) ? properties['data'] : {}
    const items = isObject(data['items'])
    const schema = typed({
      ...envelope,
      properties: {
        ...properties,
        data: items ? { ...data, items: reference(data['items']) } : reference(data),
        ...(items && isRecord(properties['meta'] ?? null) && { meta: { $ref: '#/components/schemas/PageMeta' } }),
      },
    })
    const example = exampleOf(envelope)
    const description = isObject(response) ? (response['description'] ?? '') : ''
    return [status, { description, content: { 'application/json': { schema, example } } }]
  })
  return Object.fromEntries(statuses)
}

/** A success that is no envelope. */
const isFile = (response: Json): boolean =>
  Object.keys(objectAt(response, 'content')).some((type) => type !== 'application/json')

const nameOfStatus = (status: number): string =>
  pascal((ERROR_CODES.find((code) => ERRORS[code].status === status) ?? 'INTERNAL_ERROR').toLowerCase())

const EXTRA: Partial<Record<string, JsonObject>> = {
  VALIDATION_ERROR: { fields: { name: 'is required' } },
  INTERNAL_ERROR: { detail: '6d4f2c1e-0a57-4a0e-9d3c-2f8b7a1e5c90' },
}

const RETRY: Json = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', examples: [2] } },
}

function failures(): JsonObject {
  const schema = { $ref: '#/components/schemas/Failure' }
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { status, message } = ERRORS[code]
      const errors = { code, ...EXTRA[code] }
      const example = { success: false, data: null, meta: null, message, errors }
      const headers = status === 429 || status === 503 ? { headers: RETRY } : {}
      return [
        nameOfStatus(status),
        { description: message, ...headers, content: { 'application/json': { schema, example } } },
      ]
    }),
  )
}

const failureOf = (document: JsonObject): Json => objectAt(objectAt(document['components'], 'schemas'), 'Failure')

/** An enumeration says its type too; readers and generators of clients ask for it. */
function typed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(typed)
  if (!isObject(schema)) return schema
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(schema)) result[name] = AS_THEY_ARE.has(name) ? value : typed(value)
  const { enum: values } = result
  if (
    Array.isArray(values) &&
    result['type'] === undefined &&
    values.every((value) => typeof value !== 'object' || value === null)
  )
    result['type'] = values.includes(null) ? ['string', 'null'] : 'string'
  return result
}

const AS_THEY_ARE = new Set(['examples', 'example', 'enum', 'required', 'default', 'const'])

const pascal = (text: string): string =>
  text
    .split(/[-_/{}]/)
    .filter(Boolean)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** `/auth/api-keys` → ApiKey, `/admin/users` → AdminUser */
function recordOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const record = pascal(segments.at(-1) ?? '').replace(/s$/, '')
  return segments[0] === 'admin' ? `Admin${record}` : record
}
