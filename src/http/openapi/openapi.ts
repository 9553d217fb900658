// Rewrites the generated OpenAPI document: paths relative to the server, tags in the order of the areas, one component
// per failure, record, body and enumeration. Its meaning stays the same.
import { isDetail, createNames, type Names } from './openapi-names.ts'
import { isObject, type Json, type JsonObject, membersOf, objectAt, textAt } from '#kernel/values/json.ts'
import { bodyOf, mediaOf, type Operation } from './openapi-json.ts'
import { failures, responsesOf } from './openapi-responses.ts'
import { extended } from './openapi-extended.ts'
import { share } from './openapi-shared.ts'
import EXAMPLES from './examples.json' with { type: 'json' }
import FIXED from './fixed.json' with { type: 'json' }
import GLOSSARY from './glossary.json' with { type: 'json' }
import type { WebhookType } from '#http/manifest/area.ts'
import { pascal } from './operation-id.ts'
import { tiedFeed, webhooksOf } from './openapi-webhooks.ts'

type Tag = { name: string; description: string }

/** What the routes do not say. */
export type DocumentOptions = {
  tags: readonly Tag[]
  webhooks: readonly WebhookType[]
  /** Each `errors.reason` that there can be. */
  reasons: readonly string[]
}

export function pleasant(document: JsonObject, basePath: string, described: DocumentOptions): JsonObject {
  const { tags } = described
  const names = createNames()
  const operations = operationsOf(document, basePath)
  // Routes with details first: they name the record, in whatever order the routes are declared.
  for (const one of operations.toSorted((a, b) => rank(a) - rank(b))) names.collect(one)
  names.give(failureOf(document, described.reasons), 'Failure')
  // Before the operations, so that the status of a record gets its name before the filter of a list does.
  names.components()
  const paths: JsonObject = {}
  const used = new Set<Json>()
  for (const { path, method, operation } of operations) {
    for (const tag of Array.isArray(operation['tags']) ? operation['tags'] : []) used.add(tag)
    paths[path] = { ...objectAt(paths, path), [method]: named(operation, names) }
  }
  const shared = share(paths)
  // After the operations, whose records have their names already.
  const webhooks = webhooksOf(described.webhooks, names)
  const schemas = extended(explained(names.components()))
  const known = tags.filter(({ name }) => used.has(name))
  const others = [...used].filter((name) => !tags.some((tag) => tag.name === name))
  return {
    ...document,
    servers: [{ url: basePath, description: 'This service' }],
    security: [{ bearer: [] }, { session: [], nonce: [] }, { basic: [] }],
    tags: [...known, ...others.map((name) => ({ name }))],
    paths,
    webhooks,
    components: {
      securitySchemes: objectAt(document['components'], 'securitySchemes'),
      schemas: { ...schemas, ...tiedFeed(schemas, webhooks), ...FIXED.schemas },
      parameters: shared.parameters,
      responses: { ...failures(), ...shared.responses },
      headers: FIXED.headers,
    },
  }
}

/**
 * With what the demo answers, in place of what each field may be by itself, and with the meaning of words that mean the
 * same in every record.
 */
function explained(schemas: JsonObject): JsonObject {
  const examples = new Map<string, object>(Object.entries(EXAMPLES))
  const glossary = new Map(Object.entries(GLOSSARY))
  const explain = (schema: Json, example: object | undefined): Json => {
    if (!isObject(schema) || !('properties' in schema)) return schema
    const fields = membersOf(schema['properties']).map(([name, one]) => {
      const said = membersOf(one).filter(([key]) => !example || key !== 'examples')
      return [name, { description: glossary.get(name), ...Object.fromEntries(said) }]
    })
    return { ...schema, properties: Object.fromEntries(fields), ...(example && { examples: [{ ...example }] }) }
  }
  return Object.fromEntries(membersOf(schemas).map(([name, schema]) => [name, explain(schema, examples.get(name))]))
}

function operationsOf(document: JsonObject, basePath: string): Operation[] {
  return membersOf(document['paths']).flatMap(([path, item]) =>
    membersOf(item).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path: path.replace(basePath, ''), method, operation }] : [],
    ),
  )
}

const isNested = ({ path }: Operation): boolean => path.split('/').length > 3
/** `/quotes/{id}` names the quote first, then lists do, then other operations. */
const rank = (one: Operation): number =>
  isDetail(one) ? (isNested(one) ? 1 : 0) : one.method === 'get' ? (isNested(one) ? 3 : 2) : 4

function named(operation: JsonObject, names: Names): JsonObject {
  const id = pascal(textAt(operation, 'operationId'))
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isObject) : []
  const takes = (header: string) => parameters.some((one) => one['name'] === header)
  const takesAlso = { isRepeatable: takes('Idempotency-Key'), isConditional: takes('If-None-Match') }
  const result: JsonObject = { ...operation, responses: responsesOf(operation, names, takesAlso) }
  if (parameters.length > 0)
    result['parameters'] = parameters.map((one) => ({
      ...one,
      schema: names.reference(one['schema'] ?? {}, id, textAt(one, 'name')),
      ...(objectAt(one, 'schema')['type'] === 'array' && { explode: false }),
    }))
  if (!isObject(operation['requestBody'])) return result
  const { type, media } = mediaOf(operation['requestBody'])
  const schema = bodyOf(operation)
  const needed = Array.isArray(schema['required']) && schema['required'].length > 0
  // A body whose fields are all optional may be left out.
  const content = { [type]: { ...media, schema: names.reference(schema, id, '') } }
  return { ...result, requestBody: { required: needed, content } }
}

function failureOf(document: JsonObject, reasons: readonly string[]): JsonObject {
  const failure = objectAt(objectAt(document['components'], 'schemas'), 'Failure')
  const properties = objectAt(failure, 'properties')
  const errors = objectAt(properties, 'errors')
  const fields = objectAt(errors, 'properties')
  const { type = 'string', ...reason } = objectAt(fields, 'reason')
  const known = { ...fields, reason: { type, enum: [...reasons], ...reason } }
  return { ...failure, properties: { ...properties, errors: { ...errors, properties: known } } }
}
