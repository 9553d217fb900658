// How the console looks and behaves where there is little room and bad luck: on a telephone, with names that nobody expects,
// with a service that is busy, on paper.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { until } from '#test/harness/until.ts'
import { menuOf, settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { speakerOf } from '#test/scenes/hours.ts'

const TELEPHONE = { viewport: { width: 360, height: 740 }, locale: 'pt-BR' }

/** What does not fit: a page that scrolls to its side, statuses that are cut, targets that a finger misses. */
const faultsOf = ({ page }: Visit): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = scrollWidth > clientWidth ? ['the page is ' + scrollWidth + ' wide'] : []
    const cut = [...document.querySelectorAll('main .mantine-Badge-label')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => 'cut: ' + one.textContent)
    const small = [...document.querySelectorAll('button, nav a, input:not([type=hidden]), select, td a')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetHeight > 1)
      // Boxes and switches are hit by their labels; pills and what is typed beside them stand in a field.
      .filter((one) => !one.matches('[type=checkbox], [type=radio], [role=switch], [class*=Pill] *'))
      .filter((one) => one.offsetHeight < 44)
      .map((one) => one.tagName + ' ' + one.textContent + ' is ' + one.offsetHeight + ' high')
    return [...wide, ...cut, ...small.slice(0, 3)]
  })()`)

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** As the page computes it of the first such element. The tests know no DOM. */
const styleOf = (page: Page, selector: string, part: string, name: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'), '${part}')['${name}']`)

describe.skipIf(CHROMIUM === null)('the console looks well', () => {
  const scene = consoleOfFile()

  it('every screen fits a telephone', async () => {
    const wrong: Record<string, string[]> = {}
    for (const [email, home] of [
      ['ana@padaria.example', '/o/1'],
      ['ana@padaria.example', '/me/profile'],
      ['staff@titular.example', '/all'],
    ] as const) {
      const visit = await scene.visit(email, TELEPHONE)
      await visit.open(home)
      for (const path of await menuOf(visit.page)) {
        await visit.open(path)
        const faults = await faultsOf(visit)
        if (faults.length > 0) wrong[path] = faults
      }
    }
    expect(wrong).toEqual({})
  })
  it('a row is a card on a telephone, with the names of its columns', async () => {
    const { page, open } = await scene.visit('ana@padaria.example', TELEPHONE)
    await open('/o/1/quotes')
    const cell = 'tbody td[data-label=Situação]'
    expect(await styleOf(page, cell, '::before', 'content')).toContain('Situação')
    expect(await styleOf(page, cell, '', 'display')).toBe('flex')
    expect(await page.getByRole('columnheader', { name: 'Situação' }).count()).toBe(1)
  })
  it('the columns of a list are chosen, and stay in its address', async () => {
    const { page, open } = await scene.visit('staff@titular.example')
    await open('/all/quotes')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Customer' }).uncheck()
    await page.waitForURL(/columns=number/)
    await page.reload()
    await settled(page)
    expect(await page.getByRole('columnheader', { name: 'Customer' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Customer' }).check()
    await page.waitForURL((url) => !url.search.includes('columns'))
  })
  it('an empty list says what would be here', async () => {
    const { page, open } = await scene.visit('erin@northwind.example')
    await open('/o/2/tax-invoices')
    await page.getByText('No tax invoices yet.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Invoices →' }).click()
    await page.waitForURL(/\/o\/2\/invoices$/)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Invoices')
  })
  it('logs say in words who did what', async () => {
    const { page, open } = await scene.visit('ana@padaria.example', { locale: 'pt-BR' })
    await open('/o/1/audit-log')
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/o serviço|criado|alterado/)
    expect(text).not.toMatch(/\b(system|created|updated|issued|staff_entry|tax_invoice)\b/)
  })
  it.each([
    ['at a zoom of 200 %', 640],
    ['on a wide screen', 2560],
  ])('nothing scrolls to its side %s', async (_name, width) => {
    const wrong: Record<string, boolean> = {}
    for (const [email, home] of [
      ['ana@padaria.example', '/o/1'],
      ['staff@titular.example', '/all'],
    ] as const) {
      const visit = await scene.visit(email, { viewport: { width, height: 400 } })
      await visit.open(home)
      for (const path of await menuOf(visit.page)) {
        await visit.open(path)
        if (await isTooWide(visit.page)) wrong[path] = true
      }
    }
    expect(wrong).toEqual({})
  })
  it('names of 200 letters and of one emoji fit, wherever they are shown', async () => {
    const long = 'Ä'.repeat(200)
    const ana = await speakerOf(scene.app, 'ana@padaria.example', 1)
    expect((await ana.put('/organizations/1', { name: long })).status).toBe(200)
    expect((await ana.put('/auth/me', { name: '🦊' })).status).toBe(200)
    const { data: ticket, errors } = await ana.post('/tickets', { title: long, description: long, entitlement_id: 1 })
    expect(errors).toBeNull()
    const wrong: string[] = []
    for (const width of [360, 1280]) {
      const staff = await scene.visit('staff@titular.example', { viewport: { width, height: 740 } })
      const customer = await scene.visit('ana@padaria.example', { viewport: { width, height: 740 } })
      const places = ['/o/1', '/o/1/organization', '/o/1/people', '/o/1/tickets', `/o/1/tickets/${ticket.id}`]
      for (const [visit, paths] of [
        [customer, places],
        [staff, [...places, '/all', '/all/organizations', '/all/tickets', '/all/invoices']],
      ] as const)
        for (const path of paths) {
          await visit.open(path)
          if (await isTooWide(visit.page)) wrong.push(`${path} at ${width}`)
        }
      const people = customer.page
      await customer.open('/o/1/people')
      await people.getByRole('main').getByText('🦊').first().waitFor()
    }
    expect(wrong).toEqual([])
  })
  it('a record is clean paper when it is printed', async () => {
    const { page, open } = await scene.visit('erin@northwind.example')
    for (const path of ['/o/2/quotes/15', '/o/2/invoices', '/o/2/tickets', '/o/2/account-statement']) {
      await open(path)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('h1').first().isVisible(), path).toBe(true)
      const left = page.locator('nav, header, button, input, select, [role=combobox]').filter({ visible: true })
      expect(await left.allInnerTexts(), path).toEqual([])
      await page.emulateMedia({ media: 'screen' })
    }
  })
  it('back and forward keep what was filtered, and the page of the list', async () => {
    const { page, open } = await scene.visit('staff@titular.example')
    await open('/all/invoices?status=paid')
    await page.getByRole('main').locator('tbody a').first().waitFor()
    const list = page.url()
    const rows = await page.getByRole('main').locator('tbody a').allInnerTexts()
    await page.getByRole('main').locator('tbody a').first().click()
    await page.waitForURL(/\/invoices\/\d+$/)
    const record = page.url()
    await settled(page)
    const name = await page.locator('h1').innerText()
    await page.goBack()
    await page.waitForURL(list)
    await settled(page)
    expect(await page.getByRole('main').locator('tbody a').allInnerTexts()).toEqual(rows)
    await page.goForward()
    await page.waitForURL(record)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })
  it('a list of 100,000 is opened, filtered, searched and paged like a short one', async () => {
    const { database } = scene.app
    await database.query(
      `insert into tickets (organization_id, number, title, status, created_at, clock_stopped_at)
       select 2, 'SR-2020' || lpad(n::text, 6, '0'), 'The printer ' || n || ' is silent', 'closed', at, at
       from generate_series(1, 100000) n, lateral (select timestamptz '2020-01-01' + n * interval '1 minute' as at)`,
    )
    const visit = await scene.visit('staff@titular.example')
    const { page } = visit
    const first = page.getByRole('main').locator('tbody tr').first()
    for (const path of ['/o/2/tickets', '/all/tickets']) {
      await visit.open(`${path}?status=closed`)
      const before = await first.innerText()
      expect(await page.getByRole('main').locator('tbody tr').count()).toBeLessThanOrEqual(50)
      expect(visit.asked.length, visit.asked.join(', ')).toBeLessThanOrEqual(7)
      await page.getByRole('button', { name: 'Next page' }).click()
      await until(
        () => first.innerText(),
        (text) => text !== before,
      )
    }
    await page.getByRole('searchbox').fill('printer 77777')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('The printer 77777 is silent').waitFor()
    expect(await page.getByRole('main').locator('tbody tr').count()).toBe(1)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })
})
