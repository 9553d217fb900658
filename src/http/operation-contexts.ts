// What reads, operations and files are given of a request: its caller, organization, time, and access to the database.
import { accessStatement, tenantStatement } from '#kernel/access/access-check.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import { type Origin, SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import type { Caller, IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { reasonOrNull } from '#http/features/reason-header.ts'
import { roleOf, withAccess } from './access.ts'
import { companyOrNull } from './input.ts'
import { type AuthenticatedContext, oneHeader, type RequestContext } from './request-context.ts'
import type { CallerContext, Input, ReadContext, Route } from './route.ts'

export const ANONYMOUS: Caller = { ...SYSTEM_CALLER, name: 'anonymous', staff: false, proven: false }

/** For a read, before anybody is admitted. `at`: the time of an organization with a test clock, where it is known. */
export function readContextOf(
  { engine, request, accessRequest, now: realNow }: RequestContext & Partial<AuthenticatedContext>,
  at = realNow,
): ReadContext {
  return {
    org: accessRequest?.organizationId ?? 0,
    ...(accessRequest ? personOf(accessRequest) : NOBODY),
    company: companyOrNull(request.companyHeader),
    now: at,
    realNow,
    ports: engine.ports,
  }
}

const NOBODY = { userId: 0, sessionId: 0, organizations: null }

/** Who signed in, or what a key is limited to, by what the request says before the access check. */
function personOf({ credential, reach }: AccessRequest): Pick<ReadContext, keyof typeof NOBODY> {
  if (credential.kind === 'api_key') return { ...NOBODY, organizations: reach?.organizations ?? null }
  const { userId, sessionId } = credential
  return { userId, sessionId, organizations: null }
}

export function callerContextOf({ engine, request, now }: RequestContext, decision: AccessDecision): CallerContext {
  const acceptLanguage = oneHeader(request.headers['accept-language'])
  return { ...decision, now: decision.testClock ?? now, realNow: now, ports: engine.ports, acceptLanguage }
}

export function originOf({ engine, request, now }: RequestContext, { caller }: Pick<AccessDecision, 'caller'>): Origin {
  return {
    caller,
    now,
    requestId: request.requestId,
    ip: request.ip,
    // Not of a stranger: it would be in the organization's log.
    reason: request.credential ? reasonOrNull(request.headers['x-reason']) : null,
    consumers: engine.consumers,
    settings: engine.ports.settings,
    store: engine.store(),
  }
}

export function ioContext(
  { engine, now, request, accessRequest }: RequestContext & Partial<AuthenticatedContext>,
  decision: AccessDecision | null,
): IoContext {
  const role = accessRequest ? roleOf(accessRequest) : 'titular_system'
  const opening = accessRequest && role === 'titular_app' ? [accessStatement(accessRequest)] : []
  const io: IoContext = {
    ports: engine.ports,
    now: decision?.testClock ?? now,
    realNow: now,
    requestId: request.requestId,
    ip: request.ip,
    caller: decision?.caller ?? null,
    organizationId: decision?.organizationId ?? null,
    acceptLanguage: oneHeader(request.headers['accept-language']),
    store: engine.store(),
    read: async <Row>(statement: Statement<Row>) =>
      ((await engine.database.read(role, [...opening, statement])).at(-1) ?? []) as Row[],
    within: (organizationId) => ({
      ...io,
      organizationId,
      read: async <Row>(statement: Statement<Row>) =>
        ((await engine.database.read('titular_app', [tenantStatement(organizationId, true), statement])).at(-1) ??
          []) as Row[],
    }),
  }
  return io
}

/** For `allocates`: each read carries the access check, and nothing else has checked access before. */
function allocatingContext(context: AuthenticatedContext, at = context.now): IoContext {
  const { engine, accessRequest } = context
  return {
    ...ioContext(context, null),
    now: at,
    organizationId: accessRequest.organizationId,
    async read<Row>(statement: Statement<Row>) {
      const { decision, results } = await withAccess(context, (access) =>
        engine.database.read(roleOf(accessRequest), [access, statement]),
      )
      if (decision.testClock && at === context.now) throw OTHER_TIME
      return (results[0] ?? []) as Row[]
    },
  }
}

/** The organization has a test clock: what was begun with the time of the others is begun again with its own. */
const OTHER_TIME = new Error('the organization has a test clock')

type Allocates = NonNullable<Exclude<Route['before'], Function | undefined>['allocates']>

/** What a route allocates; a second time when the organization turns out to live in another time. */
export function allocated(
  context: AuthenticatedContext,
  allocates: Allocates,
  input: Input<never, never, never>,
): Promise<unknown> {
  return allocates(allocatingContext(context), input).catch((error: unknown) => {
    if (error !== OTHER_TIME) throw error
    return allocates(allocatingContext(context, context.decision?.testClock ?? context.now), input)
  })
}
