// The job that finds nothing left to pay of an invoice: it marks it as paid, and records no money that nobody paid.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { settlingAt } from '#test/scenes/settling.ts'
import { openCheckoutJob } from './open-checkout.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })
const at: ReturnType<typeof settlingAt> = settlingAt(app, await app.world.organization())

const sums = { amount_paid: '60.00', amount_credited: '90.00', payment_invoice_id: null }

/** The second half of the job, after the first has found that nothing is due. */
async function marked(invoice_id: number): Promise<void> {
  if (openCheckoutJob.scope !== 'organization') throw new Error('the job is of an organization')
  const { run } = openCheckoutJob
  const job = { id: 1, payload: { invoice_id }, attempts: 1, wasTried: false, createdAt: app.clock.now }
  await at.act(async (ctx) => run?.(ctx, job, { outcome: 'free' }))
}

it('an invoice of which the rest was credited is paid', async () => {
  const { invoice } = await at.sale({ invoice: sums })
  await marked(invoice)
  expect(await at.row('invoices', invoice)).toMatchObject({ status: 'paid', amount_paid: '60.00' })
  expect(await at.payments(invoice)).toEqual([])
})

it('a refund that succeeds between the two halves is due again, and no payment is made up', async () => {
  const refunded = { refund_reserved: '60.00', amount_refunded: '60.00' }
  const { invoice } = await at.sale({ invoice: { ...sums, ...refunded } })
  await marked(invoice)
  expect(await at.row('invoices', invoice)).toMatchObject({ status: 'open', amount_due: '60.00', amount_paid: '60.00' })
  expect(await at.payments(invoice)).toEqual([])
})
