// The OpenAPI description of a route, from which Fastify also makes the serializers of its answers.
import { Type, type TSchema } from 'typebox'
import { FailureEnvelope, PageEnvelope, SuccessEnvelope } from '#http/envelope.ts'
import { isTagged } from '#http/features/entity-tag.ts'
import { ERRORS, type ErrorCode } from '#kernel/values/errors.ts'
import { Preview } from '#kernel/jobs/preview.ts'
import { FILE_FIELD } from '#http/features/multipart.ts'
import HEADERS from './headers.json' with { type: 'json' }
import { operationIdOf } from './operation-id.ts'
import { isInOrganization, staffScopesOf } from '#kernel/values/permissions.ts'
import type { Reason } from '#kernel/values/reasons.ts'
import { type StaffScope, permissionFor } from '#kernel/values/staff-roles.ts'
import { isRepeatable } from '#http/features/idempotency-key.ts'
import { needsCaller } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'

/** Fastify's own validation is not used; the pipeline validates. */
export function documentOf(route: Route): object {
  const { access, features } = route
  const isOpen = !needsCaller(route)
  const isInside = isInOrganization(access)
  const response: Record<number, object> = features.file
    ? {
        [route.status]: fileResponse(features.file.produces, route.purpose),
        206: fileResponse(features.file.produces, 'The range of bytes that was asked for'),
      }
    : answersOf(route)
  if (features.forms) response[200] = fileResponse(features.forms.produces, route.purpose, response[200])
  for (const code of failuresOf(route))
    response[ERRORS[code].status] = Type.Object(FailureEnvelope.properties, { description: ERRORS[code].message })
  const conflicts = named(conflictsOf(route), ', ')
  if (conflicts) response[409] = Type.Object(FailureEnvelope.properties, { description: conflicts })
  return {
    operationId: operationIdOf(route),
    summary: route.purpose,
    description: [deprecatedSentence(route), route.description, accessSentence(route), stepUpSentence(route)]
      .filter(Boolean)
      .join('\n\n'),
    ...(features.deprecated && { deprecated: true }),
    tags: [route.openapi.tag],
    // What neither members nor anybody may do: see openapi-parts.ts.
    ...(!['open', 'user', 'organization'].includes(access.kind) && { 'x-audience': 'vendor' }),
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(features.upload && { consumes: ['multipart/form-data'] }),
    ...((route.body ?? features.upload) && { body: bodyOf(route) }),
    ...headersOf(route, isInside),
    // What works in an organization takes every credential, which the document says once.
    ...(!isInside && { security: isOpen ? [] : [{ bearer: [] }, { session: [], nonce: [] }] }),
    response,
  }
}

/** The envelope of each success that is no file. */
export function answersOf(route: Route): Record<number, TSchema> {
  const { status, page, purpose, features } = route
  if (page) return { [status]: describe(PageEnvelope(page), purpose) }
  const data = route.data ?? Type.Null()
  if (!features.dryRun) return { [status]: describe(SuccessEnvelope(data), purpose) }
  const isApart = status !== 200
  const previewed = SuccessEnvelope(isApart ? Preview : Type.Union([data, Preview]))
  return {
    200: describe(previewed, isApart ? 'With `dry_run`: what the request would do' : purpose),
    ...(isApart && { [status]: describe(SuccessEnvelope(data), purpose) }),
  }
}

const BYTES = { type: 'string', format: 'binary', description: 'The bytes' }

/** `schema`: of the answer as JSON, where that is one of its forms. */
const fileResponse = (contentTypes: readonly string[], description: string, schema?: object): object => ({
  description,
  content: {
    ...(schema && { 'application/json': { schema } }),
    ...Object.fromEntries(contentTypes.map((type) => [type, { schema: BYTES }])),
  },
})

function bodyOf({ body, features: { upload }, openapi: { example } }: Route): object {
  const schema = { ...body, ...(example !== undefined && { examples: [example] }) }
  if (!upload) return schema
  const examples = [{ [FILE_FIELD]: 'bytes', ...(typeof example === 'object' && example) }]
  const { properties = {}, required = [] } = (body ?? {}) as { properties?: object; required?: string[] }
  return {
    ...schema,
    type: 'object',
    examples,
    properties: { [FILE_FIELD]: BYTES, ...properties },
    required: [FILE_FIELD, ...required],
  }
}

const describe = (schema: TSchema, description: string): TSchema => ({ ...schema, description })

function headersOf(route: Route, isInside: boolean): { headers?: object } {
  const isNamed = route.access.kind === 'organization' && route.access.inPath
  const headers = {
    ...(isInside && (isNamed ? HEADERS.inPath : HEADERS.inside)),
    ...(isRepeatable(route) && HEADERS.repeatable),
    ...(isReasoned(route) && HEADERS.reasoned),
    ...(route.features.file && HEADERS.file),
    ...(isTagged(route) && HEADERS.tagged),
    ...(isGuarded(route) && HEADERS.guarded),
  }
  return Object.keys(headers).length === 0 ? {} : { headers: { type: 'object', properties: headers } }
}

/** A change by somebody who is known. */
const isReasoned = (route: Route): boolean => route.method !== 'GET' && needsCaller(route)

/** A change of something that is there: it has an id, or is the caller's or the organization's only one. */
export const isGuarded = (route: Route): boolean =>
  isReasoned(route) && (route.path.includes('{') || route.method !== 'POST')

const isReason = (one: ErrorCode | Reason): one is Reason => !(one in ERRORS)

/** The reasons of its conflicts, besides those of every write with an Idempotency-Key. */
const conflictsOf = (route: Route): Reason[] => route.fails.filter(isReason)

/** Every error code that the route can answer: its own and those of the pipeline. */
export function failuresOf(route: Route): ErrorCode[] {
  const { access } = route
  const codes = new Set(route.fails.map((one) => (isReason(one) ? 'CONFLICT' : one)))
  codes.add('VALIDATION_ERROR').add('RATE_LIMIT').add('INTERNAL_ERROR').add('SERVICE_UNAVAILABLE')
  codes.add('BAD_REQUEST')
  if (access.kind !== 'signed') codes.add('NOT_ACCEPTABLE')
  if (route.features.file) codes.add('RANGE_NOT_SATISFIABLE')
  if (route.method !== 'GET') codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (route.params || isInOrganization(access)) codes.add('NOT_FOUND')
  if (isRepeatable(route)) codes.add('CONFLICT')
  if (isGuarded(route)) codes.add('PRECONDITION_FAILED')
  if (isGuarded(route) && route.method !== 'POST') codes.add('PRECONDITION_REQUIRED')
  if (needsCaller(route) || access.kind === 'signed') codes.add('AUTHENTICATION_ERROR')
  if (route.features.stepUp || access.kind === 'vendor' || isInOrganization(access)) codes.add('AUTHORIZATION_ERROR')
  return [...codes].toSorted((one, other) => ERRORS[one].status - ERRORS[other].status)
}

const deprecatedSentence = ({ features: { deprecated } }: Route): string | undefined =>
  deprecated && `Deprecated since ${deprecated.since}, gone from ${deprecated.sunset} on: use \`${deprecated.use}\`.`

function stepUpSentence({ features: { stepUp } }: Route): string | null {
  if (stepUp === undefined) return null
  const when = stepUp === true ? '' : ' for some fields'
  return (
    `Needs a recent proof of who the caller is${when}, where STEP_UP_MINUTES asks for one (403 ` +
    `\`step_up_required\`).`
  )
}

/** What the scopes govern and which staff hold them is said once, at the head of the document. */
function accessSentence({ access, method }: Route): string {
  if (access.kind === 'open') return 'No credentials.'
  if (access.kind === 'signed') return `No credentials; the body is signed by the ${access.source}.`
  if (access.kind === 'user') return 'Any signed-in user.'
  const ofStaff = staffSentence(staffScopesOf(access) ?? [], method !== 'GET')
  if (access.kind === 'vendor') return ofStaff
  if (access.kind === 'staff') return `${ofStaff} Inside the organization of the header.`
  const scopes = named(access.scopes)
  return `${scopes ? `Scope ${scopes}` : 'No scope'}; role ${access.atLeast} or higher. ${ofStaff}`
}

/** Which of the vendor's people may use the operation. */
function staffSentence(scopes: readonly StaffScope[] | 'none', writes: boolean): string {
  if (scopes === 'none') return 'Staff: none.'
  return `Staff: ${named(scopes.map((scope) => permissionFor(scope, writes))) || 'any role'}.`
}

const named = (names: readonly string[], between = ' and '): string => names.map((name) => `\`${name}\``).join(between)
