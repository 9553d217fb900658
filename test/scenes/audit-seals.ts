// Entries of the audit logs and their seals.
import type { TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'

/** Seals until nothing is left. Transactions of other tests on the same server are waited for. */
export const sealAll = (app: TestApp): Promise<boolean> =>
  until(async () => {
    app.clock.advance(61)
    await app.database.query(`delete from jobs where kind = 'audit-log/seal'`)
    await app.database.query(`insert into jobs (kind, run_at) values ('audit-log/seal', $1)`, [app.clock.now])
    await app.service.worker.drain()
    const [left] = await app.database.query<{ count: number }>(
      `select (select count(*) from audit_log l where not exists (
                 select 1 from audit_seals s where s.organization_id = l.organization_id and s.entry_id = l.id))::int
              + (select count(*) from service_audit l where not exists (
                 select 1 from service_audit_seals s where s.entry_id = l.id))::int as count`,
    )
    return left?.count === 0
  })
