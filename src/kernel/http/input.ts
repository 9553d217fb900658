// What a request brings, read and judged: headers, path, query, body; reported only once the door has let it in.
import { AppError, notFound } from './errors.ts'
import type { AccessDecision } from '#kernel/access/access-check.ts'
import { ANOTHER_ORGANIZATION } from './organization-body.ts'
import type { RequestContext } from './request-context.ts'
import type { Fields } from './problems.ts'
import type { Input } from './route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { coerceParams, coerceQuery, parseJson, assertNoProblems, unstorableStrings } from './validation.ts'

/** Absent, blank, repeated, signed, not decimal or out of range: null, which the door answers with 400. */
export function organizationFrom(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[1-9]\d{0,15}$/.test(header)) return null
  const id = Number(header)
  return Number.isSafeInteger(id) ? id : null
}

export const COMPANIES: readonly string[] = ['entity_br', 'entity_global']

export function companyFrom(header: string | string[] | undefined): Company | null {
  if (header === undefined) return null
  if (typeof header === 'string' && COMPANIES.includes(header)) return header as Company
  throw new AppError('BAD_REQUEST', { message: 'X-Service-Company must be entity_br or entity_global' })
}

export function companyOrNull(header: string | string[] | undefined): Company | null {
  return typeof header === 'string' && COMPANIES.includes(header) ? (header as Company) : null
}

/** Parsed and validated, or the error that is reported once the door has let the caller in. `fields` are an upload's. */
export function readInput(
  pass: RequestContext,
  fields?: Record<string, unknown>,
  entrance: Entrance | null = null,
): Input<never, never, never> | AppError {
  const { route, checks, request } = pass
  try {
    const { params, query } = readAddress({ route, checks, request })
    const body = fields
      ? coerceQuery(fields, route.body)
      : route.body || (route.access.kind !== 'signed' && request.body.length > 0)
        ? parseJson(request.body)
        : {}
    const wrong = { ...unstorableStrings(body), ...(checks.body ?? emptyBody)(body) }
    assertNoProblems(unstorableStrings(query), checks.query(query), ruleProblems(pass, body, wrong, entrance), wrong)
    return { params, query, body, raw: { body: request.body, headers: request.headers } } as Input<never, never, never>
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Who asks, once the door has said so. */
export type Entrance = Pick<AccessDecision, 'caller' | 'organizationId'>

/** What the schema cannot say, of the fields that fit it. */
function ruleProblems({ route, now }: RequestContext, body: unknown, wrong: Fields, entrance: Entrance | null): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const bad = new Set(Object.keys(wrong).map((field) => field.split('.', 1)[0]))
  const sound = Object.fromEntries(Object.entries(body).filter(([field]) => !bad.has(field)))
  const { organization_id: named } = sound
  const inside = entrance?.organizationId
  const isElsewhere = typeof inside === 'number' && typeof named === 'number' && named !== inside
  return {
    ...route.rules?.(sound as never, {
      now,
      isStaff: entrance?.caller.staff ?? false,
      email: entrance?.caller.email ?? null,
      isGiven: (field) => Object.hasOwn(body, field),
    }),
    ...(isElsewhere && { organization_id: ANOTHER_ORGANIZATION }),
  }
}

export function readAddress({ route, checks, request }: Pick<RequestContext, 'route' | 'checks' | 'request'>) {
  const params = coerceParams(request.params, route.params)
  if (checks.params?.(params)) throw notFound()
  return { params, query: coerceQuery(request.query, route.query) }
}

/** A route without a body schema takes an empty object or nothing. */
export function emptyBody(body: unknown): Record<string, string> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body: 'must be an object' }
  const keys = Object.keys(body)
  return keys.length === 0 ? null : Object.fromEntries(keys.map((key) => [key, 'unknown field']))
}

export function validInput(
  pass: RequestContext,
  entrance: Entrance | null,
  fields?: Record<string, unknown>,
): Input<never, never, never> {
  const input = readInput(pass, fields, entrance)
  if (input instanceof AppError) throw input
  companyFrom(pass.request.companyHeader)
  return input
}
