// An hour of each person of the vendor in the console, clicked: sales, support, finance, operations, the auditor, the
// administrator.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { settled } from '#test/harness/visit.ts'
import { until } from '#test/harness/until.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { hourOf, speakerOf } from '#test/scenes/hours.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'

const WIDE = { language: 'en', width: 1280, theme: 'light' } as const
const DARK = { language: 'en', width: 1280, theme: 'dark' } as const

describe.skipIf(CHROMIUM === null)('an hour of', () => {
  const scene = consoleOfFile()
  const drain = () => scene.app.service.worker.drain()

  it('sales: a customer found, a quote drafted with its total, sent, followed and revised', async () => {
    const { hands, visit } = await hourOf(scene, 'saulo.sales@titular.example', WIDE)
    const { page, main } = hands
    await visit.open('/all')
    await page.keyboard.press('Control+K')
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('textbox'))
      .fill('Northwind')
    await page.getByRole('dialog').getByText('Northwind Hosting').first().click()
    await main.getByRole('heading', { name: 'Northwind Hosting', level: 1 }).waitFor()
    await hands.goTo('New quote')
    const line = main.getByRole('region', { name: 'Line 1' })
    await line.getByLabel('Name on the quote').fill('Migration by hand')
    await line.getByLabel('Quantity').first().fill('2')
    await line.getByLabel('Price of one').fill('120.50')
    await hands.sees('$241.00')
    await main.getByRole('button', { name: 'Save and send' }).click()
    await page.waitForURL(/\/quotes\/\d+$/)
    await hands.sees('Sent')
    const id = Number(page.url().split('/').at(-1))
    await drain()
    await hands.act('Revise')
    await page.waitForURL((url) => /\/quotes\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`))
    await hands.sees('Draft')
    await visit.open('/all/quotes?status=draft')
    await hands.sees('Saulo Mota')
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('support: the tickets that breach next, one taken, answered inside and outside, and solved', async () => {
    const { hands, visit } = await hourOf(scene, 'sofia.support@titular.example', DARK)
    const { page, main } = hands
    await visit.open('/all')
    await main.getByRole('link', { name: 'Tickets that nobody has taken: ' }).click()
    await hands.openRow('The campus is slow')
    await hands.act('Take it')
    await hands.sees('Sofia Prado')
    await main.getByLabel('Your answer').fill('We look into it.')
    await main.getByRole('button', { name: 'Send', exact: true }).click()
    await hands.sees('We look into it.')
    await hands.act('Set the status', { Status: 'Resolved' })
    await hands.sees('Resolved')
    const erin = await speakerOf(scene.app, 'erin@northwind.example', 2)
    const id = Number(page.url().split('/').at(-1))
    expect((await erin.get(`/tickets/${id}`)).data).toMatchObject({ status: 'resolved' })
    expect((await erin.get(`/tickets/${id}/comments`)).data.at(-1)).toMatchObject({ body: 'We look into it.' })
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('finance: an overdue invoice reminded and charged, and an NFS-e that the authority refused', async () => {
    const { hands, visit, api } = await hourOf(scene, 'flora.finance@titular.example', WIDE)
    const { page, main } = hands
    const staff = await speakerOf(scene.app, 'staff@titular.example', 1)
    const { data: draft } = await staff.post('/invoices', { company: 'entity_br', currency: 'BRL', total: '100.00' })
    await staff.post(`/invoices/${draft.id}/finalize`, {})
    await scene.app.database.query(`update invoices set due_date = '2026-01-02' where id = $1`, [draft.id])
    await visit.open('/all/dunning')
    await hands.act('Change', { 'Fine in percent': '2' }, { confirms: null })
    await hands.dialog.locator('button[type=submit]').click()
    await hands.dialog.waitFor({ state: 'detached' })
    await visit.open('/all/invoices?status=open&sort=due_date')
    await visit.open(`/o/1/invoices/${draft.id}`)
    await hands.act('Mail it again')
    await main.getByRole('button', { name: 'Late charges' }).click()
    await hands.act('Bill late charges')
    await hands.sees('Late charges of')

    await staff.put('/organizations/1', { tax_param5: 'refuse' })
    await visit.open(`/o/1/invoices/${draft.id}`)
    await hands.act('Issue the tax invoice')
    await drain()
    await visit.open('/all/tax-invoices?status=error')
    await hands.openRow('Refused by the authority')
    await hands.sees('O CNPJ do tomador não foi encontrado')
    await staff.put('/organizations/1', { tax_param5: null })
    await hands.act('Retry')
    const nfse = Number(page.url().split('/').at(-1))
    const issued = await until(
      async () => (await drain(), (await staff.get(`/tax-invoices/${nfse}`)).data),
      ({ status }) => status === 'issued',
    )
    await page.reload()
    await hands.sees('Issued')
    expect(issued).toMatchObject({ invoice_id: draft.id, total: '100.00' })
    expect((await api.get('/admin/tax-invoices?status=error')).status).toBe(200)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('operations: a file with a wrong line corrected and brought again, a job that was given up', async () => {
    const { hands, visit } = await hourOf(scene, 'staff@titular.example', DARK)
    const { page, main } = hands
    const bring = async (text: string, isTrial: boolean): Promise<void> => {
      await visit.open('/all/new-import')
      const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
      await page.locator('input[type=file]').setInputFiles(file)
      await main.getByLabel('What its lines are').first().click()
      await page.getByRole('option', { name: 'Organizations' }).click()
      await main.getByLabel('Name of the other system').fill('another')
      for (const [column, field] of Object.entries({ id: 'external_id', Razao: 'name', pais: 'country' }))
        await main.getByRole('textbox', { name: `Field: ${column}`, exact: true }).fill(field)
      await main.getByLabel('Trial only').setChecked(isTrial, { force: true })
      await main.locator('button[type=submit]').click()
      await page.waitForURL(/imports\/\d+$/)
      // Its lines are read before it begins, and have to be read again.
      await settled(page)
      await drain()
      await hands.sees('Completed')
    }
    await bring('id;Razao;pais\nh-1;Alfa;BR\nh-2;;BR\n', true)
    await hands.sees('name: is required')
    await bring('id;Razao;pais\nh-1;Alfa;BR\nh-2;Beta;BR\n', false)
    const staff = await speakerOf(scene.app, 'staff@titular.example')
    const { data: brought } = await staff.get(`/admin/imports/${page.url().split('/').at(-1)}`)
    expect(brought).toMatchObject({ dry_run: false, created: 2, refused: 0 })
    await visit.open('/all/jobs?state=dead_letter')
    const rows = main.locator('tbody tr')
    const before = await rows.count()
    await hands.act('Try again')
    await until(async () => (await rows.count()) < before)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('the auditor: what was done, by whom and what it changed; nothing is offered that would be refused', async () => {
    const administrator = await speakerOf(scene.app, 'staff@titular.example')
    expect((await administrator.patch('/admin/settings/entity_br', { brand_name: 'Titular Sul' })).status).toBe(200)
    const { hands, visit } = await hourOf(scene, 'alice.auditor@titular.example', WIDE)
    const { main } = hands
    await visit.open('/all/vendor-audit-log?log=service&resource=company_settings')
    await main.getByRole('button', { name: 'Show', exact: true }).first().click()
    await hands.sees('Titular Sul')
    await visit.open('/all/settings')
    await hands.sees('Titular Sul')
    expect(await main.locator('input:enabled, textarea:enabled').count()).toBe(0)
    await visit.open('/all/staff')
    await hands.openRow('Sofia Prado')
    expect(await main.getByRole('button').allTextContents()).toEqual([])
    await visit.open('/o/1/invoices/1')
    await hands.sees(/Paid|Open/)
    const offered = await main.getByRole('button').allTextContents()
    expect(offered.filter((name) => /refund|payment|void|credit|mail/i.test(name))).toEqual([])
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('the administrator: somebody appointed, a setting changed with its history, a key, an account disabled', async () => {
    const { hands, visit, api } = await hourOf(scene, 'staff@titular.example', DARK)
    const { page, main, dialog } = hands
    await visit.open('/all/staff')
    const nina = { 'E-mail address': 'nina@titular.example', Name: 'Nina Reis', Roles: ['support'], Reason: 'Joins' }
    await hands.act('Appoint', nina)
    await main.getByRole('heading', { name: 'Nina Reis' }).waitFor()
    await hands.act('Roles', { Roles: ['sales'], Reason: 'Helps out' })
    await until(
      async () => (await api.get('/admin/staff')).data.find(({ name }: { name: string }) => name === 'Nina Reis').roles,
      (roles: string[]) => roles.length === 2,
    )
    await visit.open('/all/settings/entity_br')
    await main.getByLabel('Link to support').fill('https://help.example')
    await main.getByRole('button', { name: 'Save', exact: true }).click()
    await until(
      async () => (await api.get('/admin/settings/entity_br')).data.settings.support_url,
      (url) => url === 'https://help.example',
    )
    await visit.open('/all/vendor-audit-log?log=service&resource=company_settings')
    await main.getByRole('button', { name: 'Show', exact: true }).first().click()
    await hands.sees('https://help.example')

    await visit.open('/all/vendor-keys')
    await hands.act('New key', { Name: 'Reports', Permissions: ['Finances: read'] })
    const secret = await dialog.locator('pre').last().innerText()
    expect(secret.length).toBeGreaterThan(20)
    await dialog.getByRole('button').last().click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)

    await visit.open('/all/users?search=bruno')
    const row = main.locator('tbody tr').filter({ hasText: 'bruno@padaria.example' })
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await hands.confirm('Disable')
    const bruno = { email: 'bruno@padaria.example', password: DEMO_SIGN_INS.password }
    expect((await scene.app.world.anonymous.post('/auth/login', bruno)).status).toBe(401)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })
})
