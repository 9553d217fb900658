// The statement of account: its order, its sums after random operations from fixed seeds, the PDF and the CSV.
import { chances } from '#test/harness/chances.ts'
import { describe, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })

const ACCOUNT = 'company=entity_br&currency=BRL'
const drain = () => app.service.worker.drain()
const statementOf = async ({ owner }: Organization, period = '') =>
  (await owner.get(`/account-statement?${ACCOUNT}${period}`)).data
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

async function written({ staff }: Organization, body: object = {}): Promise<number> {
  const invoice = { currency: 'BRL', company: 'entity_br', total: '100.00', status: 'open' }
  const answer = await staff.post('/invoices', { ...invoice, ...body })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}

const brief = (lines: Answer['data'][]) => lines.map(({ date, kind, amount, balance }) => [date, kind, amount, balance])

describe('GET /account-statement', () => {
  it('200 with each change in its order, from what was owed to what is', async () => {
    const acme = await app.world.organization()
    const id = await written(acme, { number: 'OLD-1', issue_date: '2026-01-31', due_date: '2026-02-28' })
    // The last minute of January in the legal entity’s zone.
    const paid = { amount: '130.00', paid_at: '2026-02-01T02:59:00Z' }
    expect((await acme.staff.post(`/invoices/${id}/pay`, paid)).status).toBe(200)
    const later = { issue_date: '2026-02-10', due_date: '2026-02-28' }
    const other = await written(acme, { number: 'OLD-2', total: '50.00', ...later })
    await acme.staff.post(`/invoices/${other}/pay`, { amount: '60.00', paid_at: '2026-02-11T12:00:00Z' })
    await written(acme, { number: 'USD-1', currency: 'USD', ...later })
    await drain()
    const { lines, opening, closing } = await statementOf(acme)
    expect(brief(lines)).toEqual([
      ['2026-01-31', 'invoice', '100.00', '100.00'],
      ['2026-01-31', 'payment', '-130.00', '-30.00'],
      ['2026-02-10', 'invoice', '50.00', '20.00'],
      ['2026-02-11', 'payment', '-60.00', '-40.00'],
    ])
    expect([opening, closing, lines[0].reference]).toEqual(['0.00', '-40.00', 'OLD-1'])
    const february = await statementOf(acme, '&date_from=2026-02-01&date_to=2026-02-10')
    expect(february).toMatchObject({ opening: '-30.00', closing: '20.00', lines: [{ id: other }] })
    const before = await statementOf(acme, '&date_to=2026-01-01')
    expect(before).toMatchObject({ opening: '0.00', lines: [], closing: '0.00' })
  })
  it('200 for sums that are larger than any amount', async () => {
    const acme = await app.world.organization()
    const most = { total: '9999999999999.99', issue_date: '2026-01-31', due_date: '2026-02-28' }
    for (const number of ['OLD-1', 'OLD-2']) await written(acme, { ...most, number })
    const sums = { opening: '19999999999999.98', closing: '19999999999999.98' }
    expect(await statementOf(acme, '&date_from=2026-02-01')).toMatchObject(sums)
  })
  it('422 without an account, for an unknown currency and too many lines; 403 without the scope', async () => {
    const acme = await app.world.organization()
    const fieldsOf = async (query: string) => {
      const { status, errors } = await acme.owner.get(`/account-statement?${query}`)
      return [status, Object.keys(errors?.fields ?? {})]
    }
    expect(await fieldsOf('')).toEqual([422, ['company', 'currency']])
    expect(await fieldsOf('company=entity_br&currency=ZZZ')).toEqual([422, ['currency']])
    const member = await acme.member({ scopes: ['quotes'] })
    for (const path of ['', '/pdf', '/csv'])
      expect((await member.get(`/account-statement${path}?${ACCOUNT}`)).status).toBe(403)
    await app.database.query(
      `insert into payments (organization_id, company, currency, amount, surplus, source, paid_at, payment_date)
       select $1, 'entity_br', 'BRL', '0.01', '0.01', 'by_hand', now(), date '2000-01-01' + n / 1000
         from generate_series(1, 100000) n`,
      [acme.id],
    )
    expect(await fieldsOf(ACCOUNT)).toEqual([422, ['date_from']])
    const day = await statementOf(acme, '&date_from=2000-02-01&date_to=2000-02-05')
    expect([day.lines.length, day.opening, day.closing]).toEqual([5000, '-309.99', '-359.99'])
    expect((await acme.owner.get(`/account-statement/pdf?${ACCOUNT}&date_to=2000-01-02`)).status).toBe(422)
  })
})

describe('a period that ends before it begins', () => {
  it.each(['', '/csv', '/pdf'])('422 at /account-statement%s, for no closing is that of its end', async (path) => {
    const acme = await app.world.organization()
    await written(acme, { number: 'OLD-1', issue_date: '2026-01-31', due_date: '2026-02-28' })
    const ask = (period: string, language = 'en') =>
      acme.owner.get(`/account-statement${path}?${ACCOUNT}${period}`, { 'accept-language': language })
    const wrong = await ask('&date_from=2026-03-01&date_to=2026-02-28')
    expect([wrong.status, wrong.errors?.fields]).toEqual([422, { date_from: 'must not be after date_to' }])
    const errado = await ask('&date_from=2026-03-01&date_to=2026-02-28', 'pt-BR')
    expect(errado.errors?.fields).toEqual({ date_from: 'não pode ser depois de date_to' })
    expect((await ask('&date_from=2026-03-01&date_to=2026-03-01')).status).toBe(200)
  })
})

describe('the files', () => {
  it('CSV: one record for each line, quoted, and no text that a spreadsheet would run', async () => {
    const acme = await app.world.organization()
    const dates = { issue_date: '2026-01-31', due_date: '2026-02-28' }
    for (const number of ['=1+2,"x"', '+3']) await written(acme, { number, ...dates })
    await app.database.query(`update invoices set number = E'@a\\nb' where number = '+3'`)
    const { raw } = await acme.owner.get(`/account-statement/csv?${ACCOUNT}`)
    expect(raw.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head, opening, first = '', ...rest] = raw.body.replace(/^\ufeff/, '').split('\r\n')
    expect(head).toBe('date,kind,id,reference,amount,balance,currency')
    expect(opening).toBe(',opening,,,,0.00,BRL')
    expect(first).toMatch(/^2026-01-31,invoice,\d+,"'=1\+2,""x""",100.00,100.00,BRL$/)
    expect(rest.join('|')).toMatch(/^2026-01-31,invoice,\d+,"'@a\nb",100.00,200.00,BRL\|,closing,,,,200.00,BRL\|$/)
  })
  it('PDF: in both languages, with what is owed', async () => {
    const acme = await app.world.organization()
    await written(acme, { number: 'OLD-1', issue_date: '2026-01-31', due_date: '2026-02-28' })
    const textIn = async (language: string) => {
      const headers = { 'accept-language': language }
      const { raw } = await acme.owner.get(`/account-statement/pdf?${ACCOUNT}`, headers)
      return textOn(raw.rawPayload).join(' ').replaceAll('\u00a0', ' ')
    }
    expect(await textIn('en')).toMatch(/Statement of\s+account[^]*Invoice OLD-1[^]*R\$\s?100\.00/)
    expect(await textIn('pt-BR')).toMatch(/Extrato de\s+conta[^]*Fatura OLD-1[^]*R\$\s?100,00/)
  })
})

const rowsOf = (table: string, { id }: Organization) =>
  app.database.query<Record<string, string> & { id: number }>(
    `select * from ${table} where organization_id = $1 order by id`,
    [id],
  )

/** What is owed of each invoice that is final, less the credit balance. */
async function owed(acme: Organization): Promise<bigint> {
  let sum = 0n
  for (const one of await rowsOf('invoices', acme)) {
    const { status = '', total = '', amount_credited = '', amount_paid = '', amount_refunded = '' } = one
    if (status === 'draft' || (status === 'void' && one['finalized_at'] === null)) continue
    if (status !== 'void') sum += cents(total) - cents(amount_credited)
    sum += cents(amount_refunded) - cents(amount_paid)
  }
  for (const { amount = '' } of await rowsOf('credit_balances', acme)) sum -= cents(amount)
  return sum
}

/** Invoices whose sums are not those of their payments and refunds, and payments whose surplus is in no entry. */
const astray = ({ id }: Organization) =>
  app.database.query(
    `select 'invoice' as what, i.id from invoices i where i.organization_id = $1
        and (i.amount_paid, i.amount_refunded) is distinct from (
          (select coalesce(sum(p.amount - p.surplus), 0) from payments p
            where p.organization_id = $1 and p.invoice_id = i.id and p.moved_at is null),
          (select coalesce(sum(r.amount), 0) from refunds r
            where r.organization_id = $1 and r.invoice_id = i.id and r.status = 'succeeded'))
     union all
     select 'payment', p.id from payments p where p.organization_id = $1 and p.surplus <> (
       select coalesce(sum(e.amount), 0) from credit_balance_entries e
        where e.organization_id = $1 and e.payment_id = p.id and e.kind = 'overpaid')
     union all
     select 'moved', p.id from payments p where p.organization_id = $1 and p.moved_at is not null
        and (p.surplus <> (select coalesce(sum(-e.amount), 0) from credit_balance_entries e
                            where e.organization_id = $1 and e.payment_id = p.id and e.kind = 'moved')
          or not exists (select 1 from payments n where n.organization_id = $1 and n.moved_from_id = p.id
                            and (n.amount, n.paid_at) = (p.amount, p.paid_at)))`,
    [id],
  )

async function played(seed: number): Promise<Organization> {
  const acme = await app.world.organization()
  const chance = chances(seed)
  const pick = <One>(all: readonly One[]): One | undefined => all[Math.floor(chance() * all.length)]
  const toInvoice = async (act: string, body: object) => {
    const one = pick(await rowsOf('invoices', acme))
    if (one) await acme.staff.post(`/invoices/${one.id}/${act}`, body)
  }
  const toRefund = async (act: string) => {
    const one = pick(await rowsOf('refunds', acme))
    if (one) await acme.staff.post(`/refunds/${one.id}/${act}`, {})
  }
  const amount = () => pick(['0.01', '33.33', '50.00', '100.00', '140.00']) ?? ''
  const change = { company: 'entity_br', currency: 'BRL' }
  const acts = [
    () => written(acme, { total: amount() }),
    () => written(acme, { status: 'draft' }),
    () => toInvoice('finalize', {}),
    () => toInvoice('pay', { amount: amount() }),
    () => toInvoice('pay', { amount: amount() }),
    () => toInvoice('credit-notes', { reason: 'x', amount: amount() }),
    () => toInvoice('refund', { amount: amount() }),
    () => toInvoice('void', {}),
    () => toInvoice('apply-credit-balance', {}),
    () => toRefund('settle'),
    () => toRefund('settle'),
    async () => {
      const [payment, invoice] = [pick(await rowsOf('payments', acme)), pick(await rowsOf('invoices', acme))]
      if (payment && invoice) await acme.staff.post(`/payments/${payment.id}/move`, { invoice_id: invoice.id })
    },
    async () => void (await acme.staff.post('/payments', { ...change, amount: amount() })),
    async () => {
      const kind = pick(['added', 'withdrawn'])
      await acme.staff.post('/credit-balances', { ...change, kind, amount: amount(), reason: 'x' })
    },
    async () => {
      const one = pick(await rowsOf('credit_balances', acme))
      if (one) await acme.staff.post(`/credit-balances/${one.id}/refund`, { amount: amount() })
    },
    drain,
  ]
  for (let step = 0; step < 60; step++) await pick(acts)?.()
  await drain()
  return acme
}

describe('after random operations', () => {
  it.each(seeds([1], [2, 3, 4]))('the closing is what is owed less the credit balance: seed %i', async (seed) => {
    const acme = await played(seed)
    const { opening, lines, closing } = await statementOf(acme)
    expect(lines.length).toBeGreaterThan(10)
    const sum = lines.reduce((all: bigint, line: { amount: string }) => all + cents(line.amount), cents(opening))
    expect(sum).toBe(cents(closing))
    expect(cents(closing)).toBe(await owed(acme))
    expect(await astray(acme)).toEqual([])
    const entries = await rowsOf('credit_balance_entries', acme)
    const [held] = await rowsOf('credit_balances', acme)
    expect(entries.reduce((all, one) => all + cents(one['amount'] ?? ''), 0n)).toBe(cents(held?.['amount'] ?? '0'))
    const today = lines.at(-1).date
    const rest = await statementOf(acme, `&date_from=${today}`)
    expect(rest.closing).toBe(closing)
  })
})
