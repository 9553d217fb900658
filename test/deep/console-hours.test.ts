// An hour of work of each person of a customer in the console, by clicking: what they see, and what the API says afterwards.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { mailedInvite } from '#test/harness/mailbox.ts'
import { until } from '#test/harness/until.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { hourOf } from '#test/scenes/hours.ts'

describe.skipIf(CHROMIUM === null)('an hour of', () => {
  const scene = consoleOfFile()
  const drain = () => scene.app.service.worker.drain()

  /** By the link of the mail, to the invoices that the owner has let them see. */
  async function joins(token: string): Promise<void> {
    const { page, complaints } = await scene.visit(null)
    await page.goto(`${scene.app.url}/invites?token=${token}`)
    await page.getByText('Northwind Hosting').waitFor()
    await page.getByRole('button', { name: 'I am new' }).click()
    await page.getByLabel('Name').filter({ visible: true }).fill('Wanda Ng')
    await page.locator('#new-password').fill('a good long password 9')
    await page.locator('#register button[type=submit]').click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.locator('#accepted a').filter({ visible: true }).click()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('wanda@northwind.example')
    await page.locator('input[type=password]').fill('a good long password 9')
    await page.keyboard.press('Enter')
    await page.locator('nav').getByRole('link', { name: 'Invoices', exact: true }).click()
    await page.getByText('GL-000001').first().waitFor()
    expect(complaints).toEqual([])
  }

  it('the owner: what waits, a quote accepted and paid, a colleague invited, what it costs', async () => {
    const erin = { organization: 2, language: 'en', width: 1280, theme: 'light' } as const
    const { hands, visit, api } = await hourOf(scene, 'erin@northwind.example', erin)
    const { page, main } = hands
    await visit.open('/')
    await main.getByRole('heading', { name: 'Quotes to accept' }).waitFor()
    await main.getByRole('link', { name: 'Q-15' }).click()
    await main.getByRole('heading', { name: 'Q-15' }).waitFor()
    await main.getByRole('link', { name: 'Accept' }).click()
    await hands.sees('$2,489.50')
    await main.getByLabel('Your purchase order').fill('PO-7781')
    await main.getByRole('button', { name: 'Accept and order' }).click()
    await main.getByRole('heading', { name: /^GL-/ }).waitFor()
    // The payment page is made by a job, and comes by itself.
    await drain()
    await main.getByRole('link', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Payment confirmed').waitFor()
    const paid = await until(
      async () => (await drain(), (await api.get('/quotes/15')).data),
      ({ status }) => status === 'paid' || status === 'fulfilled',
    )
    expect(paid).toMatchObject({ purchase_order: 'PO-7781' })

    await visit.open('/o/2/people')
    await hands.act('Invite somebody', { 'E-mail address': 'wanda@northwind.example', Role: 'Member', Finances: true })
    await main.getByRole('heading', { name: 'wanda@northwind.example' }).waitFor()
    await hands.sees('Invite valid until')
    const { data: people } = await api.get('/organizations/2/collaborators')
    expect(people.find(({ email }: { email: string }) => email === 'wanda@northwind.example')).toMatchObject({
      status: 'invited',
      invited_role: 'member',
      can_manage_finances: true,
    })
    await joins(await mailedInvite(scene.app, 'wanda@northwind.example'))

    await hands.goTo('Statement')
    await hands.sees(/Invoice GL-000001/)
    await hands.goTo('Entitlements')
    await hands.sees('Managed Moodle')
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('finance: what is due with its ways to pay, receipt, statement, papers of an NFS-e', async () => {
    const carla = { organization: 1, language: 'pt-BR', width: 360, theme: 'dark' } as const
    const { hands, visit, api } = await hourOf(scene, 'carla@padaria.example', carla)
    const { page, main } = hands
    await visit.open('/')
    await main.getByRole('heading', { name: 'Faturas a pagar' }).waitFor()
    await main.getByRole('link', { name: 'BR-000004' }).click()
    await hands.sees('Como pagar')
    const { data: ways } = await api.get('/invoices/4/payment-options')
    await hands.sees(ways.options.pix.copy_code)
    await main.getByRole('img', { name: 'O código Pix como QR code' }).waitFor()
    await main.getByRole('link', { name: 'Pagar' }).click()
    await page.getByRole('button', { name: /^Pa(y|gar)$/ }).click()
    await page.getByText(/Payment confirmed|Pagamento confirmado/).waitFor()
    await until(
      async () => (await drain(), (await api.get('/invoices/4')).data.status),
      (status) => status === 'paid',
    )

    await visit.open('/o/1')
    await hands.goTo('Pagamentos')
    await hands.openRow('R$ 380,00')
    await hands.sees('Transferência bancária')
    expect(await hands.download('Recibo')).toMatch(/^Recibo-.*\.pdf$/)
    await hands.goTo('Extrato')
    await hands.sees('Fatura BR-000001')
    expect([await hands.download('PDF'), await hands.download('CSV')]).toEqual([
      expect.stringMatching(/\.pdf$/),
      expect.stringMatching(/\.csv$/),
    ])
    await hands.goTo('Notas fiscais')
    await hands.openRow('R$ 199,50')
    await hands.sees('Chave de acesso')
    expect([await hands.download('PDF'), await hands.download('XML')]).toEqual([
      expect.stringMatching(/^DANFSe-\d+\.pdf$/),
      expect.stringMatching(/^NFSe-\d+\.xml$/),
    ])
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  it('the technician: a slot taken and freed, what runs, a download, a ticket with its attachment', async () => {
    const bruno = { organization: 1, language: 'en', width: 1280, theme: 'light' } as const
    const { hands, visit, api } = await hourOf(scene, 'bruno@padaria.example', bruno)
    const { page, main } = hands
    await visit.open('/')
    await main.getByRole('heading', { name: 'Open tickets' }).waitFor()
    await hands.goTo('Licenses')
    await hands.openRow('1 of 5')
    await hands.act('Activate on a domain', { Domain: 'shop.padaria.example' })
    await hands.sees('2 of 5 in use')
    expect((await api.get('/licenses/1')).data.activated_domains).toContain('shop.padaria.example')
    const row = main.locator('tr').filter({ has: page.getByRole('button', { name: 'Free the slot' }) })
    await hands.act('Free the slot', {}, { within: row.filter({ hasText: 'shop.padaria.example' }) })
    await hands.sees('1 of 5 in use')
    expect((await api.get('/licenses/1')).data.activated_domains).toEqual(['padaria.example'])

    await hands.goTo('Environments')
    await hands.openRow('Managed Moodle')
    await hands.sees('Being set up')
    await hands.goTo('Downloads')
    await hands.openRow('2.1.0')
    const file = page.waitForEvent('download')
    await hands.act('Download')
    expect((await file).suggestedFilename()).toBe('backup-pro-2.1.0.sh')

    await hands.goTo('Tickets')
    const question = { About: 'Managed Moodle', Title: 'The backup failed', Description: 'Since yesterday' }
    await hands.act('Open a ticket', question)
    await main.getByRole('heading', { name: /The backup failed/ }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const log = { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('disk full') }
    await hands.act('Attach a file', { File: log })
    await hands.sees('log.txt')
    await main.getByLabel('Your answer').fill('The log is attached.')
    await main.getByRole('button', { name: 'Send', exact: true }).click()
    await hands.sees('The log is attached.')
    expect(await hands.download('Download', await hands.section('Attachments'))).toMatch(/^SR-\d+-\d+\.txt$/)
    expect((await api.get(`/tickets/${id}`)).data).toMatchObject({ title: 'The backup failed', status: 'open' })
    expect((await api.get(`/tickets/${id}/attachments`)).data).toMatchObject([{ name: 'log.txt', size: 9 }])
    expect((await api.get(`/tickets/${id}/comments`)).data.at(-1)).toMatchObject({ body: 'The log is attached.' })
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })
})
