// The contexts of operations and jobs: caller, organization, time, and a bound transaction or access to other systems.
import type { EventConsumers } from './events.ts'
import type { RoleName } from '#kernel/values/permissions.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { RowsOf, Statement } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { TenantStore } from './tenant-store.ts'

/** Who makes the request. `userId` is null for jobs and webhooks; an API key has the id of its creator. */
export type Caller = {
  kind: 'user' | 'api_key' | 'system'
  userId: number | null
  /** Shown in histories and the audit log. */
  name: string
  email: string | null
  /** The e-mail address is proven (status ACTIVE). */
  proven: boolean
  staff: boolean
  /** Of staff: what their roles allow (`orders:read`). */
  permissions?: readonly string[]
  /** The session of a bearer token or cookie. */
  sessionId: number | null
  language: string
}

export type Acting = Clock & {
  caller: Caller
  /** The time of an organization that has one of its own (docs/decisions/0062). */
  testClock: Date | null
  requestId: string
  ip: string | null
  /** The caller's reason, kept in the audit log. */
  reason?: string | null
  consumers: EventConsumers
  settings: Settings
  /** Runs a statement inside the bound transaction. Those asked for in the same tick travel in one round trip. */
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement whose rows nobody needs: it travels with the next one, at the latest with the commit. */
  write(statement: Statement): void
  store: TenantStore
  /** To be called when a job was written: the worker then looks for it after the commit. */
  onEnqueued(): void
}

/** Inside one organization: row-level security hides all others. */
export type OrganizationContext = Acting & {
  organizationId: number
  role: RoleName
  /** What the caller may read; `*` for the service itself. */
  scopes: readonly string[]
  /** Of `X-Service-Company`; a record that fixes its company wins. */
  company: Company | null
}

/** Across organizations: sign-in, invites, webhook intake, `/admin`. */
export type SystemContext = Acting & {
  /** Binds the transaction to one organization and waits for its lock. */
  enter(organizationId: number): Promise<OrganizationContext>
}

/** The settings that rules use; the members are declared in src/ports/ports.ts. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Settings {}

/** What the service was started with: other systems, keys, settings; members are declared in src/ports/ports.ts. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Ports {}

/** For work outside of transactions: reads, and calls to other systems. */
export type IoContext = Clock & {
  ports: Ports
  requestId: string
  ip: string | null
  caller: Caller | null
  organizationId: number | null
  /** `Accept-Language` of the request. */
  acceptLanguage: string | undefined
  store: TenantStore
  /** Runs one statement with the same access, in one round trip. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The same bound to one organization, as its jobs are: for a request whose token names it. */
  within(organizationId: number): IoContext
}

/** The row of a statement that always gives exactly one. */
export async function one<Row>(ctx: Pick<Acting, 'ask'>, statement: Statement<Row>): Promise<Row> {
  const [row] = await ctx.ask(statement)
  if (row === undefined) throw new Error('a statement that must give a row gave none')
  return row
}

/** The first row, if any. */
export async function first<Row>(ctx: Pick<Acting, 'ask'>, statement: Statement<Row>): Promise<Row | undefined> {
  return (await ctx.ask(statement))[0]
}

/** The rows of several statements, in one round trip. */
export const all = <All extends readonly Statement[] | []>(
  ctx: Pick<Acting, 'ask'>,
  statements: All,
): Promise<RowsOf<All>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `map` makes an array of the tuple
  Promise.all(statements.map((statement) => ctx.ask(statement))) as Promise<RowsOf<All>>
