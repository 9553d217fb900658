// Reads and validates headers, path, query and body. Their errors are answered only after the access check has passed.
import { assertAcceptable } from '#http/features/acceptable.ts'
import { AppError, notFound } from '#kernel/values/errors.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { ANOTHER_ORGANIZATION } from './organization-body.ts'
import { type AuthenticatedContext, oneHeader, type RequestContext } from './request-context.ts'
import { listProblems } from './list-answer.ts'
import { reasoned } from '#http/features/reason-header.ts'
import { steppedUp } from '#http/features/step-up.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Input } from './route.ts'
import { expandProblems } from '#http/features/expand.ts'
import { fieldsProblems } from '#http/features/sparse-fields.ts'
import { COMPANIES, type Company } from '#kernel/values/schema.ts'
import {
  coerceParams,
  coerceQuery,
  parseJson,
  assertNoProblems,
  unstorableStrings,
} from '#kernel/values/validation/validation.ts'

/** Null when absent, blank, repeated, signed, not decimal or out of range; the access check then answers 400. */
export function organizationFrom(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[1-9]\d{0,15}$/.test(header)) return null
  const id = Number(header)
  return Number.isSafeInteger(id) ? id : null
}

export function companyFrom(header: string | string[] | undefined): Company | null {
  const company = companyOrNull(header)
  if (company !== null || header === undefined) return company
  throw new AppError('BAD_REQUEST', { message: 'X-Service-Company must be entity_br or entity_global' })
}

export const companyOrNull = (header: string | string[] | undefined): Company | null =>
  COMPANIES.find((company) => company === header) ?? null

/** The valid input, or the error to answer with once access is granted. `fields` are those of an upload. */
export function readInput(
  context: RequestContext & Partial<AuthenticatedContext>,
  fields?: Record<string, unknown>,
  decision: Admission | null = null,
): Input<never, never, never> | AppError {
  const { engine, route, checks, request, accessRequest } = context
  const { organizationId = null } = accessRequest ?? {}
  try {
    const { params, query } = readAddress({ route, checks, request })
    const body = checks.ascii.body(
      fields
        ? coerceQuery(fields, route.body)
        : route.body || (route.access.kind !== 'signed' && request.body.length > 0)
          ? parseJson(request.body)
          : {},
    )
    const wrong = { ...unstorableStrings(body), ...(checks.body ?? emptyBody)(body) }
    const unfit = ofParameters(checks.query(query)) ?? {
      ...fieldsProblems(route, query),
      ...expandProblems(checks.expansion, query),
      ...(route.page && listProblems(engine.ports.secretKey, { path: route.path, organizationId, params, query })),
    }
    assertNoProblems(unstorableStrings(query), unfit, ruleProblems(context, body, wrong, decision), wrong)
    return { params, query, body, raw: { body: request.body, headers: request.headers } } as Input<never, never, never>
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** What is wrong with one value of several is wrong with the parameter. */
export const ofParameters = (fields: Fields | null): Fields | null =>
  fields && Object.fromEntries(Object.entries(fields).map(([name, problem]) => [name.replace(/\.\d+$/, ''), problem]))

/** The part of the decision that rules and bodies need. */
type Admission = Pick<AccessDecision, 'caller' | 'organizationId' | 'testClock'>

/** Applies the route's rules to the fields that fit the schema. */
function ruleProblems(
  { route, now }: RequestContext,
  body: unknown,
  wrong: Fields,
  decision: Admission | null,
): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const bad = new Set(Object.keys(wrong).map((field) => field.split('.', 1)[0]))
  const sound = Object.fromEntries(Object.entries(body).filter(([field]) => !bad.has(field)))
  const { organization_id: named } = sound
  const operation = decision?.organizationId
  const isElsewhere = typeof operation === 'number' && typeof named === 'number' && named !== operation
  return {
    ...route.rules?.(sound as never, {
      now: decision?.testClock ?? now,
      realNow: now,
      isStaff: decision?.caller.staff ?? false,
      email: decision?.caller.email ?? null,
      isGiven: (field) => Object.hasOwn(body, field),
    }),
    ...(isElsewhere && { organization_id: ANOTHER_ORGANIZATION }),
  }
}

export function readAddress({ route, checks, request }: Pick<RequestContext, 'route' | 'checks' | 'request'>) {
  assertAcceptable(route, oneHeader(request.headers['accept']))
  const params = coerceParams(request.params, route.params)
  if (checks.params?.(params)) throw notFound()
  return { params, query: checks.ascii.query(coerceQuery(request.query, route.query)) }
}

/** A route without a body schema takes an empty object or no body. */
function emptyBody(body: unknown): Record<string, string> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body: 'must be an object' }
  const keys = Object.keys(body)
  return keys.length === 0 ? null : Object.fromEntries(keys.map((key) => [key, 'unknown field']))
}

export function validInput(
  context: RequestContext,
  decision: Admission | null,
  fields?: Record<string, unknown>,
): Input<never, never, never> {
  const input = readInput(context, fields, decision)
  if (input instanceof AppError) throw input
  companyFrom(context.request.companyHeader)
  return input
}

/** The input of a change: valid, and with the proof and the reason that the act needs. */
export const approvedInput = (
  context: RequestContext,
  decision: AccessDecision,
  fields?: Record<string, unknown>,
): Input<never, never, never> =>
  reasoned(context, decision, steppedUp(context, decision, validInput(context, decision, fields)))
