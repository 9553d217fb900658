// Every screen that the menus offer, and the first record of every list: opened by a customer, by staff across all and inside
// an organization. The list is the menu's.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { menuOf, settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

/** Who is signed in, the brand, and the name of the organization that staff visit. */
const OF_FRAME = /\/auth\/session$|GET \/api\/v1\/(organizations\/\d+|brand)$/

/** What is no mistake: there is no hold, and no erasure, to show. */
const NONE = ['404 /api/v1/dunning/hold', '404 /api/v1/privacy/erasure']

/** A screen asks for four things at most, beside who is signed in. */
const MOST_REQUESTS = 4

async function lookAround(visit: Visit, home: string): Promise<Record<string, string>> {
  const { page, asked, refused, complaints } = visit
  const wrong: Record<string, string> = {}
  const look = async (path: string): Promise<void> => {
    const heading = await page
      .locator('h1')
      .first()
      .textContent()
      .catch(() => null)
    const own = asked.filter((one) => !OF_FRAME.test(one))
    const problem =
      heading === null || heading === ''
        ? `no heading: ${(await page.locator('main').textContent())?.slice(0, 200)}`
        : refused.some((one) => !NONE.includes(one)) || complaints.length > 0
          ? [...refused, ...complaints].join('; ')
          : own.length > MOST_REQUESTS
            ? `${own.length} requests: ${own.join(', ')}`
            : null
    if (problem !== null) wrong[path] = problem
    refused.length = 0
    complaints.length = 0
  }
  await visit.open(home)
  const places = await menuOf(page)
  expect(places.length).toBeGreaterThan(5)
  for (const path of places) {
    await visit.open(path)
    await look(path)
    const first = page.locator('main tbody a').first()
    if ((await first.count()) === 0) continue
    asked.length = 0
    await first.click()
    await page.waitForURL((url) => !url.pathname.endsWith(path))
    await settled(page)
    await look(`${path} and its first record`)
  }
  return wrong
}

describe.skipIf(CHROMIUM === null)('every screen', () => {
  const scene = consoleOfFile()

  it('of a customer opens, without a refusal, an error or many requests', async () => {
    const visit = await scene.visit('ana@padaria.example')
    expect(await lookAround(visit, '/o/1')).toEqual({})
    expect(await lookAround(visit, '/me/profile')).toEqual({})
  })
  it('of staff opens, across all organizations', async () => {
    expect(await lookAround(await scene.visit('staff@titular.example'), '/all')).toEqual({})
  })
  it('of staff opens, in a customer’s organization', async () => {
    expect(await lookAround(await scene.visit('staff@titular.example'), '/o/1')).toEqual({})
  })
})
