// When an invoice gets its tax invoices: the rules of the legal entity, the organization and the products, once each
// whatever happens in which order.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, dayIn, dayOfNextMonth, startOfDay } from '#kernel/values/time/calendar.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { lineOf, openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const ZONE = 'America/Sao_Paulo'

let scene: TaxScene
let administrator: Speaker
beforeAll(async () => {
  scene = await taxScene()
  administrator = await scene.app.world.user({ roles: ['customer', 'administrator'] })
})
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const today = () => dayIn(scene.app.clock.now, ZONE)

async function organization(agreed: object = {}): Promise<Organization> {
  const org = await scene.app.world.organization()
  const answer = await org.staff.put(`/organizations/${org.id}`, { tax_issue_rule: null, ...agreed })
  expect(answer.status, answer.raw.body).toBe(200)
  return org
}

/** An invoice that staff finalize now; the jobs that follow have run. */
async function billed(org: Organization, more: object = {}, at: TaxScene = scene): Promise<number> {
  const body = { currency: 'BRL', company: 'entity_br', total: '150.00', status: 'open', ...more }
  const answer = await org.staff.post('/invoices', body)
  expect(answer.status, answer.raw.body).toBe(201)
  await at.work()
  return answer.data.id
}
const declaredOf = (invoice: number, at: TaxScene = scene) =>
  at.app.database.query<{ status: string; competence: string }>(
    'select status, competence::text from tax_invoices where invoice_id = $1 order by id',
    [invoice],
  )
const issuedOn = (competence: string) => [{ status: 'issued', competence }]
const beginOf = (day: string) => startOfDay(day, ZONE)
const justBefore = (day: string) => new Date(beginOf(day).getTime() - 1)

/** As after an event of the invoice. */
async function reconsider({ id }: Organization, invoice: number): Promise<void> {
  await scene.app.database.query(
    `insert into jobs (organization_id, kind, payload, run_at)
     values ($1, 'tax-invoices/open', jsonb_build_object('event_id', 1, 'resource_id', $2::bigint), $3)`,
    [id, invoice, scene.app.clock.now],
  )
  await scene.work()
}

const invoiceOf = async (org: Organization, ...products: (number | null)[]): Promise<number> => {
  const lines = products.map((product_id) => ({ ...lineOf('PLG', '10.00'), product_id }))
  const invoice = await openInvoice(scene.app, org, { total: `${products.length}0.00`, lines })
  await reconsider(org, invoice)
  return invoice
}

describe('on_payment', () => {
  it('issues nothing before the payment, and then with its day', async () => {
    const org = await organization()
    const invoice = await billed(org)
    expect(await declaredOf(invoice)).toEqual([])
    await payInvoice(org, invoice)
    await scene.work()
    expect(await declaredOf(invoice)).toEqual(issuedOn(today()))
  })
})

describe('on_finalize', () => {
  it.each([
    ['the rule', { tax_issue_rule: 'on_finalize' }],
    ['requires_invoice_for_payment', { requires_invoice_for_payment: true }],
    [
      'requires_invoice_for_payment, whatever the rule',
      { requires_invoice_for_payment: true, tax_issue_rule: 'on_payment' },
    ],
  ])('issues it before the payment, and none more with it: %s', async (_why, agreed) => {
    const org = await organization(agreed)
    const invoice = await billed(org)
    expect(await declaredOf(invoice)).toEqual(issuedOn(today()))
    await payInvoice(org, invoice)
    await scene.work()
    expect(await declaredOf(invoice)).toHaveLength(1)
  })
  it('issues nothing for a draft, and once when it is finalized', async () => {
    const org = await organization({ tax_issue_rule: 'on_finalize' })
    const invoice = await billed(org, { status: 'draft' })
    expect(await declaredOf(invoice)).toEqual([])
    await org.staff.post(`/invoices/${invoice}/finalize`)
    await scene.work()
    expect(await declaredOf(invoice)).toHaveLength(1)
  })
  it('is what the setting of the legal entity says', async () => {
    const other = await taxScene({ ENTITY_BR_TAX_ISSUE_RULE: 'on_finalize' })
    expect(await declaredOf(await billed(other.acme, {}, other), other)).toHaveLength(1)
    await other.acme.staff.put(`/organizations/${other.acme.id}`, { tax_issue_rule: 'on_payment' })
    expect(await declaredOf(await billed(other.acme, {}, other), other)).toEqual([])
    await other.app.close()
  })
})

describe('days_before_due', () => {
  it('issues it when that day begins in the time zone of the legal entity, once by two schedulers', async () => {
    const org = await organization({ tax_issue_rule: 'days_before_due:10' })
    const invoice = await billed(org, { due_date: addDays(today(), 30) })
    const day = addDays(today(), 20)
    await scene.workAt(justBefore(day))
    expect(await declaredOf(invoice)).toEqual([])
    await scene.workAt(beginOf(day), 2)
    expect(await declaredOf(invoice)).toEqual(issuedOn(day))
  })
  it('issues it at once when the day is past', async () => {
    const org = await organization({ tax_issue_rule: 'days_before_due:10' })
    expect(await declaredOf(await billed(org, { due_date: addDays(today(), 5) }))).toEqual(issuedOn(today()))
  })
  it('issues it with an earlier payment, and none more on the day', async () => {
    const org = await organization({ tax_issue_rule: 'days_before_due:10' })
    const invoice = await billed(org, { due_date: addDays(today(), 30) })
    await payInvoice(org, invoice)
    await scene.work()
    expect(await declaredOf(invoice)).toEqual(issuedOn(today()))
    await scene.workAt(beginOf(addDays(today(), 20)))
    expect(await declaredOf(invoice)).toHaveLength(1)
  })
})

describe('next_month_day', () => {
  it.each([true, false])('issues it on that day of the next month, paid before: %s', async (isPaid) => {
    const org = await organization({ tax_issue_rule: 'next_month_day:31' })
    const invoice = await billed(org)
    if (isPaid) await payInvoice(org, invoice)
    const day = dayOfNextMonth(today(), 31)
    await scene.workAt(justBefore(day))
    expect(await declaredOf(invoice)).toEqual([])
    await scene.workAt(beginOf(day))
    expect(await declaredOf(invoice)).toEqual(issuedOn(isPaid ? today() : day))
  })
  it.each(['void', 'mark-uncollectible'])('issues nothing after %s', async (act) => {
    const org = await organization({ tax_issue_rule: 'next_month_day:5' })
    const invoice = await billed(org)
    expect((await org.staff.post(`/invoices/${invoice}/${act}`)).status).toBe(200)
    await scene.workAt(beginOf(dayOfNextMonth(today(), 5)))
    expect(await declaredOf(invoice)).toEqual([])
  })
  it('issues it on the later day that was agreed since', async () => {
    const org = await organization({ tax_issue_rule: 'next_month_day:5' })
    const invoice = await billed(org)
    await org.staff.put(`/organizations/${org.id}`, { tax_issue_rule: 'next_month_day:20' })
    await scene.workAt(beginOf(dayOfNextMonth(today(), 5)))
    expect(await declaredOf(invoice)).toEqual([])
    await scene.workAt(beginOf(dayOfNextMonth(today(), 20)))
    expect(await declaredOf(invoice)).toHaveLength(1)
  })
})

describe('the rule of a product', () => {
  let next = 1
  const product = async (tax_issue_rule: string | null): Promise<number> => {
    const body = { sku: `RULE-${next++}`, name: 'Backup', entitlement_class: 'PLG', tax_issue_rule }
    const { data } = await administrator.post('/admin/products', body)
    expect(data.tax_issue_rule).toBe(tax_issue_rule)
    return data.id
  }

  it('counts before that of the legal entity, the earliest of the lines for all', async () => {
    const org = await organization()
    const [early, late, usual] = [await product('on_finalize'), await product('next_month_day:28'), await product(null)]
    expect(await declaredOf(await invoiceOf(org, early))).toHaveLength(1)
    expect(await declaredOf(await invoiceOf(org, usual, null))).toEqual([])
    const mixed = await invoiceOf(org, late, null, early)
    expect(await scene.app.database.query('select total from tax_invoices where invoice_id = $1', [mixed])).toEqual([
      { total: '30.00' },
    ])
  })
  it('counts less than what was agreed with the organization', async () => {
    const org = await organization({ tax_issue_rule: 'on_payment' })
    const invoice = await invoiceOf(org, await product('on_finalize'))
    expect(await declaredOf(invoice)).toEqual([])
    await payInvoice(org, invoice)
    await scene.work()
    expect(await declaredOf(invoice)).toHaveLength(1)
  })
})

describe('events that repeat', () => {
  it('issue nothing twice, and nothing in another currency', async () => {
    const org = await organization({ tax_issue_rule: 'on_finalize' })
    const invoice = await billed(org)
    await reconsider(org, invoice)
    await payInvoice(org, invoice)
    await reconsider(org, invoice)
    expect(await declaredOf(invoice)).toHaveLength(1)
    expect(await deadLetters(scene.app)).toEqual([])
    const foreign = await billed(org, { currency: 'USD' })
    expect(await declaredOf(foreign)).toEqual([])
    expect((await deadLetters(scene.app)).map(({ kind }) => kind)).toContain('tax-invoices/open')
    await scene.app.database.query('delete from jobs where dead_at is not null')
  })
})

describe('tax_issue_rule', () => {
  it.each([
    'on_due',
    'ON_PAYMENT',
    '',
    'days_before_due',
    'days_before_due:91',
    'days_before_due:-1',
    'next_month_day:0',
    'next_month_day:32',
    'next_month_day:05',
    5,
  ])('422 for %j, of an organization and of a product', async (tax_issue_rule) => {
    const org = await scene.app.world.organization()
    const body = { sku: 'RULE-X', name: 'Backup', entitlement_class: 'PLG', tax_issue_rule }
    for (const answer of [
      await org.staff.put(`/organizations/${org.id}`, { tax_issue_rule }),
      await administrator.post('/admin/products', body),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.errors?.fields).toHaveProperty('tax_issue_rule')
    }
  })
  it('422 for members of the organization, who see it', async () => {
    const org = await organization({ tax_issue_rule: 'next_month_day:31' })
    const answer = await org.owner.put(`/organizations/${org.id}`, { tax_issue_rule: 'on_payment' })
    expect([answer.status, answer.errors?.fields]).toEqual([422, { tax_issue_rule: 'only staff may set this' }])
    expect((await org.owner.get(`/organizations/${org.id}`)).data.tax_issue_rule).toBe('next_month_day:31')
  })
})
