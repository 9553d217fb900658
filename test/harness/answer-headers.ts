// Checks what the headers of every answer of every test say of its content: its type, as the document names it, and the
// security headers of its kind.
import type { FastifyReply } from 'fastify'
import type { Route } from '#http/route.ts'

/** Of those that browsers know; `Strict-Transport-Security` depends on the public address. */
export const SECURITY_HEADERS = {
  data: ['referrer-policy', 'x-content-type-options'],
  file: ['content-security-policy', 'cross-origin-resource-policy', 'referrer-policy', 'x-content-type-options'],
  document: [
    'content-security-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'origin-agent-cluster',
    'referrer-policy',
    'x-content-type-options',
    'x-dns-prefetch-control',
    'x-download-options',
    'x-frame-options',
    'x-permitted-cross-domain-policies',
    'x-xss-protection',
  ],
} as const

const OF_SECURITY =
  /^(content-security|cross-origin|origin-agent|permissions|referrer|x-(content|dns|download|frame|permitted|xss))/

export const securityHeadersIn = (headers: object): string[] =>
  Object.keys(headers)
    .filter((name) => OF_SECURITY.test(name))
    .toSorted()

const JSON_TYPE = 'application/json; charset=utf-8'

/** Null when all is as it should be. `payload`: what is sent, as Fastify has it last. */
export function headerProblem(route: Route, reply: FastifyReply, payload: unknown): string | null {
  const { file, forms } = route.features
  const isFile = !!(file ?? (reply.hasHeader('content-disposition') && forms)) && reply.statusCode < 400
  const kind = isFile ? 'file' : 'data'
  const found = securityHeadersIn(reply.getHeaders()).join(', ')
  const expected: string = SECURITY_HEADERS[kind].join(', ')
  if (found !== expected) return `an answer of the kind ${kind} has ${found}`
  if (payload === null || payload === undefined || payload === '' || reply.statusCode === 304) return null
  const type = String(reply.getHeader('content-type'))
  const types = isFile ? ((file ?? forms)?.produces ?? []) : [JSON_TYPE]
  return types.includes(type) ? null : `the content type is ${type}, which is none of ${types.join(', ')}`
}
