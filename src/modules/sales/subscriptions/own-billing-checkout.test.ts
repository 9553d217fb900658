// A renewal's invoice where there is a payment provider: mailed, paid at its checkout, with a commission.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { affiliateIn } from '#test/scenes/affiliates.ts'
import { eventually, pressPay } from '#test/scenes/commerce.ts'
import {
  accepted,
  type BillingScene,
  billingScene,
  entitlementsOf,
  invoicesOf,
  MONTHLY,
  work,
} from '#test/scenes/own-billing.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

let at: BillingScene
beforeAll(async () => {
  at = await billingScene({ listens: true, environment: { ENTITY_BR_PAYMENTS: 'sandbox' } })
})
afterAll(() => at.app.close())

it('is mailed, and extends what it pays for once it is paid', async () => {
  const { app, acme, buyer } = at
  // So that the second month is billed at once, and the third is not.
  await acme.staff.put(`/organizations/${acme.id}`, { renewal_invoice_days: 45 })
  const partner = await app.world.organization()
  const { id: affiliate, code: affiliate_code } = await affiliateIn(partner, { commission_rate: '10.00' })
  const sale = await accepted(at, [MONTHLY], { affiliate_code })
  const [{ link }] = await invoicesOf(at, sale)
  expect(await pressPay(link)).toBe(303)
  await eventually(
    app,
    () => entitlementsOf(at, sale),
    (all) => all.length === 1,
  )
  await work(at)
  const billed = await eventually(
    app,
    () => invoicesOf(at, sale),
    (all) => typeof all[1]?.link === 'string',
  )
  expect(billed).toHaveLength(2)
  expect(billed[1]).toMatchObject({ status: 'open', origin: 'subscription', total: '105.00' })
  const subjects = (await mailsTo(app, buyer.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes(billed[1].number))).toHaveLength(1)
  expect(await pressPay(billed[1].link)).toBe(303)
  const isExtended = ([one]: { expires_at?: string }[]) => one?.expires_at === billed[1].period_end
  await eventually(app, () => entitlementsOf(at, sale), isExtended)
  expect((await invoicesOf(at, sale))[1]).toMatchObject({ status: 'paid', payment_method: expect.any(String) })
  const referrals = (await partner.owner.get(`/affiliates/${affiliate}/referrals`)).data
  expect(referrals.map(({ amount }: { amount: string }) => amount)).toEqual(['10.00', '10.00'])
})
