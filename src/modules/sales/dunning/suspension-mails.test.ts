// The mails about a suspension for what is due, and about its end.
import { expect, it } from 'vitest'
import { enqueueMail, mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile({ environment: { PORTAL_URL: 'https://portal.example' } })

type Scene = { acme: Organization; dunning: Dunning; invoice: { id: number; number: string }; sold: number[] }

/** An organization with two products that one invoice bills, which is due in five days and suspends them after twenty. */
async function scene(): Promise<Scene> {
  const acme = await app.world.organization({ name: 'Acme' })
  const dunning = dunningAt(app, () => [acme.owner, acme.staff])
  await dunning.wake()
  const both = [
    await entitlement(acme, { product_name: 'Backup' }),
    await entitlement(acme, { product_name: 'Course' }),
  ]
  const line_items = both.map(({ code, product_name }) => ({
    product_name,
    quantity: 1,
    unit_price: '10.00',
    entitlement_code: code,
  }))
  const invoice = await dunning.owes(acme, { line_items, link: 'https://pay.example/1' })
  return { acme, dunning, invoice, sold: both.map(({ id }) => id) }
}

const ABOUT = /Suspended|Active again/
const mailsOf = async ({ acme }: Scene) =>
  (await mailsTo(app, acme.owner.email)).filter(({ subject }) => ABOUT.test(subject)).toReversed()
const subjectsOf = async (at: Scene) => (await mailsOf(at)).map(({ subject }) => subject)
const SUSPENDED = 'Suspended for an overdue payment: Backup and 1 more'
const RESUMED = 'Active again: Backup and 1 more'

it('is one for all that an invoice suspends: what, why, how much and where to pay; and one when it is paid', async () => {
  const at = await scene()
  const late = await at.acme.member({ scopes: ['finances'] })
  await at.acme.member({ scopes: ['entitlements'], email: 'engineer@acme.example' })
  await at.dunning.pass(21)
  for (let run = 0; run < 3; run++) await at.dunning.pass(1)
  expect(await subjectsOf(at)).toEqual([SUSPENDED])
  const [mail] = await mailsOf(at)
  for (const word of ['Backup (', 'Course (', at.invoice.number, '20.00', '/invoices/'])
    expect(mail?.text).toContain(word)
  expect((await mailsTo(app, late.email)).map(({ subject }) => subject)).toContain(SUSPENDED)
  expect(await mailsTo(app, 'engineer@acme.example')).toEqual([])
  await at.acme.staff.post(`/invoices/${at.invoice.id}/pay`, {})
  await at.dunning.drain()
  expect(await subjectsOf(at)).toEqual([SUSPENDED, RESUMED])
})

it('is in Portuguese for who reads that', async () => {
  const at = await scene()
  const member = await at.acme.member({ scopes: ['finances'] })
  await app.database.query(`update users set language = 'pt-BR' where id = $1`, [member.userId])
  await at.dunning.pass(21)
  const subjects = (await mailsTo(app, member.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Suspenso por falta de pagamento: Backup e mais 1')
})

it('comes again with the next suspension', async () => {
  const at = await scene()
  await at.dunning.pass(21)
  await at.acme.staff.put(`/invoices/${at.invoice.id}/due-date`, {
    due_date: at.dunning.day(1),
    reason: 'Asked for it',
  })
  await at.dunning.drain()
  await at.dunning.pass(17)
  expect(await subjectsOf(at)).toEqual([SUSPENDED, RESUMED, SUSPENDED])
})

it('is none for what is paid, or held by staff, before it is sent', async () => {
  for (const act of ['pay', 'hold']) {
    const at = await scene()
    const { staff, owner } = at.acme
    await at.dunning.pass(21)
    if (act === 'pay') await staff.post(`/invoices/${at.invoice.id}/pay`, {})
    else await staff.put('/dunning/hold', { until: at.dunning.day(0), reason: 'Payment plan' })
    await at.dunning.drain()
    for (const resource_id of at.sold)
      await enqueueMail(app, at.acme.id, { mail: 'entitlements-suspended', resource_id, user_id: owner.userId })
    expect((await subjectsOf(at)).filter((subject) => subject === SUSPENDED)).toHaveLength(1)
  }
})

it('is none for a suspension by staff, nor for its end', async () => {
  const at = await scene()
  const path = `/entitlements/${at.sold[0]}`
  await at.acme.staff.post(`${path}/suspend`, { reason: 'Abuse' })
  await at.dunning.drain()
  await at.acme.staff.post(`${path}/resume`, {})
  await at.dunning.drain()
  expect(await subjectsOf(at)).toEqual([])
})
