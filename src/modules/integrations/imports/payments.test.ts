// Imports of payments that another system had recorded: the invoice is paid, and nobody hears of it.
import { taxScene } from '#test/scenes/tax-scene.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { Speaker } from '#test/harness/world.ts'
import { csv, errorsOf, imported, importScene, outcomes, type ImportScene } from '#test/scenes/imports.ts'

let at: ImportScene
let inside: Speaker
beforeAll(async () => {
  at = await importScene()
  inside = at.app.world.inside(at.staff, at.acme.id)
  const invoice = { currency: 'BRL', total: '100.00', issue_date: '2020-01-10', due_date: '2020-01-20' }
  const lines = ['1', '2', '3', '4'].map((nth) => ({
    ...invoice,
    external_id: `i${nth}`,
    number: `OLD-${nth}`,
    organization_id: nth === '4' ? at.id : at.acme.id,
  }))
  await imported(at.app, at.staff, { kind: 'invoices' }, lines)
})
afterAll(() => at.app.close())

const invoiceOf = async (nth: string) =>
  (await inside.get('/invoices')).data.find(({ number }: { number: string }) => number === `OLD-${nth}`)
const mails = () => at.app.database.query(`select id, kind from mails where status <> 'dropped' order by id`)

const columns = ['external_id', 'organization_id', 'invoice_external_id', 'amount', 'paid_at', 'reference']
const file = () =>
  csv(
    [...columns, 'payment_method'],
    ['p1', `${at.acme.id}`, 'i1', '100,00', '15/01/2020', 'TX-1', 'pix'],
    ['p2', `${at.acme.id}`, 'i2', '40,00', '15/01/2020', '', 'boleto'],
    ['p3', `${at.acme.id}`, 'i4', '100,00', '15/01/2020', '', ''],
    ['p4', `${at.acme.id}`, 'i3', '100,00', '09/01/2020', '', ''],
    ['p5', `${at.acme.id}`, 'i3', '0,00', '15/01/2020', '', ''],
    ['p6', `${at.acme.id}`, '', '10,00', '15/01/2020', '', ''],
    ['p7', `${at.acme.id}`, 'i3', '', '', '', ''],
    ['p1', `${at.acme.id}`, 'i3', '100,00', '15/01/2020', '', ''],
    ['p8', `${at.acme.id}`, 'i9', '100,00', '15/01/2020', '', ''],
  )
const asked = { kind: 'payments', decimal_separator: ',', date_format: 'dd/mm/yyyy' }

describe('payments', () => {
  it('pay the invoice on their day, without a mail', async () => {
    const before = await mails()
    const dry = await imported(at.app, at.staff, { ...asked, dry_run: 'true' }, file())
    expect(await invoiceOf('1')).toMatchObject({ status: 'open', amount_paid: '0.00' })
    const done = await imported(at.app, at.staff, asked, file())
    expect(errorsOf(done)).toEqual([
      null,
      null,
      { invoice_external_id: 'names nothing that was imported from this source' },
      { paid_at: expect.stringContaining('must not be before 2020-01-10') },
      { amount: 'must be more than 0' },
      { invoice_external_id: 'is required, or invoice_id' },
      { amount: 'is required', paid_at: 'is required' },
      { external_id: 'is that of line 2' },
      { invoice_external_id: 'names nothing that was imported from this source' },
    ])
    expect(errorsOf(dry)).toEqual(errorsOf(done))
    expect(await invoiceOf('1')).toMatchObject({
      status: 'paid',
      payment_status: 'paid',
      payment_date: '2020-01-15',
      payment_method: 'pix',
      amount_due: '0.00',
    })
    expect(await invoiceOf('2')).toMatchObject({ status: 'open', amount_paid: '40.00', amount_due: '60.00' })
    expect((await inside.get(`/payments/${done.lines[0].resource_id}`)).data).toMatchObject({
      source: 'import',
      provider: null,
      reference: 'TX-1',
      amount: '100.00',
      payment_date: '2020-01-15',
      surplus: '0.00',
    })
    expect(await mails()).toEqual(before)
    const again = await imported(at.app, at.staff, asked, file())
    expect(outcomes(again).slice(0, 2)).toEqual(['unchanged', 'unchanged'])
    expect(await invoiceOf('2')).toMatchObject({ amount_paid: '40.00' })
  })
  it('of more than is due go to the credit balance without a mail; one that staff record has its receipt', async () => {
    const before = await mails()
    const { id } = await invoiceOf('3')
    const line = { organization_id: at.acme.id, invoice_id: id, amount: '130.00', paid_at: '2020-02-01T12:00:00Z' }
    const done = await imported(at.app, at.staff, { kind: 'payments' }, [{ ...line, external_id: 'p9' }])
    expect((await inside.get(`/payments/${done.lines[0].resource_id}`)).data).toMatchObject({ surplus: '30.00' })
    expect(await mails()).toEqual(before)
    const { id: owed } = await invoiceOf('2')
    expect((await inside.post(`/invoices/${owed}/pay`, {})).status).toBe(200)
    await at.app.service.worker.drain()
    expect((await mails()).length).toBeGreaterThan(before.length)
  })
  it('are none that lie in the future; of today, as a day, they are, also before noon', async () => {
    const now = at.app.clock.now
    const day = (days: number) => dayIn(new Date(now.getTime() + days * 86_400_000), 'America/Sao_Paulo')
    const { id } = await invoiceOf('3')
    const paid = (nth: string, paid_at: string) => [nth, `${at.acme.id}`, `${id}`, '1.00', paid_at]
    const head = ['external_id', 'organization_id', 'invoice_id', 'amount', 'paid_at']
    const rows = csv(head, paid('n1', day(0)), paid('n2', day(2)), paid('n3', '2999-01-01T00:00:00.000Z'))
    const done = await imported(at.app, at.staff, { kind: 'payments' }, rows)
    const future = { paid_at: 'must not lie in the future' }
    expect(errorsOf(done).slice(1)).toEqual([future, future])
    expect(Object.keys(errorsOf(done)[0] ?? {})).not.toContain('paid_at')
  })
  it('of another organization’s invoice are refused', async () => {
    const [other] = await at.app.database.query<{ id: number }>(`select id from invoices where number = 'OLD-4'`)
    const line = { external_id: 'x1', organization_id: at.acme.id, amount: '1.00', paid_at: '2020-02-01T12:00:00Z' }
    const done = await imported(at.app, at.staff, { kind: 'payments' }, [{ ...line, invoice_id: Number(other?.id) }])
    expect(errorsOf(done)).toEqual([{ row: expect.any(String) }])
  })
})

describe('an imported payment', () => {
  it('brings no tax invoice, which the other system has issued; one that staff record does', async () => {
    const scene = await taxScene()
    try {
      const org = await scene.app.world.organization()
      const staff = scene.app.world.speaker({ authorization: org.staff.headers['authorization'] ?? '' }, org.staff)
      const bill = { organization_id: org.id, company: 'entity_br', currency: 'BRL', total: '50.00' }
      const invoices = await imported(scene.app, staff, { kind: 'invoices' }, [
        { ...bill, external_id: 'old', number: 'T-1', issue_date: '2020-01-10', due_date: '2020-01-20' },
        { ...bill, external_id: 'new', number: 'T-2' },
      ])
      const paid = { organization_id: org.id, invoice_external_id: 'old', amount: '50.00' }
      const lines = [{ ...paid, external_id: 'p1', paid_at: '2020-01-15T12:00:00Z' }]
      expect(outcomes(await imported(scene.app, staff, { kind: 'payments' }, lines))).toEqual(['created'])
      expect((await org.staff.post(`/invoices/${invoices.lines[1].resource_id}/pay`, {})).status).toBe(200)
      await scene.work()
      const declared = await scene.app.database.query('select invoice_id from tax_invoices')
      expect(declared).toEqual([{ invoice_id: invoices.lines[1].resource_id }])
    } finally {
      await scene.app.close()
    }
  })
})
