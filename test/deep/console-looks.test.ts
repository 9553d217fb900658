// How the console looks and behaves where there is little room and bad luck: on a telephone, with names that nobody expects,
// with a service that is busy, on paper.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { menuOf, settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

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
})
