// Every dialog that the screens offer opens, has nothing that axe finds, and gives the focus back; and axe at the pages
// on which nobody is signed in, and on which something went wrong.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '#test/harness/axe.ts'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { until } from '#test/harness/until.ts'
import { menuOf, settled, type Visit } from '#test/harness/visit.ts'
import { openFirst } from '#test/console/screens.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

/** Opens it by the keyboard, and closes it; gives what is wrong with it. */
async function faultsOfDialog(page: Page, name: string, opener: Locator, focus = opener): Promise<string[]> {
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog').last()
  await dialog.waitFor()
  await dialog.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' })
  await dialog.locator('button[type=submit], [role=alert], input').filter({ visible: true }).first().waitFor()
  await until(
    () => dialog.evaluate((one) => one.contains(one.ownerDocument.activeElement)),
    Boolean,
    () => name,
  )
  // The menu that it was chosen in fades away.
  await page.locator('.mantine-Menu-dropdown').waitFor({ state: 'detached' })
  const faults = await faultsOf(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await until(
    () => focus.evaluate((one) => one.matches(':focus')),
    Boolean,
    () => `after ${name}`,
  )
  return faults.map((fault) => `${name}: ${fault}`)
}

/** The dialogs of the screen whose names are not known yet. */
async function lookAtDialogs({ page }: Visit, known: Set<string>): Promise<string[]> {
  const main = page.getByRole('main')
  const faults: string[] = []
  const fresh = async (one: Locator): Promise<string[]> => {
    const names = new Set((await one.allInnerTexts()).filter((name) => !known.has(name)))
    for (const name of names) known.add(name)
    return [...names]
  }
  for (const name of await fresh(main.locator('button[aria-haspopup=dialog]').filter({ visible: true }))) {
    const opener = main.getByRole('button', { name, exact: true }).first()
    faults.push(...(await faultsOfDialog(page, name, opener)))
  }
  const menu = main.locator('tbody button[aria-haspopup=menu]').first()
  // Those of the queue load after its rows.
  if ((await main.locator('table.queue tbody tr').count()) > 0) await menu.waitFor()
  if ((await menu.count()) === 0) return faults
  const items = page.locator('[role=menuitem][aria-haspopup=dialog]')
  // Its row may be drawn anew meanwhile.
  await until(async () => {
    if ((await menu.getAttribute('aria-expanded')) !== 'true') await menu.click()
    return items.first().isVisible()
  })
  const names = await fresh(items)
  await page.keyboard.press('Escape')
  for (const name of names) {
    await menu.click()
    const item = items.filter({ hasText: name }).first()
    await item.waitFor()
    faults.push(...(await faultsOfDialog(page, name, item, menu)))
  }
  return faults
}

const LEAST = { 'ana@padaria.example': 20, 'staff@titular.example': 60 } as const

describe.skipIf(CHROMIUM === null)('what opens above a screen', () => {
  const scene = consoleOfFile()

  it.each([
    ['ana@padaria.example', ['/o/1', '/me/profile'], 'pt-BR', 'light'],
    ['staff@titular.example', ['/all', '/o/1'], 'en-US', 'dark'],
  ] as const)('each dialog of %s', async (email, homes, locale, colorScheme) => {
    const visit = await scene.visit(email, { locale, colorScheme })
    const known = new Set<string>()
    const wrong: Record<string, string[]> = {}
    for (const home of homes) {
      await visit.open(home)
      for (const path of await menuOf(visit.page)) {
        await visit.open(path)
        const faults = await lookAtDialogs(visit, known)
        if (await openFirst(visit)) faults.push(...(await lookAtDialogs(visit, known)))
        if (faults.length > 0) wrong[path] = faults
      }
    }
    expect(wrong).toEqual({})
    expect(visit.complaints).toEqual([])
    expect(known.size).toBeGreaterThan(LEAST[email])
  })
})

describe.skipIf(CHROMIUM === null)('where nobody is signed in', () => {
  const scene = consoleOfFile()

  it.each(['light', 'dark'] as const)('axe finds nothing, in %s', async (colorScheme) => {
    const visit = await scene.visit(null, { colorScheme, locale: 'pt-BR' })
    const { page } = visit
    await visit.open('/')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('textbox', { name: /e-mail/i }).fill('ana@padaria.example')
    await page.locator('input[type=password]').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
  it('axe finds nothing where the session has ended, and at an address of nothing', async () => {
    const visit = await scene.visit('erin@northwind.example')
    const { page } = visit
    await visit.open('/o/2/nothing')
    expect(await faultsOf(page)).toEqual([])
    await visit.open('/o/2')
    await page.context().clearCookies()
    await page.locator('nav').getByRole('link', { name: 'Invoices', exact: true }).click()
    await page.getByText('Your session has ended').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
  it('axe finds nothing on a screen that could not be drawn', async () => {
    const visit = await scene.visit('erin@northwind.example')
    const { page } = visit
    await visit.open('/o/2/invoices')
    await page.route('**/app/assets/entitlements-*.js', (route) => route.fulfill({ status: 404 }))
    await page.locator('nav').getByRole('link', { name: 'Entitlements', exact: true }).click()
    await page.getByText('This page could not be shown').waitFor()
    await settled(page)
    expect(await faultsOf(page)).toEqual([])
  })
})
