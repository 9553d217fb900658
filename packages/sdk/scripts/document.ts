// What the generator takes from openapi.json: the operations, and the document without what types do not need.

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Fields = { [name: string]: Json }
type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Fields }
type Content = { [type: string]: { schema: Fields } }
type Response = { description: string; content?: Content }
export type OpenApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: { [status: string]: Response | Reference }
  security?: object[]
}
type Reference = { $ref: string }
export type Document = {
  paths: { [path: string]: { [method in Method]?: OpenApiOperation } }
  webhooks?: { [type: string]: { post: OpenApiOperation } }
  components: { schemas: Fields; parameters: Fields; responses: Fields }
  [name: string]: unknown
}

/** The value of an operation: src/operation.ts has the type, and says what the members mean. */
export type OperationValue = {
  id: string
  method: string
  path: string
  answer: 'json' | 'page' | 'cursor' | 'file'
  file?: true
  multipart?: true
  organization?: true
  idempotency?: true
  open?: true
}
export type OperationLine = { type: string; comment: string; hasData: boolean; value: OperationValue }

export function resolved<Value>(document: Document, value: Value | Reference): Value {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
  return resolved(document, found as Value | Reference)
}

export const operationsIn = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method as Method, operation })),
  )

export const parametersOf = (document: Document, operation: OpenApiOperation): Parameter[] =>
  (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one))

/** The answers of success, without the part of a file and the one that says that nothing was changed. */
const answersOf = (document: Document, operation: OpenApiOperation): [string, Response][] =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('2') && status !== '206' ? [[status, resolved<Response>(document, response)]] : [],
  )

const schemaOf = (response: Response): Fields | undefined => response.content?.['application/json']?.schema

/** The schema of `data` in an answer: the envelope is taken off by the client. */
function dataOf(document: Document, schema: Fields): Fields {
  const parts = [schema, ...((schema['allOf'] ?? []) as Fields[])].map((one) => resolved<Fields>(document, one))
  const data = parts.flatMap(({ properties }) => {
    const { data: one } = (properties ?? {}) as { data?: Fields }
    return one ? [one] : []
  })
  // The envelope has a `data` of any type; that of the answer stands behind it.
  const own = data.at(-1)
  if (!own) throw new Error(`no data in ${JSON.stringify(schema)}`)
  return own
}

const isPage = (schema: Fields | undefined): boolean =>
  ((schema?.['allOf'] ?? []) as (Reference | object)[]).some((one) => '$ref' in one && one.$ref.endsWith('/Page'))

export function operationLines(document: Document): OperationLine[] {
  return operationsIn(document).map(({ path, method, operation }) => {
    const parameters = parametersOf(document, operation)
    const names = new Set(parameters.map((one) => one.name))
    const [[, answer] = []] = answersOf(document, operation)
    const schema = answer && schemaOf(answer)
    const types = Object.keys(answer?.content ?? {})
    const list = names.has('cursor') ? 'cursor' : 'page'
    const { operationId: id } = operation
    return {
      type: id.charAt(0).toUpperCase() + id.slice(1),
      comment: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
      hasData: schema !== undefined,
      value: {
        id,
        method: method.toUpperCase(),
        path,
        answer: schema === undefined ? 'file' : isPage(schema) ? list : 'json',
        ...(types.some((one) => one !== 'application/json') && { file: true }),
        ...(operation.requestBody?.content['multipart/form-data'] && { multipart: true }),
        ...(names.has('X-Service-Organization') && { organization: true }),
        ...(names.has('Idempotency-Key') && { idempotency: true }),
        ...(operation.security?.length === 0 && { open: true }),
      },
    }
  })
}

/** Without headers, refusals and envelopes, which the client has by itself: a third of the time and of the types. */
export function documentOfTypes(document: Document): object {
  const { webhooks: _webhooks, ...rest } = document
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, forTypes(document, operation)])
    return [path, Object.fromEntries(operations)]
  })
  const { schemas } = document.components
  return { ...rest, paths: Object.fromEntries(paths), components: { schemas } }
}

function forTypes(document: Document, operation: OpenApiOperation): object {
  const parameters = parametersOf(document, operation).filter((one) => one.in === 'path' || one.in === 'query')
  const responses = answersOf(document, operation).map(([status, { description, ...response }]) => {
    const schema = schemaOf({ description, ...response })
    return [
      status,
      { description, ...(schema && { content: { 'application/json': { schema: dataOf(document, schema) } } }) },
    ]
  })
  return { ...operation, security: [], parameters, responses: Object.fromEntries(responses) }
}

/** The names of the schemas of events, each once. */
export function eventTypes(document: Document): string[] {
  const references = Object.values(document.webhooks ?? {}).map(
    ({ post }) => post.requestBody?.content['application/json']?.schema['$ref'],
  )
  const names = references.flatMap((one) => (typeof one === 'string' ? [one.split('/').at(-1) ?? ''] : []))
  return [...new Set(names)].toSorted()
}
