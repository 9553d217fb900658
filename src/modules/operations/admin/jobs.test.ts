// Unfinished jobs: listed after 60 seconds, a dead letter after the tenth failure, retried by staff.
import { beforeEach, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
beforeEach(() => app.database.query('delete from jobs'))

const listed = async (query = ''): Promise<Answer['data']> => (await administrator.get(`/admin/jobs${query}`)).data
const work = () => app.service.worker.drain()

/** A quote marked as paid by staff, whose delivery job is still waiting. */
async function paidQuote(): Promise<number> {
  const id = await sentQuote(acme)
  const { data } = await buyer.post(`/quotes/${id}/accept`)
  const [invoice] = (await buyer.get(`/invoices/order/${data.order_id}`)).data
  expect((await acme.staff.post(`/invoices/${invoice.id}/pay`, {})).status).toBe(200)
  return id
}

/** Makes the delivery fail as a bug would: the code of the first line belongs to an entitlement already. */
async function takeItsCode(quoteId: number): Promise<void> {
  await app.database.query(
    `insert into entitlements (organization_id, code, class, product_name, company)
     select organization_id, line_items -> 0 ->> 'entitlement_code', 'PLG', 'In the way', company
       from orders where organization_id = $1 and quote_id = $2`,
    [acme.id, quoteId],
  )
}
const giveItsCodeBack = () => app.database.query(`delete from entitlements where product_name = 'In the way'`)

describe('GET /admin/jobs', () => {
  it('200 lists what cannot be delivered as failing after a minute, as a dead letter after ten failures', async () => {
    const id = await paidQuote()
    await takeItsCode(id)
    await work()
    const mine = '?kind=quotes/provision'
    expect(await listed(mine)).toEqual([])
    app.clock.advance(60)
    const [job] = await listed(mine)
    expect(job).toMatchObject({ state: 'failing', payload: { resource_id: id }, attempts: 1, dead_at: null })
    expect(job.last_error).toContain('duplicate key')
    expect(Date.parse(job.next_try_at) - Date.parse(job.failing_since)).toBe(2000)
    for (let failures = 2; failures <= 10; failures++) {
      app.clock.advance(3600)
      await work()
      const [now] = await listed(mine)
      expect(now).toMatchObject({ attempts: failures, state: failures < 10 ? 'failing' : 'dead_letter' })
    }
    expect((await listed(mine))[0]).toMatchObject({ next_try_at: null, dead_at: app.clock.now.toISOString() })
    expect(await listed('?state=dead_letter')).toHaveLength(1)
    expect(await listed('?state=failing')).toEqual([])
    await giveItsCodeBack()
    expect((await administrator.post(`/admin/jobs/${job.id}/retry`)).status).toBe(200)
    await work()
    expect((await buyer.get(`/quotes/${id}`)).data.status).toBe('fulfilled')
    expect(await listed(mine)).toEqual([])
  })
  it('200 lists jobs that are due and not leased, but none that is running', async () => {
    const [row] = await app.database.query<{ id: number }>(
      `insert into jobs (organization_id, kind, run_at) values ($1, 'refunds/send', $2) returning id`,
      [acme.id, app.clock.now],
    )
    const id = row?.id ?? 0
    expect(await listed('?kind=refunds/send')).toEqual([])
    app.clock.advance(60)
    expect(await listed('?kind=refunds/send')).toMatchObject([{ id, state: 'late', attempts: 0, last_error: null }])
    const lease = new Date(app.clock.now.getTime() + 60_000)
    await app.database.query(`update jobs set leased_until = $1 where id = $2`, [lease, id])
    expect(await listed('?kind=refunds/send')).toEqual([])
  })
  it('200 names the reason for a job of an unknown kind, which never becomes a dead letter', async () => {
    await app.database.query(
      `insert into jobs (organization_id, kind, run_at) values ($1, 'quotes/of-another-version', $2)`,
      [acme.id, app.clock.now],
    )
    const unknown = '?kind=quotes/of-another-version'
    const said = () => app.log.filter((line) => line.includes('quotes/of-another-version')).length
    await work()
    expect([await listed(unknown), said()]).toEqual([[], 0])
    const why = 'No code of this version knows this kind of job'
    for (let minutes = 1; minutes <= 29; minutes++) {
      app.clock.advance(60)
      await work()
    }
    expect(await listed(unknown)).toMatchObject([{ state: 'late', attempts: 0, dead_at: null, last_error: why }])
    expect(said()).toBe(1)
    app.clock.advance(120)
    await work()
    expect(said()).toBe(2)
  })
  it('422 for another state', async () => {
    expect((await administrator.get('/admin/jobs?state=lost')).errors?.fields).toHaveProperty('state')
  })
})

describe('POST /admin/jobs/{id}/retry', () => {
  it('200 for a failing job, which runs at once; 404 for a job that is not in the list', async () => {
    const id = await paidQuote()
    await takeItsCode(id)
    for (let failures = 1; failures <= 6; failures++) {
      await work()
      app.clock.advance(200)
    }
    const [job] = await listed('?kind=quotes/provision')
    await giveItsCodeBack()
    const answer = await administrator.post(`/admin/jobs/${job.id}/retry`)
    expect(answer.data).toMatchObject({ attempts: 0, failing_since: null, next_try_at: app.clock.now.toISOString() })
    await work()
    expect((await buyer.get(`/quotes/${id}`)).data.status).toBe('fulfilled')
    expect((await administrator.post(`/admin/jobs/${job.id}/retry`)).status).toBe(404)
  })
})

describe('a paid quote whose delivery job is missing', () => {
  it('gets one new job after 60 seconds, and none where the job is a dead letter', async () => {
    const id = await paidQuote()
    await app.database.query(`delete from jobs where kind = 'quotes/provision'`)
    await app.database.query('update quotes set updated_at = $1 where id = $2', [app.clock.now, id])
    const sweep = async () => {
      await app.database.query(`insert into jobs (kind, run_at) values ('quotes/undelivered', $1)`, [app.clock.now])
      await work()
    }
    await sweep()
    expect((await buyer.get(`/quotes/${id}`)).data.status).toBe('paid')
    app.clock.advance(60)
    await takeItsCode(id)
    await sweep()
    await sweep()
    const jobs = () => app.database.query(`select key from jobs where kind = 'quotes/provision'`)
    expect(await jobs()).toEqual([{ key: `quotes/provision:quote:${id}:${acme.id}` }])
    await app.database.query(`update jobs set dead_at = now() where kind = 'quotes/provision'`)
    await sweep()
    expect(await jobs()).toHaveLength(1)
    await giveItsCodeBack()
    await app.database.query(`delete from jobs where kind = 'quotes/provision'`)
    await sweep()
    expect((await buyer.get(`/quotes/${id}`)).data.status).toBe('fulfilled')
  })
})
