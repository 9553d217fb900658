// Somebody at the console in a browser: what a page says, asks for and complains about is kept.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'

export type Visit = {
  page: Page
  /** Errors of scripts, of the console and of the page's policy. */
  complaints: string[]
  /** Requests of the API since the last `open`, those that wait for events left out. */
  asked: string[]
  /** Answers of the API that refuse: status and path. */
  refused: string[]
  open: (path: string) => Promise<void>
}

/** Somebody who has signed in by the form; nobody with null. */
export async function openVisit(
  browser: Browser,
  url: string,
  email: string | null,
  options?: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  context.setDefaultTimeout(120_000)
  return visitOf(await context.newPage(), url, email)
}

/** What the browser itself says of an answer that refuses, which `refused` has. */
const OF_ANSWERS = /Failed to load resource/

async function visitOf(page: Page, url: string, email: string | null): Promise<Visit> {
  const visit: Visit = {
    page,
    complaints: [],
    asked: [],
    refused: [],
    async open(path) {
      visit.asked.length = 0
      await page.goto(`${url}/app${path}`)
      await settled(page)
    },
  }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !OF_ANSWERS.test(message.text()))
      visit.complaints.push(message.text())
  })
  page.on('pageerror', (error) => visit.complaints.push(error.message))
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.endsWith('/events'))
      visit.asked.push(`${request.method()} ${pathname}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/') && response.status() >= 400) visit.refused.push(`${response.status()} ${pathname}`)
  })
  if (email !== null) {
    await visit.open('/')
    await page.getByRole('textbox', { name: /e-mail/i }).fill(email)
    await page.locator('input[type=password]').fill(DEMO_SIGN_INS.password)
    await page.keyboard.press('Enter')
    await page.locator('nav').first().waitFor()
    await settled(page)
    // That nobody is signed in yet.
    visit.refused.length = 0
  }
  return visit
}

/** Something is shown, and nothing is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=alert], noscript p').first().waitFor({ state: 'attached' })
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' })
}

/** The addresses that the menu offers. */
export const menuOf = async (page: Page): Promise<string[]> => {
  const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(links)].map((link) => link.replace(/^\/app/, '')).filter((link) => link !== '')
}
