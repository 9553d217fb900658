// What a payment provider says of an organization that was erased, and what reports count of it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { declarations } from '../../../modules.ts'
import { withKernel } from './organization-erasure.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, sendEvent, stripeScene, type StripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => {
  at = await stripeScene({ environment: { ERASURE_DAYS: '0' } })
})
afterAll(() => at.close())

const REPORTS = [
  'billed',
  'recognized',
  'recurring-revenue',
  'receivables',
  'receivables-by-organization',
  'tax-invoices',
]

async function run(): Promise<void> {
  await at.app.database.query(`delete from jobs where kind = 'privacy/erase-due'`)
  await at.app.database.query(`insert into jobs (kind, run_at) values ('privacy/erase-due', $1)`, [at.app.clock.now])
  await at.app.service.worker.drain()
}
const left = async (): Promise<string[]> => {
  const counted = await Promise.all(
    withKernel(declarations.erasure).working.map(async (name) => {
      const rows = await at.app.database.query(`select 1 from ${name} where organization_id = $1`, [at.acme.id])
      return rows.length > 0 ? name : ''
    }),
  )
  return counted.filter(Boolean)
}

it('a payment of what was given up is recorded after the erasure, and the erasure ends', async () => {
  const { acme, app, stripe } = at
  const { staff } = acme
  const path = `/admin/privacy/organizations/${acme.id}/erasure`
  const payment = await bought(at)
  expect((await staff.post(`/invoices/${payment.invoice_id}/mark-uncollectible`)).status).toBe(200)
  await app.service.worker.drain()
  expect((await acme.owner.delete(`/organizations/${acme.id}`)).status).toBe(200)
  await app.service.worker.drain()
  const reports = async () => {
    const answers = await Promise.all(REPORTS.map((name) => staff.get(`/admin/reports/${name}`)))
    return answers.map(({ status, data, errors }) => [status, data?.rows, errors])
  }
  const before = await reports()
  expect(before.map(([status]) => status)).toEqual(REPORTS.map(() => 200))
  expect(JSON.stringify(before)).toContain('"uncollectible":"150.00"')
  const asked = await staff.post(path)
  expect(asked.status, asked.raw.body).toBe(202)
  await run()
  expect((await staff.get(path)).data.erasure.status).toBe('kept')
  // Those that archive fiscal documents.
  expect(await left()).toEqual(['jobs'])
  expect(await reports()).toEqual(before)
  expect(await sendEvent(at, 'invoice.paid', stripe.pay(payment.reference))).toBe(200)
  expect(await deadLetters(app)).toEqual([])
  expect(await app.database.query('select status from invoices where organization_id = $1', [acme.id])).toEqual([
    { status: 'paid' },
  ])
  // Its license, and what the search finds.
  expect(await left()).toEqual(expect.arrayContaining(['licenses', 'search_terms']))
  await app.database.query('update organization_erasures set kept_until = $2 where organization_id = $1', [
    acme.id,
    app.clock.now,
  ])
  await run()
  expect((await staff.get(path)).data.erasure.status).toBe('done')
  expect(await left()).toEqual([])
})
