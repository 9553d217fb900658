// The console in a browser, one of each kind: the form of sign-in, a list, a record, a form with an error, hostile texts, a
// stolen address. The others, and every screen, are in test/deep/console-*.test.ts.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { openFirst, problemsOf } from './screens.ts'

describe.skipIf(CHROMIUM === null)('the console', () => {
  const scene = consoleOfFile()

  it('lets a customer sign in, and shows a list and a record', async () => {
    const visit = await scene.visit('ana@padaria.example')
    await visit.open('/o/1/invoices')
    expect(await problemsOf(visit)).toEqual([])
    expect(await openFirst(visit)).toBe(true)
    expect(await problemsOf(visit)).toEqual([])
  })
  it('a stolen address shows neither the record nor its name', async () => {
    const visit = await scene.visit('erin@northwind.example')
    await visit.open('/o/1/quotes/1')
    expect(await visit.page.getByRole('alert').textContent()).toContain('not yours to see')
    expect(await visit.page.content()).not.toMatch(/Padaria|Q-1\b/)
  })
  it('a form shows what is wrong beside the field, and hostile texts as texts', async () => {
    const visit = await scene.visit('ana@padaria.example')
    const { page } = visit
    const hostile = `<img src=x onerror=alert(1)> "'\`{{7*7}} \${1} 🧨`
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs += 1
      void dialog.dismiss()
    })
    await visit.open('/o/1/tickets')
    await page.getByRole('main').getByRole('button', { name: 'Abrir um chamado' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().click()
    await page.getByRole('listbox').getByRole('option').first().click()
    await page.getByLabel('Título').fill(' ')
    await page.getByLabel('Descrição').fill(hostile)
    await dialog.locator('button[type=submit]').click()
    await dialog.getByRole('alert').waitFor()
    const title = page.getByLabel('Título')
    expect(await title.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(`[id="${await title.getAttribute('aria-describedby')}"]`).textContent()).not.toBe('')
    expect(await page.getByLabel('Descrição').inputValue()).toBe(hostile)
    await title.fill(hostile)
    await dialog.locator('button[type=submit]').click()
    await page.locator('h1', { hasText: '<img src=x' }).waitFor()
    await visit.open('/o/1/tickets')
    await page.getByText(hostile).first().waitFor()
    expect([dialogs, await page.locator('img[src=x]').count(), visit.complaints]).toEqual([0, 0, []])
  })
})
