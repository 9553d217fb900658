// The responses of the OpenAPI document: one component per failure, with headers and an example.
import { ERROR_CODES, ERRORS } from '#kernel/values/errors.ts'
import { pascal } from './operation-id.ts'
import { exampleOf } from './openapi-examples.ts'
import { envelopeIn, isObject, isRecord, type Json, type JsonObject, mediaOf, objectAt } from './openapi-json.ts'
import type { Names } from './openapi-names.ts'

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string', examples: [example] },
})

export const HEADERS: JsonObject = {
  RequestId: text(
    'Of the request, or made for it; say it when you ask for help',
    '6d4f2c1e-0a57-4a0e-9d3c-2f8b7a1e5c90',
  ),
  RateLimit: text(
    'What is left of the tightest limit (`r`), and the seconds until it is whole again (`t`)',
    '"requests";r=5999;t=60',
  ),
  RateLimitPolicy: text('That limit: so many requests (`q`) in so many seconds (`w`)', '"requests";q=6000;w=60'),
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', examples: [2] } },
  IdempotentReplayed: {
    description: 'There when the answer is that of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
  AcceptRanges: text('`bytes` where the bytes are final', 'bytes'),
  ContentRange: text('The range that is sent, and the size of the file', 'bytes 0-1023/146515'),
  ETag: text('Of these bytes: `If-None-Match` with it gets 304. Of files only where they are final', '"47dccf5b…"'),
  AcceptEncoding: text('`identity`, when the content coding of the body was the problem', 'identity'),
  ContentDisposition: text('`attachment`, with the name of the file', 'attachment; filename="Q-42.pdf"'),
  ReprDigest: text(
    'SHA-256 of the bytes (RFC 9530), where they are final',
    'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
  ),
}

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
    const description = isObject(response) ? (response['description'] ?? '') : ''
    if (mediaOf(response).type !== 'application/json')
      return [
        status,
        { description, ...headersOf(status === '206' ? OF_RANGES : OF_FILES), content: objectAt(response, 'content') },
      ]
    const content = { 'application/json': successOf(envelopeIn(response), names) }
    return [status, { description, ...headersOf(more), content }]
  })
  const unchanged = { description: 'The same as the answer with that `ETag`', ...headersOf([TAG]) }
  const isFile = statuses.some(([status]) => status === '206')
  return { ...Object.fromEntries(statuses), ...((isConditional || isFile) && { 304: unchanged }) }
}

function successOf(envelope: JsonObject, names: Names): JsonObject {
  const properties = objectAt(envelope, 'properties')
  const { data = {}, meta = null } = properties
  const schema = {
    ...envelope,
    properties: {
      ...properties,
      data: names.reference(data, '', 'data'),
      ...(isRecord(meta) && { meta: { $ref: '#/components/schemas/PageMeta' } }),
    },
  }
  return { schema, example: exampleOf(envelope) }
}

export const PAGE_META: Json = {
  type: 'object',
  description: 'Which part of the list this is',
  required: ['page', 'per_page', 'total', 'pages'],
  properties: {
    page: { type: ['integer', 'null'], description: 'Null with a cursor', examples: [1] },
    per_page: { type: 'integer', examples: [20] },
    total: { type: ['integer', 'null'], description: 'Null with a cursor, unless `count` asks for it', examples: [42] },
    pages: { type: ['integer', 'null'], description: 'Null without a total', examples: [3] },
    next_cursor: { type: ['string', 'null'], description: 'Only with a cursor; null at the end of the list' },
  },
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
