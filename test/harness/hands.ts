// What somebody does in the console by clicking and typing, named by the words that they read there.
import type { Locator, Page } from 'playwright-core'
import { settled } from './visit.ts'

/** A text, a choice, several choices, a switch, or a file. */
export type FieldValue = string | readonly string[] | boolean | { name: string; mimeType: string; buffer: Buffer }

export type Hands = ReturnType<typeof handsAt>

export function handsAt(page: Page) {
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog').filter({ has: page.locator('button[type=submit], [role=status]') })

  async function choose(field: Locator, words: string): Promise<void> {
    await field.click()
    // The list of this field; those of others are hidden.
    await page.getByRole('option', { name: words }).filter({ visible: true }).first().click()
  }

  async function fill(within: Locator, fields: Readonly<Record<string, FieldValue>>): Promise<void> {
    for (const [label, given] of Object.entries(fields)) {
      const field = within.getByLabel(label, { exact: false }).filter({ visible: true }).first()
      await field.waitFor()
      const isChoice = (await field.getAttribute('aria-haspopup')) === 'listbox'
      if (typeof given === 'boolean') await field.setChecked(given, { force: true })
      else if (Array.isArray(given)) for (const one of given) await choose(field, one)
      else if (typeof given === 'object' && 'buffer' in given) {
        const chooser = page.waitForEvent('filechooser')
        await field.click()
        await (await chooser).setFiles(given)
      } else if (isChoice) await choose(field, String(given))
      else await field.fill(String(given))
    }
  }

  /** By the menu, which a narrow screen hides behind a button. */
  async function goTo(name: string): Promise<void> {
    // Some say how much waits there, too.
    const link = page.locator('nav').getByRole('link', { name: new RegExp(`^${RegExp.escape(name)}( \\d+\\+? .*)?$`) })
    const burger = page.getByRole('banner').getByRole('button', { name: /^Menu$/ })
    if (await burger.isVisible()) await burger.click()
    await link.first().click()
    await settled(page)
  }

  /** The record of a list, or of a list below a record. */
  async function openRow(words: string | RegExp): Promise<void> {
    const before = page.url()
    await main.locator('tbody tr, li').filter({ hasText: words }).first().getByRole('link').first().click()
    await page.waitForURL((url) => url.href !== before)
    await settled(page)
  }

  /** Presses what is offered, fills what its dialog asks for, and confirms it; false in `confirms` leaves it open. */
  async function act(
    name: string,
    fields: Readonly<Record<string, FieldValue>> = {},
    { within = main, confirms = name }: { within?: Locator; confirms?: string | null } = {},
  ): Promise<void> {
    await within.getByRole('button', { name, exact: true }).first().click()
    await dialog.locator('button[type=submit]').waitFor()
    await fill(dialog, fields)
    if (confirms !== null) await confirm(confirms)
  }

  /** The dialog goes away, or shows what is shown once. */
  async function confirm(name: string): Promise<void> {
    await dialog.getByRole('button', { name, exact: true }).click()
    const refusal = dialog.getByRole('alert')
    const kept = dialog.locator('pre')
    await Promise.race([dialog.waitFor({ state: 'detached' }), refusal.waitFor(), kept.first().waitFor()])
    if ((await dialog.count()) > 0 && (await refusal.count()) > 0)
      throw new Error(`"${name}" was refused: ${(await refusal.allTextContents()).join('; ')}`)
    if ((await dialog.count()) === 0) await settled(page)
  }

  /** The list below a record, unfolded. */
  async function section(name: string): Promise<Locator> {
    const folded = main.getByRole('button', { name: new RegExp(`^${name} ▾$`) })
    const card = main.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await folded.or(card).first().scrollIntoViewIfNeeded()
    if ((await folded.count()) > 0) await folded.click()
    await card.first().waitFor()
    await settled(page)
    return card.first()
  }

  /** What comes as a file. */
  async function download(name: string, within: Locator = main): Promise<string> {
    const arrived = page.waitForEvent('download')
    await within
      .getByRole('button', { name, exact: true })
      .or(within.getByRole('link', { name, exact: true }))
      .first()
      .click()
    return (await arrived).suggestedFilename()
  }

  return {
    page,
    main,
    dialog,
    goTo,
    openRow,
    act,
    confirm,
    fill,
    section,
    download,
    sees: (words: string | RegExp) => main.getByText(words).filter({ visible: true }).first().waitFor(),
  }
}
