// What an operation works with: who acts, in which organization, when, inside which transaction.
import type { EventConsumers } from '#kernel/jobs/events.ts'
import type { RoleName } from '#kernel/access/permissions.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Statement } from './sql.ts'

/** Who acts. `userId` is null for jobs and webhooks. An API key acts as its creator. */
export type Caller = {
  kind: 'user' | 'api_key' | 'system'
  userId: number | null
  /** Shown in histories and the audit log. */
  name: string
  email: string | null
  /** The e-mail address is proven (status ACTIVE). */
  proven: boolean
  staff: boolean
  /** The session of a bearer token or cookie. */
  sessionId: number | null
  language: string
}

export type Acting = {
  caller: Caller
  /** The one clock: rules about time ask it, never the database. */
  now: Date
  requestId: string
  ip: string | null
  /** Why, in the words of who acts; the audit log keeps it. */
  reason?: string | null
  consumers: EventConsumers
  settings: Settings
  /** Runs a statement inside the bound transaction. */
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Told after the commit that there are new jobs. */
  onEnqueued(): void
}

/** Inside one organization; the database shows nothing else. */
export type OrganizationContext = Acting & {
  organizationId: number
  role: RoleName
  /** `*` for owners and staff. */
  scopes: readonly string[]
  /** Of `X-Service-Company`; a record that fixes its company wins. */
  company: Company | null
}

/** Across organizations: sign-in, invites, webhook intake, `/admin`. */
export type SystemContext = Acting & {
  /** Binds the same transaction to one organization and waits for its writer's turn. */
  enter(organizationId: number): Promise<OrganizationContext>
}

/** What of the configuration the rules ask for; declared where the configuration is (src/ports/ports.ts). */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Settings {}

/** What the service was started with: outside systems, keys, settings. The areas say what they need (src/ports/ports.ts). */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Ports {}

/** Before the transaction: reads, and calls to the outside. */
export type IoContext = {
  ports: Ports
  now: Date
  requestId: string
  ip: string | null
  caller: Caller | null
  organizationId: number | null
  /** `Accept-Language` of the request. */
  acceptLanguage: string | undefined
  /** One round trip of reads as the same caller. */
  read<Row>(statement: Statement<Row>): Promise<Row[]>
}

/** The one row of a statement that has exactly one. */
export async function one<Row>(ctx: Pick<Acting, 'ask'>, statement: Statement<Row>): Promise<Row> {
  const [row] = await ctx.ask(statement)
  if (row === undefined) throw new Error('a statement that must give a row gave none')
  return row
}

/** The first row, if any. */
export async function first<Row>(ctx: Pick<Acting, 'ask'>, statement: Statement<Row>): Promise<Row | undefined> {
  return (await ctx.ask(statement))[0]
}
