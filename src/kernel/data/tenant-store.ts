// How records of organizations are kept. There are two: one PostgreSQL server (postgres-store.ts), and a cluster of
// them (src/postgres/citus). Which one it is, is chosen where the parts of the service are put together; nobody else
// asks.
import type { OpenTransport } from '#kernel/database/transport.ts'
import type { WantedCodes } from './codes.ts'
import type { IoContext, OrganizationContext } from './context.ts'
import type { KeptTotals } from '#kernel/data/lists/kept-totals.ts'
import type { ChangedRow, RowChange } from '#kernel/data/audit/row-change.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Table } from './table.ts'

export type TenantStore = {
  readonly openTransport: OpenTransport
  readonly totals: KeptTotals
  /**
   * Locks the organization for writing (docs/decisions/0003), and asks the statements `ahead` behind it, all or none.
   * The first statement gives no row when no tenant is set; else `testClockOf` reads it.
   */
  locking(organizationId: number | null, ahead?: readonly Statement[]): Statement[]
  /** The same for a transaction that enters several organizations, one after the other. */
  entering(organizationId: number): Statement[]
  /** Adds a row and gives it, with its audit entry, event and jobs; so do the other changes. */
  insert<Row>(ctx: OrganizationContext, table: Table<Row>, record: Record<string, unknown>): Promise<Row[]>
  /** Adds a row that is not needed back: travels with the next statement. */
  add<Row>(ctx: OrganizationContext, table: Table<Row>, record: Record<string, unknown>): void
  /** Gives no row when there is none to change. */
  update<Row>(ctx: OrganizationContext, change: RowChange<Row>): Promise<ChangedRow<Row>[]>
  /** Gives the row that was there, if any. */
  remove<Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Promise<Row[]>
  /**
   * One code per row of what is `wanted` in an organization, in the order of `nth`; none where the condition `unless`
   * holds.
   */
  allocateCodes(io: Pick<IoContext, 'read' | 'now'>, wanted: WantedCodes, unless: Statement): Promise<string[]>
  /** The condition on a job `j`, and that what it is about can be read: the change that enqueued it is complete. */
  ifComplete(condition: Statement): Statement
}
