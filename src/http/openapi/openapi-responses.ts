// The responses of the OpenAPI document: one component per failure, with headers and an example.
import { ERROR_CODES, type ErrorCode, ERRORS } from '#kernel/values/errors.ts'
import { pascal } from './operation-id.ts'
import { isObject, type Json, type JsonObject, objectAt, textAt } from '#kernel/values/json.ts'
import { envelopeIn, isRecord } from './openapi-json.ts'
import type { Names } from './openapi-names.ts'

const headersOf = (more: readonly string[] = []): { headers: JsonObject } => ({
  headers: Object.fromEntries(
    [...ALWAYS, ...more].map((name) => [name, { $ref: `#/components/headers/${name.replaceAll(/^X-|-/g, '')}` }]),
  ),
})
const ALWAYS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
const OF_FILES = ['Content-Disposition', 'Accept-Ranges', 'ETag', 'Repr-Digest']
const OF_RANGES = [...OF_FILES, 'Content-Range']

type TakesAlso = { isRepeatable: boolean; isConditional: boolean }

export function responsesOf(
  operation: JsonObject,
  names: Names,
  { isRepeatable, isConditional }: TakesAlso,
): JsonObject {
  const more = [...(isRepeatable ? ['Idempotent-Replayed'] : []), ...(isConditional ? ['ETag'] : [])]
  const statuses = Object.entries(objectAt(operation, 'responses')).map(([status, response]): [string, Json] => {
    const description = isObject(response) ? textAt(response, 'description') : ''
    if (status >= '400') return [status, failureOf(Number(status), description)]
    const { 'application/json': json, ...files } = objectAt(response, 'content')
    if (!json) return [status, { description, ...headersOf(status === '206' ? OF_RANGES : OF_FILES), content: files }]
    const data = names.reference(objectAt(envelopeIn(response), 'properties')['data'] ?? {}, '', 'data')
    const isPage = isRecord(objectAt(envelopeIn(response), 'properties')['meta'])
    const own = { required: ['data'], properties: { data } }
    const inHeaders = Object.keys(files).length > 0 ? [...more, 'Content-Disposition'] : more
    const schema = { allOf: [{ $ref: `#/components/schemas/${isPage ? 'Page' : 'Success'}` }, own] }
    const content = { 'application/json': { schema }, ...files }
    return [status, { description: saidOf(data, description), ...headersOf(inHeaders), content }]
  })
  const unchanged = { description: 'The same as the answer with that `ETag`', ...headersOf(['ETag']) }
  const isFile = statuses.some(([status]) => status === '206')
  return { ...Object.fromEntries(statuses), ...((isConditional || isFile) && { 304: unchanged }) }
}

/** The shared answer; beside it what the operation says of its own. */
function failureOf(status: number, description: string): JsonObject {
  const name = nameOfStatus(status)
  const own = description !== ERRORS[codeOf(status)].message
  return { $ref: `#/components/responses/${name}`, ...(own && { description }) }
}

/** Of a record its name, so that all answers with it are one; of anything else what the operation does. */
function saidOf(data: Json, purpose: string): string {
  if (!isObject(data)) return purpose
  if (data['type'] === 'null') return 'Done'
  const { anyOf = [data], items } = data
  if (isObject(items) && '$ref' in items) return `A page of ${recordIn(items)}`
  const names = Array.isArray(anyOf) ? anyOf.map(recordIn) : []
  return names.length > 0 && names.every((one) => one !== '') ? `The ${names.join(' or ')}` : purpose
}

const recordIn = (schema: Json): string => {
  const name = isObject(schema) ? textAt(schema, '$ref').split('/').at(-1) : undefined
  return name ? `\`${name}\`` : ''
}

const codeOf = (status: number): ErrorCode =>
  ERROR_CODES.find((code) => ERRORS[code].status === status) ?? 'INTERNAL_ERROR'
const nameOfStatus = (status: number): string => pascal(codeOf(status).toLowerCase())

const EXTRA: Partial<Record<string, JsonObject>> = {
  CONFLICT: { reason: 'status_not_allowed', docs_url: 'https://account.example.com/docs/errors#status_not_allowed' },
  VALIDATION_ERROR: { fields: { name: 'is required' } },
  INTERNAL_ERROR: { detail: '6d4f2c1e-0a57-4a0e-9d3c-2f8b7a1e5c90' },
}

const OF_FAILURES: Partial<Record<number, string[]>> = {
  415: ['Accept-Encoding'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

export function failures(): JsonObject {
  const schema = { $ref: '#/components/schemas/Failure' }
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { status, message } = ERRORS[code]
      const example = { success: false, data: null, meta: null, message, errors: { code, ...EXTRA[code] } }
      const headers = headersOf(OF_FAILURES[status])
      const content = { 'application/json': { schema, example } }
      return [nameOfStatus(status), { description: message, ...headers, content }]
    }),
  )
}
