// Where the vendor does not bill without access, and Stripe charges: it collects nothing while what it renews is
// suspended for a failed charge.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { goTo } from '#test/scenes/own-billing.ts'
import { type Bought, type StripeScene, sendEvent, stripeScene } from '#test/scenes/stripe.ts'
import { begun, subscriptionPath } from '#test/scenes/subscriptions.ts'

let at: StripeScene
// One for each: the stand-in's periods are of today.
beforeEach(async () => {
  at = await stripeScene()
  const schedule = { reminder_days: [1], grace_days: 15, suspends: true, bills_without_access: false }
  await at.acme.staff.put('/admin/dunning/entity_br', { schedule })
})
afterEach(() => at.close())

const look = async (payment: Bought) => (await at.buyer.get(subscriptionPath(payment))).data
const entitlementOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}`)).data
const atStripe = ({ subscription }: Bought) => at.stripe.subscriptions.get(subscription)
const happened = (payment: Bought) => sendEvent(at, 'customer.subscription.updated', { ...atStripe(payment) })

/** The second month could not be charged, and what it would renew is suspended. */
async function inArrears() {
  const payment = await begun(at, 1)
  const unpaid = at.stripe.failRenewal(payment.subscription)
  await sendEvent(at, 'invoice.payment_failed', { ...unpaid })
  await happened(payment)
  expect((await look(payment)).status).toBe('past_due')
  const { suspends_at } = await entitlementOf(payment)
  await goTo(at, suspends_at)
  expect(await entitlementOf(payment)).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
  return { payment, unpaid }
}

it('pauses it there, as the mail of the failed charge has said, and resumes it with the payment', async () => {
  const { payment, unpaid } = await inArrears()
  expect(atStripe(payment)).toMatchObject({ pause_collection: { behavior: 'void' } })
  expect(await look(payment)).toMatchObject({ status: 'paused', paused_by: 'arrears' })
  const [mail] = (await mailsTo(at.app, at.acme.owner.email)).filter(({ subject }) =>
    subject.includes('charge for order'),
  )
  expect(mail?.text).toMatch(/is suspended from .* on\.[^]*we make no further invoices/)
  const paid = at.stripe.pay(unpaid.id)
  for (let times = 0; times < 2; times++) await sendEvent(at, 'invoice.paid', paid)
  await happened(payment)
  expect(atStripe(payment)?.pause_collection).toBe(null)
  expect(await look(payment)).toMatchObject({ status: 'active', paused_by: null, order_status: 'completed' })
  expect((await entitlementOf(payment)).status).toBe('active')
  expect(await deadLetters(at.app)).toEqual([])
})

it('charges a new month at once where the unpaid one is over, and stops again where that fails', async () => {
  const { payment, unpaid } = await inArrears()
  // Months in which nothing is collected.
  for (let month = 0; month < 2; month++) expect(at.stripe.renew(payment.subscription).status).toBe('void')
  await goTo(at, new Date(at.app.clock.now.getTime() + 60 * 86_400_000))
  await sendEvent(at, 'invoice.paid', at.stripe.pay(unpaid.id))
  expect(await look(payment)).toMatchObject({ status: 'active', paused_by: null })
  expect((await entitlementOf(payment)).status).toBe('suspended')
  const again = at.stripe.failRenewal(payment.subscription)
  await sendEvent(at, 'invoice.payment_failed', { ...again })
  expect(await look(payment)).toMatchObject({ status: 'paused', paused_by: 'arrears' })
  await sendEvent(at, 'invoice.paid', at.stripe.pay(again.id))
  await happened(payment)
  expect(await look(payment)).toMatchObject({ status: 'active' })
})
