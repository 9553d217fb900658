// A request as its steps see it, independent of the HTTP server, and what they need of the service.
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import type { Credential } from '#kernel/access/credentials.ts'
import type { LastUses } from '#kernel/access/last-uses.ts'
import type { Refusals } from '#kernel/access/refusals.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { EventConsumers } from '#kernel/data/events.ts'
import type { KeptTotals } from '#kernel/data/lists/kept-totals.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import type { Database } from '#kernel/database/database.ts'
import type { Replica } from '#kernel/database/replica.ts'
import type { TenantQueue } from '#kernel/database/tenant-queue.ts'
import type { Previewer } from '#kernel/jobs/preview-change.ts'
import type { AppError } from '#kernel/values/errors.ts'
import type { Check } from '#kernel/values/validation/validation.ts'
import type { expansionOf } from '#http/features/expand.ts'
import type { FileAnswer, Multipart } from '#http/features/file-bodies.ts'
import type { createLongPolls } from '#http/features/long-polls.ts'
import type { operationRoutes } from '#http/features/operation-routes.ts'
import type { recordReadOf } from '#http/features/precondition.ts'
import type { cutOf } from '#http/features/sparse-fields.ts'
import type { PageMeta } from './envelope.ts'
import type { Cookie, Input, Route } from './route.ts'

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
  longPolls: ReturnType<typeof createLongPolls>
  keptTotals: KeptTotals
  previewer: Previewer
}

type PipelineRequest = {
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
  /** Tells whether the secret of the credential is right. */
  prove: (isProven: boolean) => void
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

/** What is made of a route once, when it is registered, for each of its requests. */
export type RouteChecks = {
  params: Check | null
  query: Check
  body: Check | null
  /** Bring addresses into the form in which they are kept. */
  ascii: { query: (query: Record<string, unknown>) => Record<string, unknown>; body: (value: unknown) => unknown }
  record: ReturnType<typeof recordReadOf>
  cut: ReturnType<typeof cutOf>
  expansion?: ReturnType<typeof expansionOf>
  /** The routes of the operations of a bulk. */
  operations?: ReturnType<typeof operationRoutes>
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

export const needsCaller = ({ access }: Route): boolean => access.kind !== 'open' && access.kind !== 'signed'

export const oneHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
