// What people do in the console, clicked: paying, the acts of finance, NFS-e, received events, imports, what two change at
// once, and one act for several records.
import type { Locator } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { until } from '#test/harness/until.ts'
import { settled, type Visit } from '#test/harness/visit.ts'
import type { Answer } from '#test/harness/world.ts'
import { paidEvent, signedEvent } from '#test/scenes/commerce.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'

const STAFF = 'staff@titular.example'
const FLORA = 'flora.finance@titular.example'
const ANA = 'ana@padaria.example'

const mainOf = ({ page }: Visit): Locator => page.getByRole('main')
const dialogOf = ({ page }: Visit): Locator => page.getByRole('dialog')

/** Opens the act of that name. */
const begin = async (visit: Visit, name: string): Promise<void> => {
  await mainOf(visit).getByRole('button', { name, exact: true }).first().click()
  await dialogOf(visit).locator('button[type=submit]').waitFor()
}
/** Sends it, and is refused if it says something. */
async function send(visit: Visit): Promise<void> {
  await dialogOf(visit).locator('button[type=submit]').click()
  const alert = dialogOf(visit).getByRole('alert')
  await until(async () => (await dialogOf(visit).count()) === 0 || (await alert.count()) > 0)
  expect(await alert.allTextContents()).toEqual([])
  await settled(visit.page)
}
async function preview(visit: Visit): Promise<string> {
  await dialogOf(visit).locator('button[type=submit]').click()
  const follows = dialogOf(visit).getByRole('status')
  await follows.waitFor()
  return (await follows.innerText()).replaceAll('\u00a0', ' ')
}
async function choose(visit: Visit, label: string, option: string): Promise<void> {
  await dialogOf(visit).getByLabel(label, { exact: false }).first().click()
  await visit.page.getByRole('option', { name: option }).first().click()
}
const act = async (visit: Visit, name: string): Promise<void> => {
  await begin(visit, name)
  await send(visit)
}
const shows = (visit: Visit, text: string): Promise<void> =>
  mainOf(visit).getByText(text, { exact: true }).first().waitFor()

const pictureOf = (visit: Visit, title: string): Locator =>
  mainOf(visit)
    .locator('figure')
    .filter({ has: visit.page.getByRole('img', { name: title }) })

/** Of the timeline of the first invoice. */
async function entriesOf(visit: Visit, name: string): Promise<string[]> {
  await visit.open('/o/1/invoices/1')
  await visit.page.mouse.wheel(0, 10_000)
  await mainOf(visit).getByRole('button', { name }).click()
  const card = mainOf(visit)
    .locator('section')
    .filter({ has: visit.page.getByRole('heading', { name }) })
  await card.getByRole('listitem').first().waitFor()
  expect(visit.refused).toEqual([])
  return card.getByRole('listitem').allInnerTexts()
}
const kindsOf = (entries: readonly string[]): Set<string> => new Set(entries.map((one) => one.split('\n')[0] ?? ''))

describe.skipIf(CHROMIUM === null)('acts in the console', () => {
  const scene = consoleOfFile()
  const drain = (): Promise<unknown> => scene.app.service.worker.drain()

  /** A request beside the browser, as one of the demo's people. */
  async function ask(
    email: string,
    method: 'get' | 'post' | 'put' | 'patch',
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const { anonymous } = scene.app.world
    const { data } = await anonymous.post('/auth/login', { email, password: DEMO_SIGN_INS.password })
    const organization = /^\/o\/(\d+)/.exec(path)?.[1]
    const headers = {
      authorization: `Bearer ${data.access_token}`,
      ...(organization && { 'x-service-organization': organization }),
    }
    const address = path.replace(/^\/o\/\d+/, '')
    const answer = await (method === 'get'
      ? anonymous.get(address, headers)
      : anonymous[method](address, body, headers))
    expect(answer.errors, path).toBeNull()
    return answer
  }
  const openInvoice = async (): Promise<{ id: number; number: string }> => {
    const { data } = await ask(STAFF, 'post', '/o/1/invoices', {
      company: 'entity_br',
      currency: 'BRL',
      total: '100.00',
    })
    return (await ask(STAFF, 'post', `/o/1/invoices/${data.id}/finalize`, {})).data
  }

  describe('a customer', () => {
    it('accepts a quote, waits for the ways to pay, and goes on to the payment page', async () => {
      const visit = await scene.visit(ANA)
      const { page } = visit
      await visit.open('/o/1/quotes?status=sent')
      await mainOf(visit).locator('tbody a').last().click()
      await mainOf(visit).getByRole('link', { name: 'Aceitar' }).click()
      await page.getByRole('button', { name: 'Aceitar e pedir' }).click()
      await page.waitForURL(/\/o\/1\/invoices\/\d+$/)
      await page.getByText('A página de pagamento está sendo criada').waitFor()
      await drain()
      await page.getByRole('button', { name: 'Copiar o código Pix' }).waitFor()
      await page.getByRole('img', { name: 'O código Pix como QR code' }).waitFor()
      await mainOf(visit).getByRole('link', { name: 'Pagar' }).click()
      await page.waitForURL(/\/sandbox\/pay\//)
      expect(visit.refused).toEqual([])
    })
    it('chooses among the lines of a quote, sees what each costs, and cannot order what nobody typed', async () => {
      const line = { quantity: 10, unit_price: '120.00', entitlement_class: 'PLG', term_months: 12 }
      const { data } = await ask(STAFF, 'post', '/o/1/quotes', {
        company: 'entity_br',
        currency: 'BRL',
        valid_until: '2099-12-31',
        line_items: [
          { ...line, product_name: 'Setup', quantity: 1, unit_price: '300.00', is_optional: true, is_chosen: false },
          { ...line, product_name: 'Seats', discount_percent: '10.00', quantity_min: 5, quantity_max: 50 },
        ],
      })
      await ask(STAFF, 'post', `/o/1/quotes/${data.id}/send`, {})
      const visit = await scene.visit(ANA)
      await visit.open(`/o/1/accept/${data.id}`)
      const amounts = async (): Promise<string[]> =>
        (await mainOf(visit).locator('td[data-label="Valor"]').allInnerTexts()).map((text) =>
          text.replaceAll(/\s+/g, ' '),
        )
      const order = mainOf(visit).getByRole('button', { name: 'Aceitar e pedir' })
      const seats = mainOf(visit).getByLabel('Quantidade: Seats')
      await until(() => order.isEnabled())
      expect(await amounts()).toEqual(['R$ 300,00', 'R$ 1.080,00 Desconto -R$ 120,00'])
      await shows(visit, 'Opcional; fora do total')
      await mainOf(visit).getByRole('checkbox', { name: 'Levar Setup' }).check()
      await seats.fill('20')
      await until(() => order.isEnabled())
      expect(await amounts()).toEqual(['R$ 300,00', 'R$ 2.160,00 Desconto -R$ 240,00'])
      for (const wrong of ['', '51', '4']) {
        await seats.fill(wrong)
        await seats.blur()
        await shows(visit, 'De 5 a 50')
        expect([await order.isEnabled(), await seats.inputValue()]).toEqual([false, wrong])
      }
      await seats.fill('6')
      await until(() => order.isEnabled())
      await order.click()
      await visit.page.waitForURL(/\/o\/1\/invoices\/\d+$/)
      const { data: quote } = await ask(STAFF, 'get', `/o/1/quotes/${data.id}`)
      expect((await ask(STAFF, 'get', `/o/1/orders/${quote.order_id}`)).data.total).toBe('948.00')
      await visit.open(`/o/1/accept/${data.id}`)
      await shows(visit, 'Um orçamento com o status aceito não pode ser aceito')
      expect(await order.count()).toBe(0)
      await mainOf(visit).getByRole('link', { name: 'Ir para o pedido' }).click()
      await visit.page.waitForURL(/\/o\/1\/orders\/\d+$/)
      expect(visit.refused).toEqual([])
    })
    it('finds the invoice again on the quote that was accepted', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/o/1/quotes?status=accepted')
      await mainOf(visit).locator('tbody a').first().click()
      await mainOf(visit).locator('section', { hasText: 'Faturas' }).getByRole('link').first().click()
      await visit.page.waitForURL(/\/invoices\/\d+$/)
      expect(visit.refused).toEqual([])
    })
    it('rates a ticket', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/o/1/tickets?status=resolved')
      await mainOf(visit).locator('tbody a').first().click()
      await begin(visit, 'Avaliar o atendimento')
      await choose(visit, 'Avaliação', 'Boa')
      await send(visit)
      // What stands far down is read when it comes into sight.
      await visit.page.mouse.wheel(0, 10_000)
      await mainOf(visit).getByRole('button', { name: 'Satisfação' }).click()
      await shows(visit, 'Boa')
      expect(visit.refused).toEqual([])
    })
    it('types the postal code of the organization, which fills its address', async () => {
      const visit = await scene.visit(ANA)
      const { page } = visit
      const place = { neighborhood: null, city: 'São Paulo', state: 'SP', status: 'found' }
      const answers = [
        { zipcode: '99999999', address: null, ...place, city: null, state: null, status: 'unknown' },
        { zipcode: '01310100', address: 'Avenida Paulista', ...place },
      ]
      const held = Promise.withResolvers<void>()
      await page.route('**/api/v1/postal-codes/*', async (route) => {
        const data = answers.find(({ zipcode }) => route.request().url().endsWith(zipcode))
        if (data?.status === 'found') await held.promise
        await route.fulfill({ json: { success: true, message: null, data, meta: null, errors: null } })
      })
      await visit.open('/o/1/organization')
      await begin(visit, 'Alterar')
      const field = (label: string): Locator => dialogOf(visit).getByRole('textbox', { name: label, exact: true })
      const status = dialogOf(visit).getByRole('status')
      await field('Bairro').fill('Bela Vista')
      await field('Cidade').fill('Santos')
      await field('CEP').fill('99999-999')
      const unknown = page.waitForResponse(/postal-codes/)
      await field('CEP').press('Tab')
      await unknown
      await field('CEP').fill('01310-100')
      await field('CEP').press('Tab')
      await field('Estado').fill('RJ')
      expect([await field('Cidade').inputValue(), await status.textContent()]).toEqual(['Santos', ''])
      held.resolve()
      await status.getByText('O endereço foi preenchido pelo CEP.').waitFor()
      const address = ['Logradouro', 'Bairro', 'Cidade', 'Estado'].map((label) => field(label).inputValue())
      // What was not found stays, and so does what was typed before the answer came.
      expect(await Promise.all(address)).toEqual(['Avenida Paulista', 'Bela Vista', 'São Paulo', 'RJ'])
      const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
      await send(visit)
      expect((await answer).status()).toBe(200)
      expect((await ask(ANA, 'get', '/o/1/organizations/1')).data).toMatchObject({
        zipcode: '01310-100',
        address: 'Avenida Paulista',
        neighborhood: 'Bela Vista',
        city: 'São Paulo',
        state: 'RJ',
      })
      expect([visit.refused, visit.complaints]).toEqual([[], []])
    })
    it('reads why their data are used', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/me/purposes')
      await shows(visit, 'LGPD, art. 7, II')
      expect(visit.refused).toEqual([])
    })
  })

  describe('finance', () => {
    it('records a payment, mails an invoice again, moves its due date, credits it and writes it off', async () => {
      const { id, number } = await openInvoice()
      const visit = await scene.visit(FLORA)
      await visit.open(`/o/1/invoices/${id}`)
      await begin(visit, 'Record a payment')
      await dialogOf(visit).getByLabel('Amount').fill('30.00')
      await choose(visit, 'Paid by', 'Bank transfer')
      await send(visit)
      await shows(visit, 'R$70.00')
      await act(visit, 'Mail it again')
      await begin(visit, 'Change the due date')
      await dialogOf(visit).getByLabel('Due on').fill('2099-12-31')
      await dialogOf(visit).getByLabel('Reason').fill('As agreed')
      expect(await preview(visit)).toContain('Dec 31, 2099')
      await send(visit)
      await begin(visit, 'Create a credit note')
      await dialogOf(visit).getByLabel('Reason').fill('Too much')
      await dialogOf(visit).getByLabel('Amount').fill('10.00')
      expect(await preview(visit)).toMatch(/Still due\s+R\$70\.00\s+R\$60\.00/)
      await send(visit)
      await visit.page.waitForURL(/credit-notes/)
      await shows(visit, number)
      await visit.open(`/o/1/invoices/${id}`)
      await act(visit, 'Mark as uncollectible')
      await shows(visit, 'Uncollectible')
    })
    it('moves a payment to the invoice that it was for', async () => {
      const [wrong, right] = [await openInvoice(), await openInvoice()]
      const visit = await scene.visit(FLORA)
      await visit.open(`/o/1/invoices/${wrong.id}`)
      await act(visit, 'Record a payment')
      await mainOf(visit).locator('section', { hasText: 'Payments' }).getByRole('link').first().click()
      await begin(visit, 'Move to another invoice')
      await choose(visit, 'Invoice', right.number)
      expect(await preview(visit)).toContain(right.number)
      await send(visit)
      await visit.open(`/o/1/invoices/${right.id}`)
      await shows(visit, 'Paid')
    })
    it('sees late charges before they are billed', async () => {
      const visit = await scene.visit(FLORA)
      await visit.open('/all/dunning')
      await begin(visit, 'Change')
      await dialogOf(visit).getByLabel('Fine in percent').fill('2')
      await send(visit)
      const { id } = await openInvoice()
      await scene.app.database.query(`update invoices set due_date = '2020-01-02' where id = $1`, [id])
      await visit.open(`/o/1/invoices/${id}`)
      await mainOf(visit).getByRole('button', { name: 'Late charges' }).click()
      await act(visit, 'Bill late charges')
      await shows(visit, 'Late charges of')
      expect(visit.refused).toEqual([])
    })
    it('refunds, and decides what customers ask for', async () => {
      await ask(STAFF, 'patch', '/admin/settings/entity_br', { refunds: 'approve' })
      const visit = await scene.visit(FLORA)
      await visit.open('/o/1/invoices/1')
      await begin(visit, 'Refund')
      await dialogOf(visit).getByLabel('Amount').fill('5.00')
      expect(await preview(visit)).toContain('R$5.00')
      await send(visit)
      await visit.page.waitForURL(/\/refunds\/\d+$/)
      const asked = async (amount: string): Promise<number> =>
        (await ask(ANA, 'post', '/o/1/invoices/3/refund', { amount, reason: 'Not used' })).data.refund_id
      await visit.open(`/o/1/refunds/${await asked('10.00')}`)
      await act(visit, 'Approve')
      await begin(visit, 'Record the outcome')
      await choose(visit, 'Status', 'Done')
      await send(visit)
      await shows(visit, 'Done')
      await visit.open(`/o/1/refunds/${await asked('11.00')}`)
      await begin(visit, 'Reject')
      await dialogOf(visit).getByLabel('Reason').fill('It was used')
      await send(visit)
      await shows(visit, 'Rejected')
    })
    it('corrects what the tax authority refused, substitutes it, and cancels it', async () => {
      await ask(STAFF, 'put', '/o/1/organizations/1', { tax_param5: 'refuse' })
      const { id } = await openInvoice()
      const visit = await scene.visit(FLORA)
      await visit.open(`/o/1/invoices/${id}`)
      await act(visit, 'Issue the tax invoice')
      await drain()
      await visit.open('/all/tax-invoices?status=error')
      await mainOf(visit).locator('tbody a').first().click()
      await mainOf(visit).getByText('O CNPJ do tomador não foi encontrado').waitFor()
      await ask(STAFF, 'put', '/o/1/organizations/1', { tax_param5: null })
      await act(visit, 'Retry')
      await drain()
      await visit.page.reload()
      await shows(visit, 'Issued')
      await begin(visit, 'Substitute')
      await choose(visit, 'Reason by code', '99')
      await dialogOf(visit)
        .getByRole('textbox', { name: /^Reason/ })
        .last()
        .fill('The description was wrong')
      await send(visit)
      await drain()
      await visit.page.reload()
      await shows(visit, 'Replaces')
      await begin(visit, 'Cancel')
      await choose(visit, 'Reason by code', '2 Service')
      await dialogOf(visit)
        .getByRole('textbox', { name: /^Reason/ })
        .last()
        .fill('It was not rendered')
      expect(await preview(visit)).toContain('cancel the tax invoice')
      await send(visit)
      await drain()
      await visit.page.reload()
      await shows(visit, 'Cancelled')
      expect(visit.refused).toEqual([])
    })
    it('asks for the municipal parameters', async () => {
      const visit = await scene.visit(FLORA)
      await visit.open('/all/municipal-parameters')
      await act(visit, 'Ask now')
      await shows(visit, 'What is declared fits what is published.')
      expect(visit.refused).toEqual([])
    })
    it('mails several invoices at once, and sees the result of each', async () => {
      const sent = [await openInvoice(), await openInvoice()]
      const visit = await scene.visit(FLORA)
      await visit.open('/o/1/invoices')
      for (const { id } of sent) await visit.page.getByRole('checkbox', { name: `Choose ${id}`, exact: true }).check()
      await visit.page.getByRole('checkbox', { name: 'Choose 1', exact: true }).check()
      await visit.page.getByRole('toolbar').getByRole('button', { name: 'Mail it again' }).click()
      await dialogOf(visit).getByRole('button', { name: 'Mail it again (2)' }).click()
      await dialogOf(visit).getByText('Close').waitFor()
      const results = await dialogOf(visit).getByRole('row').allInnerTexts()
      expect(results.filter((one) => one.includes('✓ Done'))).toHaveLength(2)
      expect(results.filter((one) => one.includes('Not possible in its state'))).toHaveLength(1)
    })
    it('stops in the middle of several', async () => {
      const ids = [...Array(9).keys()]
      for (const _ of ids) await openInvoice()
      const visit = await scene.visit(FLORA)
      const { page } = visit
      let isHeld = true
      await page.route('**/api/v1/invoices/*/send', async (route) => {
        await until(() => !isHeld)
        await route.continue()
      })
      await visit.open('/o/1/invoices?status=open')
      await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'Mail it again' }).click()
      await dialogOf(visit).locator('button[type=submit]').click()
      await dialogOf(visit).getByRole('button', { name: 'Stop' }).click()
      isHeld = false
      await dialogOf(visit).getByText('Close').waitFor()
      const results = await dialogOf(visit).getByRole('row').allInnerTexts()
      // The first goes alone.
      expect(results.filter((one) => one.includes('✓ Done'))).toHaveLength(1)
      expect(results.filter((one) => one.includes('Waits')).length).toBeGreaterThan(7)
    })
    it('goes on with several when the dialog is closed and the screen left, and says what was not done', async () => {
      const early = await openInvoice()
      for (let nth = 0; nth < 5; nth++) await openInvoice()
      const visit = await scene.visit(FLORA)
      const { page } = visit
      let isHeld = true
      await page.route('**/api/v1/invoices/*/send', async (route) => {
        await until(() => !isHeld)
        await route.continue()
      })
      await visit.open('/o/1/invoices?status=open')
      const all = await mainOf(visit).locator('tbody tr').count()
      await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'Mail it again' }).click()
      await dialogOf(visit).locator('button[type=submit]').click()
      await dialogOf(visit).getByText('It goes on').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('nav').getByRole('link', { name: 'Refunds', exact: true }).click()
      await page.getByRole('heading', { name: 'Refunds', level: 1 }).waitFor()
      const corner = page.getByRole('region', { name: 'Under way' })
      await corner.getByText(`0 of ${all}`).waitFor()
      // The last of them is refused meanwhile.
      await ask(FLORA, 'post', `/o/1/invoices/${early.id}/void`, {})
      isHeld = false
      await corner.getByText(`${all} of ${all}`).waitFor()
      await corner.getByText('Not done: 1').click()
      expect(await corner.getByRole('row').allInnerTexts()).toEqual([expect.stringContaining('✗')])
      await corner.getByRole('button', { name: 'Close' }).click()
      await corner.waitFor({ state: 'detached' })
    })
    it.each(['from the corner', 'when the session has ended'])('stops several %s', async (how) => {
      for (let nth = 0; nth < 9; nth++) await openInvoice()
      const visit = await scene.visit(FLORA)
      const { page } = visit
      let isHeld = true
      await page.route('**/api/v1/invoices/*/send', async (route) => {
        await until(() => !isHeld)
        await route.continue()
      })
      await visit.open('/o/1/invoices?status=open')
      await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'Mail it again' }).click()
      await dialogOf(visit).locator('button[type=submit]').click()
      await dialogOf(visit).getByText('It goes on').waitFor()
      await page.keyboard.press('Escape')
      const corner = page.getByRole('region', { name: 'Under way' })
      if (how === 'from the corner') await corner.getByRole('button', { name: 'Stop' }).click()
      else await page.context().clearCookies()
      isHeld = false
      // The first goes alone, so that what is left were refused or not asked for.
      const left = corner.getByText(/^Not done: \d+$/)
      await left.waitFor()
      expect(Number(/\d+/.exec(await left.innerText())?.[0])).toBeGreaterThan(7)
      expect(visit.refused.filter((one) => one.endsWith('/send')).length).toBeLessThanOrEqual(4)
      await page.unrouteAll()
    })
    it('saves the papers of several invoices as one file', async () => {
      const visit = await scene.visit(FLORA)
      const { page } = visit
      await visit.open('/o/1/invoices?status=paid,open')
      const rows = mainOf(visit).locator('tbody tr')
      const numbers = await rows.locator('td:nth-child(2)').allInnerTexts()
      await page.getByRole('checkbox', { name: 'Choose all of this page' }).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'PDF' }).click()
      const arrives = page.waitForEvent('download')
      await dialogOf(visit).locator('button[type=submit]').click()
      const file = await arrives
      await dialogOf(visit).getByText(`${numbers.length} of ${numbers.length}`).waitFor()
      expect(file.suggestedFilename()).toBe('Invoices.zip')
      const files = unzipSync(readFileSync(await file.path()))
      expect(Object.keys(files)).toHaveLength(numbers.length)
      for (const [name, bytes] of Object.entries(files)) {
        expect(
          numbers.some((number) => name.includes(number.trim())),
          name,
        ).toBe(true)
        expect(Buffer.from(bytes.slice(0, 5)).toString()).toBe('%PDF-')
      }
      expect(visit.refused).toEqual([])
    })
  })

  describe('pictures and counts', () => {
    it('shows the deadlines of a ticket along the time', async () => {
      const visit = await scene.visit(STAFF)
      await visit.open('/o/1/tickets/1')
      const items = pictureOf(visit, 'Over time').getByRole('listitem')
      await items.first().waitFor()
      const moments = await items.allInnerTexts()
      expect(moments.map((one) => one.replace(/^\d · |: .*$/g, ''))).toEqual([
        'Made on',
        'First answered on',
        'Now',
        'First answer until',
        'Solution until',
      ])
    })
    it('shows the states of an environment’s year', async () => {
      const made = await ask(STAFF, 'post', '/o/1/environments', {
        entitlement_id: 1,
        name: 'A year',
        platform: 'moodle',
        environment_type: 'staging',
      })
      const { id } = made.data
      await ask(STAFF, 'post', `/o/1/environments/${id}/status`, { status: 'active' })
      await scene.app.database.query(
        `update environment_history set changed_at = changed_at - interval '100 days' where environment_id = $1`,
        [id],
      )
      await ask(STAFF, 'post', `/o/1/environments/${id}/status`, { status: 'suspended' })
      const visit = await scene.visit(STAFF)
      await visit.open(`/o/1/environments/${id}`)
      const figure = pictureOf(visit, 'History')
      await figure.scrollIntoViewIfNeeded()
      await figure.getByRole('listitem').first().waitFor()
      expect(await figure.getByRole('listitem').allInnerTexts()).toEqual([
        'Active',
        'Suspended',
        expect.stringContaining('Now'),
      ])
    })
    it('tells what happened to an invoice in one timeline, to each what they may read', async () => {
      const ofStaff = await entriesOf(await scene.visit(FLORA), 'Timeline')
      expect([...kindsOf(ofStaff)].toSorted()).toEqual(['Credit note', 'Dispute', 'Mail', 'Payment', 'State'])
      expect(ofStaff.findIndex((one) => /Open\s+→\s+Paid/.test(one))).toBeLessThan(
        ofStaff.findLastIndex((one) => one.startsWith('State')),
      )
      // Mails about it are for staff, tickets for the customer and the desk.
      const ofCustomer = await entriesOf(await scene.visit(ANA), 'Linha do tempo')
      expect([...kindsOf(ofCustomer)].toSorted()).toEqual([
        'Chamado',
        'Contestação',
        'Nota de crédito',
        'Pagamento',
        'Situação',
      ])
    })
    it('counts in the menu what waits, and the count moves by itself', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/o/1')
      const home = visit.page.locator('nav').getByRole('link', { name: /^Início/ })
      const count = async (): Promise<number> => Number(/\d+/.exec(await home.innerText())?.[0])
      const before = await count()
      const { data: quotes } = await ask(ANA, 'get', '/o/1/quotes?status=sent,viewed')
      await ask(ANA, 'post', `/o/1/quotes/${quotes[0].id}/reject`, { reason: 'Not this year' })
      await until(async () => (await count()) === before - 1)
      expect(await home.getAttribute('aria-current')).toBe('page')
    })
  })

  describe('operations', () => {
    it('handles received events again and sets aside what cannot be read, without reading them', async () => {
      const { body, headers } = signedEvent(scene.app, 'entity_br', { ...paidEvent('in_1'), data: null })
      await scene.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
      const visit = await scene.visit('otto.operations@titular.example')
      await visit.open('/all/inbound-events?state=handled')
      await act(visit, 'Handle again')
      await visit.open('/all/inbound-events?state=unreadable')
      await begin(visit, 'Set aside')
      await dialogOf(visit).getByLabel('Reason').fill('A test of the provider')
      await send(visit)
      await mainOf(visit).getByText('Nothing fits these filters.').waitFor()
      expect(visit.refused).toEqual([])
    })
    it('retries a job', async () => {
      const visit = await scene.visit('otto.operations@titular.example')
      await visit.open('/all/jobs?state=dead_letter')
      const rows = mainOf(visit).locator('tbody tr')
      const before = await rows.count()
      await act(visit, 'Try again')
      await until(async () => (await rows.count()) < before)
      expect(visit.refused).toEqual([])
    })
    it('brings a file with columns of its own, sees the lines that are refused, and stops another one', async () => {
      const visit = await scene.visit(STAFF)
      const { page } = visit
      const bring = async (name: string, text: string, columns: Readonly<Record<string, string>>): Promise<void> => {
        await visit.open('/all/new-import')
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
        await page.getByLabel('What its lines are').first().click()
        await page.getByRole('option', { name: 'Organizations' }).click()
        await page.getByLabel('Name of the other system').fill('another')
        for (const [column, field] of Object.entries(columns))
          await page.getByRole('textbox', { name: `Field: ${column}`, exact: true }).fill(field)
        await mainOf(visit).locator('button[type=submit]').click()
        await page.waitForURL(/imports\/\d+$/)
      }
      const columns = { id: 'external_id', Razao: 'name', pais: 'country' }
      await bring('customers.csv', 'id;Razao;pais\nc-1;Alfa;BR\nc-2;;BR\n', columns)
      await drain()
      await shows(visit, 'Completed')
      await mainOf(visit).getByText('name: is required').waitFor()
      await bring('others.csv', 'id;Razao;pais\nc-1;Alfa;BR\n', columns)
      await act(visit, 'Stop')
      await shows(visit, 'Cancelled')
      expect(visit.refused).toEqual([])
    })
    it('sees what the erasure of an organization would remove', async () => {
      const visit = await scene.visit('otto.operations@titular.example')
      await visit.open('/o/1')
      await mainOf(visit).getByRole('link', { name: 'Erasure of the organization' }).click()
      await mainOf(visit).getByText('What has to be settled first').waitFor()
      await shows(visit, 'Legal obligation')
      expect(await mainOf(visit).getByRole('alert').count()).toBeGreaterThan(0)
    })
  })

  describe('support', () => {
    it('keeps a reply ready, and makes a team', async () => {
      const visit = await scene.visit('sofia.support@titular.example')
      await visit.open('/all/canned-replies')
      await begin(visit, 'New reply')
      await dialogOf(visit).getByLabel('Name').fill('Greeting')
      await dialogOf(visit).getByLabel('Text in Portuguese').fill('Olá')
      await dialogOf(visit).getByLabel('Text in English').fill('Hello')
      await send(visit)
      await visit.page.waitForURL(/canned-replies\/\d+$/)
      await begin(visit, 'Change')
      await dialogOf(visit).getByLabel('Name').fill('Welcome')
      await send(visit)
      await shows(visit, 'Welcome')
      await act(visit, 'Delete')
      await visit.page.waitForURL(/canned-replies$/)
      await visit.open('/all/teams')
      await begin(visit, 'New team')
      await dialogOf(visit).getByLabel('Name').fill('Second line')
      await send(visit)
      await visit.page.waitForURL(/teams\/\d+$/)
      expect(visit.refused).toEqual([])
    })
  })

  describe('what two change at once', () => {
    it('stands beside each other in a form, and who has seen it may send theirs', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/me/profile')
      await begin(visit, 'Alterar')
      await dialogOf(visit).getByLabel('Telefone').fill('+55 11 90000-0001')
      await ask(ANA, 'put', '/auth/me', { phone: '+55 11 90000-0002' })
      await dialogOf(visit).locator('button[type=submit]').click()
      await dialogOf(visit).getByRole('alert').getByText('+55 11 90000-0002').waitFor()
      expect(visit.refused).toContain('412 /api/v1/auth/me')
      await dialogOf(visit).locator('button[type=submit]').click()
      await shows(visit, '+55 11 90000-0001')
    })
    it('is found in a form that was reloaded meanwhile', async () => {
      const visit = await scene.visit(ANA)
      await visit.open('/me/profile')
      await begin(visit, 'Alterar')
      await dialogOf(visit).getByLabel('Telefone').fill('+55 11 90000-0003')
      await ask(ANA, 'put', '/auth/me', { phone: '+55 11 90000-0004' })
      await visit.page.reload()
      await settled(visit.page)
      await begin(visit, 'Alterar')
      expect(await dialogOf(visit).getByLabel('Telefone').inputValue()).toBe('+55 11 90000-0003')
      await dialogOf(visit).locator('button[type=submit]').click()
      await dialogOf(visit).getByRole('alert').getByText('+55 11 90000-0004').waitFor()
    })
    it('is found in the quote editor, also after a reload', async () => {
      const { data: quotes } = await ask(STAFF, 'get', '/o/2/quotes?status=draft')
      const { id } = quotes[0]
      const { data: quote } = await ask(STAFF, 'get', `/o/2/quotes/${id}`)
      const visit = await scene.visit('saulo.sales@titular.example')
      await visit.open(`/o/2/quote-editor/${id}`)
      await visit.page.getByLabel('Notes').fill('Mine')
      const { currency, valid_until } = quote
      const line_items = [{ product_name: 'Audit', unit_price: '10.00', quantity: 1, entitlement_class: 'SVC' }]
      await ask(STAFF, 'put', `/o/2/quotes/${id}`, { currency, valid_until, line_items, notes: 'Theirs' })
      await visit.page.reload()
      await settled(visit.page)
      expect(await visit.page.getByLabel('Notes').inputValue()).toBe('Mine')
      await visit.page.getByRole('button', { name: 'Save the draft' }).click()
      await visit.page.getByRole('alert').getByText('Theirs').waitFor()
      await visit.page.getByRole('button', { name: 'Save mine over it' }).click()
      await visit.page.waitForURL(/\/quotes\/\d+$/)
      expect((await ask(STAFF, 'get', `/o/2/quotes/${id}`)).data.notes).toBe('Mine')
    })
    it('is found in the settings', async () => {
      const visit = await scene.visit(STAFF)
      await visit.open('/all/settings/entity_br')
      await visit.page.getByLabel('Link to support').fill('https://mine.example')
      await ask(STAFF, 'patch', '/admin/settings/entity_br', { support_url: 'https://theirs.example' })
      await visit.page.getByRole('button', { name: 'Save', exact: true }).click()
      await mainOf(visit).getByRole('alert').getByText('https://theirs.example').waitFor()
      await visit.page.getByRole('button', { name: 'Save', exact: true }).click()
      await until(
        async () => (await ask(STAFF, 'get', '/admin/settings/entity_br')).data.settings.support_url,
        (url) => url === 'https://mine.example',
      )
      expect(visit.refused).toEqual(['412 /api/v1/admin/settings/entity_br'])
    })
  })
})
