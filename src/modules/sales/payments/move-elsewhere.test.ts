// A payment that was recorded on an invoice of the wrong organization: nobody learns who the other one is.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline', STAFF_ENTRY: 'reason' } })
const [acme, beta] = [
  await app.world.organization({ name: 'Acme Wrong' }),
  await app.world.organization({ name: 'Beta Right' }),
]
const drain = () => app.service.worker.drain()
const ACCOUNT = { company: 'entity_br', currency: 'BRL' }

const entered = async ({ id, staff }: Organization, who = staff) => {
  const answer = await who.post(`/admin/organizations/${id}/entries`, { reason: 'Payments' })
  expect(answer.status, answer.raw.body).toBe(201)
}

async function written({ staff }: Organization, body: object = {}): Promise<number> {
  const answer = await staff.post('/invoices', { ...ACCOUNT, total: '150.00', status: 'open', ...body })
  expect(answer.status, answer.raw.body).toBe(201)
  await drain()
  return answer.data.id
}

async function paid({ staff }: Organization, id: number, body: object = {}): Promise<number> {
  await staff.post(`/invoices/${id}/pay`, body)
  return (await staff.get(`/invoices/${id}/payments`)).data[0].id
}

const invoiceOf = async ({ owner }: Organization, id: number) => (await owner.get(`/invoices/${id}`)).data
const move = (payment: number, invoice_id: number, to: Organization | { id: number } = beta, who = acme.staff) =>
  who.post(`/payments/${payment}/move`, { invoice_id, to_organization_id: to.id })

/** All that the owner can read about money, as text. */
async function readBy({ owner }: Organization): Promise<string> {
  const paths = [
    'payments',
    'invoices',
    'credit-balances',
    'audit-log',
    'events',
    `account-statement?company=entity_br&currency=BRL`,
  ]
  const answers: Answer[] = []
  for (const path of paths) answers.push(await owner.get(`/${path}${path.includes('?') ? '&' : '?per_page=100'}`))
  const mails = await mailsTo(app, owner.email)
  return [...answers.map(({ raw }) => raw.body), ...mails.map(({ subject, text }) => subject + text)].join('\n')
}

describe('POST /payments/{id}/move to another organization', () => {
  it('200: it is open again here and paid there, with one receipt, and each learns its own part', async () => {
    await entered(acme)
    await entered(beta)
    const due = { number: 'W-1', issue_date: '2026-01-10', due_date: '2026-01-31' }
    const [wrong, right] = [await written(acme, due), await written(beta, { ...due, number: 'R-1', total: '100.00' })]
    const paid_at = '2026-01-20T15:00:00.000Z'
    const id = await paid(acme, wrong, { payment_method: 'pix', paid_at, external_id: 'bank-1', metadata: { of: 'x' } })
    await drain()
    const answer = await acme.staff.post(`/payments/${id}/move`, {
      invoice_id: right,
      to_organization_id: beta.id,
      reason: 'Another customer',
    })
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.data).toMatchObject({ id, moved_at: app.clock.now.toISOString(), moved_to_id: null })
    await drain()
    expect(await invoiceOf(acme, wrong)).toMatchObject({ status: 'open', amount_due: '150.00' })
    expect(await invoiceOf(beta, right)).toMatchObject({ status: 'paid', paid_at, payment_date: '2026-01-20' })
    const [there] = (await beta.owner.get(`/invoices/${right}/payments`)).data
    const anew = { amount: '150.00', surplus: '50.00', source: 'by_hand', payment_method: 'pix', paid_at }
    expect(there).toMatchObject({ ...anew, recorded_by: acme.staff.userId, moved_from_id: null })
    expect(there).toMatchObject({ external_id: null, metadata: {} })
    expect((await beta.owner.get('/credit-balances')).data).toMatchObject([{ amount: '50.00' }])
    // Staff find both ends by the request.
    const ofRequest = await app.database.query(
      `select distinct organization_id, actor_id from audit_log
        where resource = 'payment' and request_id = $1 order by 1`,
      [answer.headers['x-request-id']],
    )
    expect(ofRequest).toEqual([acme, beta].map((one) => ({ organization_id: one.id, actor_id: acme.staff.userId })))
    const [here, elsewhere] = [await readBy(acme), await readBy(beta)]
    for (const secret of ['Beta', 'R-1', `"organization_id":${beta.id}`, `"id":${there.id},"organization_id"`])
      expect(here).not.toContain(secret)
    for (const secret of ['Acme', 'W-1', 'bank-1', 'Another customer', `"organization_id":${acme.id}`])
      expect(elsewhere).not.toContain(secret)
    expect(here).toContain('by mistake')
    expect(elsewhere).toContain('Receipt: R$150.00 for invoice R-1')
    const { closing } = (await acme.owner.get('/account-statement?company=entity_br&currency=BRL')).data
    expect(closing).toBe('150.00')
  })
  it('403 without an entry there and for an API key; 404 for what is not there; 409 for a draft', async () => {
    const [wrong, right] = [await written(acme), await written(beta)]
    const id = await paid(acme, wrong)
    const clerk = await acme.staffAs('finance')
    await entered(acme, clerk)
    const refused = await move(id, right, beta, clerk)
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'entry_needed'])
    const key = app.world.inside(await vendorKey(app, { permissions: ['finances:write', 'finances:read'] }), acme.id)
    const ofKey = await move(id, right, beta, key)
    expect([ofKey.status, ofKey.errors?.reason]).toEqual([403, 'person_needed'])
    expect((await move(id, await written(acme), acme, key)).status).toBe(200)
    const again = await paid(acme, wrong)
    expect((await move(again, right, { id: 999_999_999 })).status).toBe(404)
    expect((await move(again, 999_999_999)).status).toBe(404)
    expect((await move(again, wrong)).status).toBe(404)
    expect((await acme.staff.post(`/payments/${again}/move`, { invoice_id: right })).status).toBe(404)
    expect((await move(again, await written(beta, { status: 'draft' }))).status).toBe(409)
    const usd = await move(again, await written(beta, { currency: 'USD' }))
    expect([usd.status, Object.keys(usd.errors?.fields ?? {})]).toEqual([422, ['invoice_id']])
    expect((await acme.owner.post(`/payments/${again}/move`, { invoice_id: right })).status).toBe(403)
    const gone = await app.world.organization()
    await entered(gone)
    const theirs = await written(gone)
    await app.database.query('update organizations set deleted_at = now() where id = $1', [gone.id])
    expect((await move(again, theirs, gone)).status).toBe(404)
  })
  it('200 once of two at once, also where the invoice is void by the time that it arrives', async () => {
    const [wrong, one, other] = [await written(acme), await written(beta), await written(beta)]
    const id = await paid(acme, wrong)
    const answers = await Promise.all([move(id, one), move(id, other)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    for (const invoice of [one, other]) await beta.staff.post(`/invoices/${invoice}/void`)
    await drain()
    const arrived = await app.database.query<{ amount: string; surplus: string }>(
      'select amount, surplus from payments where organization_id = $1 and invoice_id = any($2)',
      [beta.id, [one, other]],
    )
    expect(arrived).toEqual([{ amount: '150.00', surplus: '150.00' }])
  })
  it('200 for what staff left behind: the role of whoever moved it may have ended', async () => {
    const [wrong, right] = [await written(acme), await written(beta)]
    const id = await paid(acme, wrong)
    const clerk = await acme.staffAs('finance')
    for (const place of [acme, beta]) await entered(place, clerk)
    expect((await move(id, right, beta, clerk)).status).toBe(200)
    await app.database.query(`update users set roles = '{customer}' where id = $1`, [clerk.userId])
    await drain()
    expect(await invoiceOf(beta, right)).toMatchObject({ status: 'paid' })
  })
})
