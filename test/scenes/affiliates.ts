// Affiliates for tests: accounts, what they earn, and what refunds take back.
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

export async function affiliateIn(at: Organization, more: object = {}): Promise<Answer['data']> {
  const account = { company: 'entity_br', currency: 'BRL', commission_rate: '12.50', ...more }
  return (await at.staff.post('/affiliates', account)).data
}

/** Runs the job that earns what has waited long enough. */
export async function runEarnings(app: TestApp): Promise<void> {
  await app.database.query(`insert into jobs (kind, run_at) values ('affiliates/earn', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

let payment = 1_000_000

/** A commission on somebody's payment, earned by the job. */
export async function earned(app: TestApp, affiliate: { id: number; organization_id: number }, amount: string) {
  await app.database.query(
    `insert into commissions (organization_id, affiliate_id, payment_id, rate, currency, amount, paid_on, earns_at)
     select organization_id, id, $3, '10.00', currency, $4, '2026-01-02', $5 from affiliates
      where organization_id = $1 and id = $2`,
    [affiliate.organization_id, affiliate.id, payment++, amount, app.clock.now],
  )
  await runEarnings(app)
}
