// What a screen reader says: roles, names and states in their order, as the browser's tree of accessibility has them.
// A change of the texts in trees/ is looked at like a change of the screen (`npx vitest run --config vitest.deep.config.ts -u`).
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { settled } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

const DAY = /\d{1,2} de [a-zç]{3,9}\.? de \d{4}|[A-Z][a-z]{2} \d{1,2}, \d{4}/g
const TIME = /\d{1,2}:\d{2}(?:\s[AP]M)?/g
const AGE =
  /\b(?:in \d+ \w+|\d+ \w+ ago|today|tomorrow|yesterday|hoje|amanhã|ontem|em \d+ \w+|há \d+ \w+|last \w+|next \w+)\b/g

/** Without what is another every day. */
const said = async (part: Locator): Promise<string> =>
  (await part.ariaSnapshot())
    .replaceAll(DAY, '(day)')
    .replaceAll(TIME, '(time)')
    .replaceAll(AGE, '(age)')
    .replaceAll(/\d+/g, '#') + '\n'

describe.skipIf(CHROMIUM === null)('what a screen reader says', () => {
  const scene = consoleOfFile()

  it.each([
    ['en', 'en-US'],
    ['pt-br', 'pt-BR'],
  ])('of the way in, in %s', async (language, locale) => {
    const { page, open } = await scene.visit(null, { locale })
    await open('/')
    await expect(await said(page.locator('body'))).toMatchFileSnapshot(`trees/sign-in.${language}.txt`)
  })
  it.each([
    ['home', '/o/2', 'Open tickets'],
    ['invoices', '/o/2/invoices', 'Columns'],
    ['quote', '/o/2/quotes/15', 'History'],
    ['people', '/o/2/people', 'Columns'],
    ['security', '/me/security', 'Passkeys'],
  ])('of a customer’s %s', async (name, path, last) => {
    const { page, open } = await scene.visit('erin@northwind.example')
    await open(path)
    await page.getByRole('main').getByText(last).first().waitFor()
    await settled(page)
    const part = page.locator(name === 'home' ? 'body' : 'main')
    await expect(await said(part)).toMatchFileSnapshot(`trees/${name}.txt`)
  })
  it('of a dialog', async () => {
    const { page, open } = await scene.visit('ana@padaria.example', { locale: 'pt-BR' })
    await open('/o/1/people')
    await page.getByRole('main').getByRole('button', { name: 'Convidar alguém' }).click()
    await page.getByRole('dialog').locator('button[type=submit]').waitFor()
    await expect(await said(page.getByRole('dialog'))).toMatchFileSnapshot('trees/invite.pt-br.txt')
  })
  it.each([
    ['quote-editor', '/o/2/quote-editor/new'],
    ['settings', '/all/settings/entity_br'],
  ])('of staff’s %s', async (name, path) => {
    const { page, open } = await scene.visit('staff@titular.example')
    await open(path)
    await expect(await said(page.getByRole('main'))).toMatchFileSnapshot(`trees/staff-${name}.txt`)
  })
})
