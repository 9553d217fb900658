// Every screen that the menus offer, and the first record of every list, in both languages: opened by a customer, by staff
// across all and inside an organization. The list is the menu's. Light and dark, wide and narrow alternate from screen to
// screen, and what one language has light and wide, the other has dark and narrow.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lookAround } from '#test/console/screens.ts'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

const HEIGHT = 800

async function wear(page: Page, nth: number): Promise<void> {
  await page.emulateMedia({ colorScheme: nth % 2 === 0 ? 'light' : 'dark' })
  await page.setViewportSize({ width: nth % 4 < 2 ? 1280 : 360, height: HEIGHT })
}

describe.skipIf(CHROMIUM === null)('every screen', () => {
  const scene = consoleOfFile()
  const all = async (email: string, home: string, language: string): Promise<Record<string, string[]>> => {
    await scene.app.database.query('update users set language = $1 where email = $2', [language, email])
    const visit = await scene.visit(email)
    const turn = language === 'en' ? 0 : 3
    const wrong = await lookAround(visit, home, (page, nth) => wear(page, nth + turn))
    expect(await visit.page.locator('html').getAttribute('lang')).toBe(language)
    await visit.page.context().close()
    return wrong
  }

  describe.each(['en', 'pt-BR'])('in %s', (language) => {
    it('of a customer opens, without a refusal, an error, many requests or a barrier', async () => {
      expect(await all('ana@padaria.example', '/o/1', language)).toEqual({})
    })
    it('of one’s own account opens so', async () => {
      expect(await all('ana@padaria.example', '/me/profile', language)).toEqual({})
    })
    it('of staff opens so, across all organizations', async () => {
      expect(await all('staff@titular.example', '/all', language)).toEqual({})
    })
    it('of staff opens so, in a customer’s organization', async () => {
      expect(await all('staff@titular.example', '/o/1', language)).toEqual({})
    })
  })
})
