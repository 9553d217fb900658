// The context of a request in the pipeline, and what several steps do with it.
import type { IoContext, Ports } from '#kernel/data/context.ts'
import type { Credential } from '#kernel/access/credentials.ts'
import type { Replica } from '#kernel/database/replica.ts'
import type { Database, Role } from '#kernel/database/database.ts'
import type { Transaction } from '#kernel/database/transaction.ts'
import { accessStatement, tenantStatement } from '#kernel/access/access-check.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import { isInOrganization } from '#kernel/values/permissions.ts'
import { type AccessDecision, accessDecision } from '#kernel/access/access-decision.ts'
import type { PageMeta } from './envelope.ts'
import type { EventConsumers } from '#kernel/data/events.ts'
import type { FileAnswer, Multipart } from '#http/features/file-bodies.ts'
import type { KeptTotals } from '#kernel/data/lists/kept-totals.ts'
import type { LongPolls } from '#http/features/long-polls.ts'
import type { Previewer } from '#kernel/jobs/preview-change.ts'
import type { Refusals } from '#kernel/access/refusals.ts'
import type { LastUses } from '#kernel/access/last-uses.ts'
import type { CallerContext, Cookie, Input, Route } from './route.ts'
import type { RouteChecks } from './route-checks.ts'
import type { AppError } from '#kernel/values/errors.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { TenantQueue } from '#kernel/database/tenant-queue.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import { reasonOrNull } from '#http/features/reason-header.ts'
import { administration, staffEntry } from '#kernel/data/audit/audit.ts'
import { type Origin, SYSTEM_CALLER } from '#kernel/access/transactions.ts'

export type Engine = {
  database: Database
  /** Null without one. */
  replica: Replica | null
  consumers: EventConsumers
  ports: Ports
  clock: () => Date
  store: () => TenantStore
  /** Called after the commit of a change that wrote jobs. */
  onEnqueued: () => void
  tenantQueue: TenantQueue
  refusals: Refusals
  lastUses: LastUses
  longPolls: LongPolls
  keptTotals: KeptTotals
  previewer: Previewer
}

/** A request as the pipeline sees it, independent of the HTTP server. */
export type PipelineRequest = {
  credential: Credential | null
  organizationHeader: string | string[] | undefined
  companyHeader: string | string[] | undefined
  idempotencyHeader: string | string[] | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  body: Buffer
  /** Null unless the body is multipart/form-data. The parts are read only when it is called. */
  multipart: Multipart | null
  headers: Record<string, string | string[] | undefined>
  requestId: string
  ip: string
  /** Aborted when the client has gone. */
  gone: () => AbortSignal
  /** Sets the organization of the log line, also for a request that is refused later. */
  logOrganization: (organizationId: number | null) => void
  /** Counts one operation of several as a request of the caller; throws 429. */
  countOperation: () => Promise<void>
  /** Logs the failure of one operation of several as that of a request. */
  logFailure: (error: AppError) => void
  /** Counts the request against the route's own limit, if it has one; throws 429. */
  limit: (body: Record<string, unknown>) => Promise<void>
}

export type Answer = {
  status: number
  body: { success: true; data: unknown; meta: PageMeta | null; message: string | null; errors: null }
  cookies?: Cookie[]
  /** Instead of the body. */
  file?: FileAnswer
  replayed?: boolean
  /** For the log line. */
  userId: number | null
  organizationId: number | null
}

export type RequestContext = {
  engine: Engine
  route: Route
  checks: RouteChecks
  request: PipelineRequest
  now: Date
}

/** The context of a route that needs credentials. */
export type AuthenticatedContext = RequestContext & {
  accessRequest: AccessRequest
  /** Set when the access check has admitted the caller. */
  decision?: AccessDecision
  /** The input as it is read before the access check, for what is sent with it. */
  earlyInput?: Input<never, never, never> | AppError
  /** Read once more for the same request, which is audited already. */
  isRepeated?: true
}

/**
 * Sends the access check with further statements, and again in the order of refusals when nobody was admitted. Keeps
 * the decision in the context; throws the refusal.
 */
export async function withAccess(
  context: AuthenticatedContext,
  send: (access: Statement) => Promise<unknown[][]>,
): Promise<{ decision: AccessDecision; results: unknown[][] }> {
  const [[row] = [], ...results] = await send(accessStatement(context.accessRequest))
  if (row !== undefined) return { decision: admit(context, row), results }
  context.accessRequest = { ...context.accessRequest, isInOrder: true }
  const [[decided] = [], ...answered] = await send(accessStatement(context.accessRequest))
  return { decision: admit(context, decided), results: answered }
}

/** Reads the row of the access check and keeps the decision in the context; throws the refusal. */
export function admit(context: AuthenticatedContext, row: unknown): AccessDecision {
  const decision = accessDecision(row, context.accessRequest)
  const { caller, key, organizationId } = decision
  const { lastUses } = context.engine
  if (key) lastUses.ofKey(key, key.of === 'organization' ? organizationId : null, context.now)
  else lastUses.ofSession(caller.sessionId, context.now)
  return (context.decision = decision)
}

export const roleOf = ({ access }: AccessRequest): Role => (isInOrganization(access) ? 'titular_app' : 'titular_system')

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

export const ANONYMOUS = { ...SYSTEM_CALLER, name: 'anonymous', staff: false, proven: false }
export const oneHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

export function callerContextOf({ engine, request, now }: RequestContext, decision: AccessDecision): CallerContext {
  const acceptLanguage = oneHeader(request.headers['accept-language'])
  return { ...decision, now: decision.testClock ?? now, realNow: now, ports: engine.ports, acceptLanguage }
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

/** The access check found that the organization has a test clock: the work is repeated with the time of that clock. */
const OTHER_TIME = new Error('the organization lives in another time')

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

/** What a route allocates; a second time when the organization turns out to live in another time. */
export async function allocated(
  context: AuthenticatedContext,
  allocates: NonNullable<Route['allocates']>,
  input: Input<never, never, never>,
): Promise<unknown> {
  return allocates(allocatingContext(context), input).catch((error: unknown) => {
    if (error !== OTHER_TIME) throw error
    return allocates(allocatingContext(context, context.decision?.testClock ?? context.now), input)
  })
}

export async function checkAccess(context: AuthenticatedContext): Promise<AccessDecision> {
  const { database } = context.engine
  const { decision } = await withAccess(context, (access) => database.read(roleOf(context.accessRequest), [access]))
  return decision
}

/** Audits staff in an organization, and under `/admin`. */
export async function auditStaffAccess(context: AuthenticatedContext, decision: AccessDecision): Promise<void> {
  const { accessRequest, engine } = context
  if (accessRequest.access.kind === 'vendor')
    await engine.database.read('titular_system', [administrationEntry(context, decision)])
  if (decision.isStaffEntry)
    await engine.database.read('titular_app', [accessStatement(accessRequest), staffEntryOf(context, decision)])
}

/** The same within the transaction of a change. */
export function auditStaffAccessWithin(
  { write }: Transaction,
  context: AuthenticatedContext,
  decision: AccessDecision,
): void {
  if (context.accessRequest.access.kind === 'vendor') write(administrationEntry(context, decision))
  if (decision.isStaffEntry) write(staffEntryOf(context, decision))
}

function staffEntryOf(context: AuthenticatedContext, decision: AccessDecision): Statement {
  const { accessRequest, route } = context
  const { now, ...origin } = originOf(context, decision)
  const actor = { ...origin, now: decision.testClock ?? now, organizationId: accessRequest.organizationId ?? 0 }
  return staffEntry(actor, `${route.method} ${route.path}`, decision.entryReason ?? origin.reason ?? null)
}

const administrationEntry = (context: AuthenticatedContext, decision: AccessDecision): Statement =>
  administration(originOf(context, decision), `${context.route.method} ${context.route.path}`, context.request.params)
