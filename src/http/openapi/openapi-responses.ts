// The responses of the OpenAPI document: one component per failure, with headers and an example.
import { ERROR_CODES, ERRORS } from '#kernel/values/errors.ts'
import { pascal } from './operation-id.ts'
import { isObject, type Json, type JsonObject, objectAt, textAt } from '#kernel/values/json.ts'
import { envelopeIn, isRecord, mediaOf } from './openapi-json.ts'
import type { Names } from './openapi-names.ts'

const headersOf = (more: readonly [string, string][] = []): { headers: JsonObject } => ({
  headers: Object.fromEntries(
    [...ALWAYS, ...more].map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  ),
})
const ALWAYS: readonly [string, string][] = [
  ['X-Request-Id', 'RequestId'],
  ['RateLimit', 'RateLimit'],
  ['RateLimit-Policy', 'RateLimitPolicy'],
]
const IDEMPOTENT: [string, string] = ['Idempotent-Replayed', 'IdempotentReplayed']
const TAG: [string, string] = ['ETag', 'ETag']
const OF_FILES: readonly [string, string][] = [
  ['Content-Disposition', 'ContentDisposition'],
  ['Accept-Ranges', 'AcceptRanges'],
  TAG,
  ['Repr-Digest', 'ReprDigest'],
]
const OF_RANGES: readonly [string, string][] = [...OF_FILES, ['Content-Range', 'ContentRange']]

type TakesAlso = { isRepeatable: boolean; isConditional: boolean }

export function responsesOf(
  operation: JsonObject,
  names: Names,
  { isRepeatable, isConditional }: TakesAlso,
): JsonObject {
  const more: [string, string][] = [...(isRepeatable ? [IDEMPOTENT] : []), ...(isConditional ? [TAG] : [])]
  const statuses = Object.entries(objectAt(operation, 'responses')).map(([status, response]): [string, Json] => {
    if (status >= '400') return [status, { $ref: `#/components/responses/${nameOfStatus(Number(status))}` }]
    const description = isObject(response) ? textAt(response, 'description') : ''
    if (mediaOf(response).type !== 'application/json')
      return [
        status,
        { description, ...headersOf(status === '206' ? OF_RANGES : OF_FILES), content: objectAt(response, 'content') },
      ]
    const data = names.reference(objectAt(envelopeIn(response), 'properties')['data'] ?? {}, '', 'data')
    const isPage = isRecord(objectAt(envelopeIn(response), 'properties')['meta'])
    const own = { required: ['data'], properties: { data } }
    const schema = { allOf: [{ $ref: `#/components/schemas/${isPage ? 'Page' : 'Success'}` }, own] }
    return [
      status,
      { description: saidOf(data, description), ...headersOf(more), content: { 'application/json': { schema } } },
    ]
  })
  const unchanged = { description: 'The same as the answer with that `ETag`', ...headersOf([TAG]) }
  const isFile = statuses.some(([status]) => status === '206')
  return { ...Object.fromEntries(statuses), ...((isConditional || isFile) && { 304: unchanged }) }
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

const nameOfStatus = (status: number): string =>
  pascal((ERROR_CODES.find((code) => ERRORS[code].status === status) ?? 'INTERNAL_ERROR').toLowerCase())

const EXTRA: Partial<Record<string, JsonObject>> = {
  CONFLICT: { reason: 'status_not_allowed', docs_url: 'https://account.example.com/docs/errors#status_not_allowed' },
  VALIDATION_ERROR: { fields: { name: 'is required' } },
  INTERNAL_ERROR: { detail: '6d4f2c1e-0a57-4a0e-9d3c-2f8b7a1e5c90' },
}

const OF_FAILURES: Partial<Record<number, [string, string][]>> = {
  415: [['Accept-Encoding', 'AcceptEncoding']],
  416: [['Content-Range', 'ContentRange']],
  429: [['Retry-After', 'RetryAfter']],
  503: [['Retry-After', 'RetryAfter']],
}

export function failures(): JsonObject {
  const schema = { $ref: '#/components/schemas/Failure' }
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { status, message } = ERRORS[code]
      const example = { success: false, data: null, meta: null, message, errors: { code, ...EXTRA[code] } }
      const headers = headersOf(OF_FAILURES[status])
      return [
        nameOfStatus(status),
        { description: message, ...headers, content: { 'application/json': { schema, example } } },
      ]
    }),
  )
}
