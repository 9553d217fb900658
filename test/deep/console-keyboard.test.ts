// The console by the keyboard alone: where the focus goes when dialogs open and close, when screens and what was pressed
// are gone; that it is always seen; and the tour from signing in to the payment.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { handsAt } from '#test/harness/hands.ts'
import { until } from '#test/harness/until.ts'
import { settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

const STAFF = 'staff@titular.example'
const ERIN = 'erin@northwind.example'

/** What has the focus: its kind, its name or text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { activeElement: one } = document
    const label = one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent
    return (one.getAttribute('role') ?? one.tagName.toLowerCase()) + ' ' + label.trim().slice(0, 60)
  })()`)

const comes = (page: Page, wanted: string): Promise<string> =>
  until(
    () => focused(page),
    (one) => one === wanted,
  )

const isWithin = async (dialog: Locator): Promise<boolean> =>
  dialog.evaluate((one) => one.contains(one.ownerDocument.activeElement))

/** The keyboard is in the dialog that is open. */
async function entered({ page }: Visit): Promise<Locator> {
  const dialog = page.getByRole('dialog').last()
  await dialog.waitFor()
  await until(() => isWithin(dialog))
  return dialog
}

const press = async (visit: Visit, name: string): Promise<void> => {
  const button = visit.page.getByRole('main').getByRole('button', { name, exact: true }).first()
  await button.focus()
  await visit.page.keyboard.press('Enter')
}

const MOST_TABS = 120

/** Fields show it by their border. */
const isSeen = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const { activeElement: one } = document
    if (!one.matches('a, button')) return true
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  })()`)

describe.skipIf(CHROMIUM === null)('the keyboard', () => {
  const scene = consoleOfFile()
  const drain = (): Promise<unknown> => scene.app.service.worker.drain()

  describe('goes into a dialog, and back to what opened it', () => {
    it.each([
      ['of a form', ERIN, '/o/2/tickets', 'Open a ticket'],
      ['of an act with its own reading', ERIN, '/me/profile', 'Change'],
      ['of an act without fields', STAFF, '/all/jobs?state=dead_letter', 'Try again'],
      ['of a second factor', ERIN, '/me/security', 'Add an authenticator app'],
    ])('%s', async (_kind, email, path, name) => {
      const visit = await scene.visit(email)
      await visit.open(path)
      await press(visit, name)
      await entered(visit)
      await visit.page.keyboard.press('Escape')
      await comes(visit.page, `button ${name}`)
      expect(visit.complaints).toEqual([])
      await visit.page.context().close()
    })
    it('of a form, before what stands beside the screen has come', async () => {
      const visit = await scene.visit(ERIN)
      let isHeld = true
      await visit.page.route('**/assets/beside-*.js', async (route) => {
        await until(() => !isHeld)
        await route.continue()
      })
      await visit.open('/o/2/tickets')
      await press(visit, 'Open a ticket')
      await entered(visit)
      await visit.page.keyboard.press('Escape')
      await comes(visit.page, 'button Open a ticket')
      isHeld = false
      await visit.page.unrouteAll({ behavior: 'wait' })
      expect(visit.complaints).toEqual([])
    })
    it('of the search, from wherever it was', async () => {
      const visit = await scene.visit(ERIN)
      const { page } = visit
      await visit.open('/o/2/tickets')
      await page.getByRole('main').getByRole('button', { name: 'Open a ticket' }).focus()
      await page.keyboard.press('Control+K')
      await entered(visit)
      await page.keyboard.press('Escape')
      await comes(page, 'button Open a ticket')
      await page.keyboard.press('Control+K')
      await entered(visit)
      await page.keyboard.type('quotes')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/quotes$/)
      await comes(page, 'h1 Quotes')
      expect(visit.complaints).toEqual([])
    })
    it('of an act for several rows', async () => {
      const visit = await scene.visit(STAFF)
      const { page } = visit
      await visit.open('/o/1/invoices')
      await page.getByRole('checkbox', { name: 'Choose all of this page' }).focus()
      await page.keyboard.press('Space')
      const act = page.getByRole('toolbar').getByRole('button', { name: 'Mail it again' })
      await act.focus()
      await page.keyboard.press('Enter')
      await entered(visit)
      await page.keyboard.press('Escape')
      // The toolbar is gone with what was chosen.
      await comes(page, 'h1 Invoices')
      expect(visit.complaints).toEqual([])
    })
    it('of what is asked for once a session has ended', async () => {
      const visit = await scene.visit(ERIN)
      const { page } = visit
      await visit.open('/me/profile')
      await press(visit, 'Change')
      const act = await entered(visit)
      await page.context().clearCookies()
      await act.locator('button[type=submit]').focus()
      await page.keyboard.press('Enter')
      await page.getByText('Your session has ended').waitFor()
      await entered(visit)
      // It closes nothing below it.
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(ERIN)
      await page.locator('input[type=password]').fill('demo-titular-2026')
      await page.keyboard.press('Enter')
      await page.getByText('Your session has ended').waitFor({ state: 'detached' })
      await until(() => isWithin(act))
      expect(visit.complaints).toEqual([])
    })
  })

  describe('is not lost', () => {
    it('when the act is done', async () => {
      const visit = await scene.visit(STAFF)
      const { page } = visit
      await visit.open('/o/2/quotes?status=draft')
      await page.locator('main tbody a').first().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).waitFor()
      const title = await page.locator('h1').textContent()
      await comes(page, `h1 ${title}`)
      expect(await page.title()).toBe(`${title} – Titular`)
      await press(visit, 'Send')
      await entered(visit)
      await page.getByRole('dialog').locator('button[type=submit]').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await comes(page, 'button Send')
    })
    it('when a record is deleted, and its list is shown', async () => {
      const visit = await scene.visit(STAFF)
      const { page } = visit
      await visit.open('/all/teams')
      await press(visit, 'New team')
      await (await entered(visit)).getByLabel('Name').fill('Third line')
      await page.keyboard.press('Enter')
      await comes(page, 'h1 Third line')
      await press(visit, 'Delete')
      await (await entered(visit)).locator('button[type=submit]').focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/teams$/)
      await comes(page, 'h1 Teams')
      expect(visit.complaints).toEqual([])
    })
    it('when a field is refused, in the dialog and beside it', async () => {
      const visit = await scene.visit(ERIN)
      const { page } = visit
      await visit.open('/o/2/tickets')
      await press(visit, 'Open a ticket')
      const dialog = await entered(visit)
      await dialog.locator('button[type=submit]').focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('alert').waitFor()
      await until(() => page.locator('[aria-invalid=true]:focus').count())
      expect(visit.complaints).toEqual([])
    })
    it('when a filter is chosen, and when they are taken away', async () => {
      const visit = await scene.visit(ERIN)
      const { page } = visit
      await visit.open('/o/2/tickets')
      await page.keyboard.press('/')
      await comes(page, 'input Search')
      await page.keyboard.type('zzz')
      await page.keyboard.press('Enter')
      await page.getByText('Nothing fits these filters.').waitFor()
      await comes(page, 'input Search')
      await press(visit, 'Take the filters away')
      await page.locator('main tbody tr').first().waitFor()
      await comes(page, 'h1 Tickets')
      expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('')
    })
    it('when a screen is chosen in the menu', async () => {
      const visit = await scene.visit(ERIN)
      const { page } = visit
      await visit.open('/o/2')
      await page.locator('nav').getByRole('link', { name: 'Orders' }).focus()
      await page.keyboard.press('Enter')
      await comes(page, 'h1 Orders')
      expect(visit.complaints).toEqual([])
    })
  })

  it('does the tour: signing in, the menu, a list, a quote, and its acceptance up to the ways to pay', async () => {
    const visit = await scene.visit(null)
    const { page } = visit
    const unseen: string[] = []
    /** Presses Tab until it is there; links and buttons on the way have to show that they have the focus. */
    const tabTo = async (wanted: string): Promise<void> => {
      for (let presses = 0; (await focused(page)) !== wanted; presses += 1) {
        if (presses > MOST_TABS) throw new Error(`Tab does not come to ${wanted}, but to ${await focused(page)}`)
        await page.keyboard.press('Tab')
        if (!(await isSeen(page))) unseen.push(await focused(page))
      }
    }
    await visit.open('/')
    await tabTo('input E-mail address')
    await page.keyboard.type(ERIN)
    await tabTo('input Password')
    await page.keyboard.type('demo-titular-2026')
    await page.keyboard.press('Enter')
    await page.locator('nav').first().waitFor()
    await tabTo('a Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.reload()
    await settled(page)
    await tabTo('a Quotes')
    await page.keyboard.press('Enter')
    await comes(page, 'h1 Quotes')
    const links = page.locator('main tbody a')
    const [first, second] = await links.allTextContents()
    await tabTo(`a ${first}`)
    await page.keyboard.press('j')
    await comes(page, `a ${second}`)
    await page.keyboard.press('k')
    await comes(page, `a ${first}`)
    const rows = await page.locator('main tbody tr').allTextContents()
    const sent = rows.findIndex((row) => row.includes('Sent'))
    for (let row = 0; row < sent; row += 1) await page.keyboard.press('j')
    const number = (await links.allTextContents())[sent]
    await comes(page, `a ${number}`)
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: number ?? '' }).waitFor()
    await tabTo('a Accept')
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: `Accept quote ${number}` }).waitFor()
    await tabTo('button Accept and order')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/invoices\/\d+$/)
    await drain()
    await page.getByRole('link', { name: 'Pay', exact: true }).waitFor()
    expect([unseen, visit.complaints]).toEqual([[], []])
  })
})

describe.skipIf(CHROMIUM === null)('the keyboard at a dangerous act', () => {
  const scene = consoleOfFile({ STEP_UP_MINUTES: '15' })

  it('goes into the question who it is, and back to the act', async () => {
    const visit = await scene.visit(ERIN)
    const { page } = visit
    await scene.app.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    await visit.open('/o/2/keys')
    await press(visit, 'New key')
    const act = page.getByRole('dialog', { name: 'New key' })
    await handsAt(page).fill(act, { Name: 'ERP', Scopes: ['Tickets'] })
    const question = page.getByRole('dialog', { name: 'Is it you?' })
    await act.locator('button[type=submit]').focus()
    await page.keyboard.press('Enter')
    await question.waitFor()
    await until(() => isWithin(question))
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await act.getByRole('alert').waitFor()
    await until(() => isWithin(act))
    await act.locator('button[type=submit]').focus()
    await page.keyboard.press('Enter')
    await question.waitFor()
    await question.locator('input[type=password]').fill('demo-titular-2026')
    await page.keyboard.press('Enter')
    await act.locator('pre').first().waitFor()
    await until(() => isWithin(act))
    expect(visit.complaints).toEqual([])
  })
})
