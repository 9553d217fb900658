// One request on its way through the pipeline: what travels along, and what each step may ask.
import type { IoContext, Ports } from '#kernel/data/context.ts'
import type { Credential } from '#kernel/access/credentials.ts'
import type { Database, Role, Transaction } from '#kernel/database/database.ts'
import {
  type AccessRequest,
  type AccessDecision,
  accessStatement,
  accessDecision,
} from '#kernel/access/access-check.ts'
import type { PageMeta } from './envelope.ts'
import type { EventConsumers } from '#kernel/jobs/events.ts'
import type { FileAnswer, Multipart } from './file-bodies.ts'
import type { Refusals } from '#kernel/access/refusals.ts'
import type { Cookie, Route } from './route.ts'
import type { Statement } from '#kernel/data/sql.ts'
import type { TenantQueue } from '#kernel/database/tenant-queue.ts'
import { administration, staffEntry } from '#kernel/data/audit.ts'
import type { Check } from './validation.ts'
import { type Origin, SYSTEM_CALLER } from '#kernel/data/transactions.ts'

export type Engine = {
  database: Database
  consumers: EventConsumers
  ports: Ports
  clock: () => Date
  /** After the commit of a change that wrote jobs. */
  onEnqueued: () => void
  turns: TenantQueue
  refusals: Refusals
}

/** A request as the pipeline sees it, whatever server received it. */
export type PipelineRequest = {
  credential: Credential | null
  organizationHeader: string | string[] | undefined
  companyHeader: string | string[] | undefined
  idempotencyHeader: string | string[] | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  body: Buffer
  /** Null unless the body is multipart/form-data; not read yet. */
  multipart: Multipart | null
  headers: Record<string, string | string[] | undefined>
  requestId: string
  ip: string
  /** For the log line, whatever becomes of the request. */
  concerns: (organizationId: number | null) => void
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

export type RouteChecks = { params: Check | null; query: Check; body: Check | null }

export type RequestContext = {
  engine: Engine
  route: Route
  checks: RouteChecks
  request: PipelineRequest
  now: Date
  /** Who was let in, from then on. */
  visitor?: AccessDecision
}

/** What the access check answered, as the one who is in. */
export const admit = (pass: RequestContext, row: unknown, door: AccessRequest): AccessDecision =>
  (pass.visitor = accessDecision(row, door))

export const roleOf = (door: AccessRequest): Role =>
  door.access.kind === 'user' || door.access.kind === 'administrator' ? 'titular_system' : 'titular_app'

export function originOf({ engine, request, now }: RequestContext, { caller }: Pick<AccessDecision, 'caller'>): Origin {
  return {
    caller,
    now,
    requestId: request.requestId,
    ip: request.ip,
    consumers: engine.consumers,
    settings: engine.ports.settings,
  }
}

export const STRANGER = { ...SYSTEM_CALLER, name: 'anonymous', staff: false, proven: false }
export const oneHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

export function outside(
  { engine, now, request }: RequestContext,
  reader: AccessDecision | null,
  door: AccessRequest | null,
): IoContext {
  const role = door ? roleOf(door) : 'titular_system'
  const entrance = door && role === 'titular_app' ? [accessStatement(door)] : []
  return {
    ports: engine.ports,
    now,
    requestId: request.requestId,
    ip: request.ip,
    caller: reader?.caller ?? null,
    organizationId: reader?.organizationId ?? null,
    acceptLanguage: oneHeader(request.headers['accept-language']),
    read: async <Row>(statement: Statement<Row>) =>
      ((await engine.database.read(role, [...entrance, statement])).at(-1) ?? []) as Row[],
  }
}

export async function checkAccess(pass: RequestContext, door: AccessRequest): Promise<AccessDecision> {
  const [[row] = []] = await pass.engine.database.read(roleOf(door), [accessStatement(door)])
  return admit(pass, row, door)
}

/** Staff in somebody's organization, administrators under `/admin`: reads, and changes that were refused. */
export async function recordVisit(pass: RequestContext, door: AccessRequest, reader: AccessDecision): Promise<void> {
  const { database } = pass.engine
  if (door.access.kind === 'administrator') await database.read('titular_system', [administrationOf(pass, reader)])
  if (reader.isStaffEntry) await database.read('titular_app', [accessStatement(door), staffEntryOf(pass, door, reader)])
}

/** The same within the change's own transaction. */
export async function recordWithin(
  { ask }: Transaction,
  pass: RequestContext,
  door: AccessRequest,
  reader: AccessDecision,
): Promise<void> {
  if (door.access.kind === 'administrator') await ask(administrationOf(pass, reader))
  if (reader.isStaffEntry) await ask(staffEntryOf(pass, door, reader))
}

function staffEntryOf(pass: RequestContext, { organizationId }: AccessRequest, reader: AccessDecision): Statement {
  const actor = { ...originOf(pass, reader), organizationId: organizationId ?? 0 }
  return staffEntry(actor, `${pass.route.method} ${pass.route.path}`)
}

export const administrationOf = (pass: RequestContext, reader: AccessDecision): Statement =>
  administration(originOf(pass, reader), `${pass.route.method} ${pass.route.path}`, pass.request.params)
