// Sums in what failed jobs and previews say: only for whoever may read finances.
import { describe, expect, it } from 'vitest'
import { withoutAmounts } from '#kernel/data/amounts-in-text.ts'
import { appOfFile } from '#test/harness/app.ts'

const MESSAGES: [message: string, without: string][] = [
  [
    'refund 7 is of 1234.50 BRL, but the provider speaks of 99.00 BRL',
    'refund 7 is of …, but the provider speaks of …',
  ],
  ['order 42 of the shop makes 150 JPY, but it is of 151.00', 'order 42 of the shop makes …, but it is of …'],
  ['a credit balance of BRL 10.00, 5.125 KWD: restored', 'a credit balance of …, …: restored'],
  ['invoice BR-000042 could be cancelled until 2026-11-21', 'invoice BR-000042 could be cancelled until 2026-11-21'],
]

const app = await appOfFile()
const acme = await app.world.organization()

describe.each(MESSAGES)('%s', (message, without) => {
  it('has no sums in the list of dead letters, in the queue and after a retry without the scope finances', async () => {
    await app.database.query('delete from jobs')
    await app.database.query(
      `insert into jobs (organization_id, kind, payload, run_at, dead_at, attempts, last_error)
       values ($1, 'refunds/send', '{"refund_id": 1}', $2, $2, 10, $3)`,
      [acme.id, app.clock.now, message],
    )
    const operations = await acme.staffAs('operations')
    const both = await acme.staffAs('operations', 'finance')
    for (const [who, text] of [
      [operations, without],
      [both, message],
    ] as const) {
      const [job] = (await who.get('/admin/jobs')).data
      expect(job.last_error).toBe(text)
      const [item] = (await who.get('/admin/queue?kind=dead-letters')).data
      expect(item.label).toBe(`refunds/send: ${text}`)
    }
    expect(withoutAmounts(message)).toBe(without)
    const [{ id }] = (await operations.get('/admin/jobs')).data
    expect((await operations.post(`/admin/jobs/${id}/retry`)).data.last_error).toBe(without)
  })
})

const stored = async (source: string) => {
  const [row] = await app.database.query<{ id: number }>(
    `insert into provider_events (source, company, dedupe_key, type, event, body, error, received_at)
     values ($1, 'entity_br', $1, 'x', null, '{"amount": 15000}', 'it says 150.00 BRL', $2) returning id`,
    [source, app.clock.now],
  )
  return row?.id ?? 0
}

describe('GET /admin/inbound-events/{id}', () => {
  it('403 for a body with sums without the scope finances; the list has its error without them', async () => {
    const operations = await acme.staffAs('operations')
    const payment = await stored('stripe')
    const refused = await operations.get(`/admin/inbound-events/${payment}`)
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'scope_missing'])
    expect((await acme.staff.get(`/admin/inbound-events/${payment}`)).data.body).toContain('15000')
    const [event] = (await operations.get('/admin/inbound-events')).data
    expect(event.error).toBe('it says …')
    expect((await operations.get(`/admin/inbound-events/${await stored('provisioning')}`)).status).toBe(200)
  })
})
