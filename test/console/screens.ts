// What is held of every screen: it has a heading, nothing on it is refused, neither scripts nor the page's policy complain, it
// opens with few requests, and axe finds nothing.
import type { Page } from 'playwright-core'
import { faultsOf } from '#test/harness/axe.ts'
import { menuOf, settled, type Visit } from '#test/harness/visit.ts'

/** Who is signed in, the brand, and the name of the organization that staff visit. */
const OF_FRAME = /\/auth\/session$|GET \/api\/v1\/(organizations\/\d+|brand)$/

/** What is no mistake: there is no hold, and no erasure, to show. */
const NONE = ['404 /api/v1/dunning/hold', '404 /api/v1/privacy/erasure']

/** A screen asks for four things at most, beside who is signed in. */
const MOST_REQUESTS = 4

/** What is wrong with the screen that is open, since the last one was looked at. */
export async function problemsOf({ page, asked, refused, complaints }: Visit): Promise<string[]> {
  const headings = await page.locator('h1').allTextContents()
  const own = asked.filter((one) => !OF_FRAME.test(one))
  const problems = [
    ...(headings[0] ? [] : [`no heading: ${(await page.locator('main').textContent())?.slice(0, 200)}`]),
    ...refused.filter((one) => !NONE.includes(one)),
    ...complaints,
    ...(own.length > MOST_REQUESTS ? [`${own.length} requests: ${own.join(', ')}`] : []),
    ...(await faultsOf(page)),
  ]
  refused.length = 0
  complaints.length = 0
  return problems
}

/** The first record of the list that is open; false where it has none. */
export async function openFirst({ page, asked }: Visit): Promise<boolean> {
  const first = page.locator('main tbody a').first()
  if ((await first.count()) === 0) return false
  const heading = await page.locator('h1').first().elementHandle()
  asked.length = 0
  await first.click()
  await heading?.waitForElementState('hidden')
  await settled(page)
  return true
}

/** Every screen that the menu of a home offers, and the first record of every list; before each one, `prepare`. */
export async function lookAround(
  visit: Visit,
  home: string,
  prepare: (page: Page, nth: number) => Promise<void>,
): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {}
  const look = async (name: string): Promise<void> => {
    const problems = await problemsOf(visit)
    if (problems.length > 0) wrong[name] = problems
  }
  await visit.open(home)
  const places = await menuOf(visit.page)
  if (places.length <= 5) wrong[home] = [`its menu offers only ${places.join(', ')}`]
  for (const [nth, path] of places.entries()) {
    await prepare(visit.page, nth)
    await visit.open(path)
    await look(path)
    if (await openFirst(visit)) await look(`${path} and its first record`)
  }
  return wrong
}
