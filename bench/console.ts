// The console in a Chromium whose processor is slowed four times: how soon a home is there, and whether a task blocks the page.
// Then, at full speed, how soon a list of a hundred rows is filtered.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { DEMO_SIGN_INS } from '../src/demo/sign-ins.ts'
import { CHROMIUM, openChromium } from '../test/harness/chromium.ts'
import { until } from '../test/harness/until.ts'
import { cpuOfTrees, hasProc } from './cpu.ts'
import { npmStart } from './npm-start.ts'
import { openPlainChromium, type Tab } from './plain-chromium.ts'
import { median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import { UNLIMITED } from './settings.ts'

const SLOWED = 4
const PAINT_MS = 1500
const TASK_MS = 200
const FILTER_MS = 100
const ROWS = 100
const ROUNDS = 5

const CUSTOMER = { who: 'a customer', email: 'ana@padaria.example', home: '/o/1' }
const STAFF = { who: 'staff', email: 'staff@titular.example', home: '/all' }
type Visitor = typeof CUSTOMER

type Load = { paintMs: number; longestMs: number }

export async function measureConsole(run: Run): Promise<Report> {
  if (CHROMIUM === null)
    return { verdicts: [], lines: ['There is no Chromium: the console was not measured.'], figures: {} }
  const service = await npmStart(run, join(run.home, 'console'), UNLIMITED)
  const browser = await openChromium()
  run.undo(() => browser.close())
  try {
    await demoIsDone(service.pid)
    const homes = [CUSTOMER, STAFF]
    const loads: { who: string; rounds: Load[] }[] = []
    for (const visitor of homes) {
      const home = join(run.home, `chromium of ${visitor.who}`)
      loads.push({ who: visitor.who, rounds: await loadsOf(CHROMIUM, home, service.url, visitor) })
    }
    const filterMs = await filtersOf(browser, service.url)
    const slowed = `processor ÷ ${SLOWED}`
    return {
      verdicts: [
        ...loads.flatMap(({ who, rounds }) => [
          upTo(`home of ${who}, ${slowed}: largest paint`, median(rounds.map((one) => one.paintMs)), PAINT_MS, 'ms'),
          upTo(`home of ${who}, ${slowed}: longest task`, median(rounds.map((one) => one.longestMs)), TASK_MS, 'ms'),
        ]),
        upTo(`a list of ${ROWS} rows, filtered`, median(filterMs), FILTER_MS, 'ms'),
      ],
      lines: [],
      figures: { loads, filterMs },
    }
  } finally {
    await browser.close()
    await service.stop()
  }
}

const POLL_MS = 200
const MOST_LOAD_MS = 60_000
const STILL_MS = 2000

const PAUSE_MS = 2000
const BUSY_MICROS = 100_000
const MOST_PAUSES = 20

/** The jobs of the demo, such as its papers, run for a while after the start. */
async function demoIsDone(pid: number): Promise<void> {
  if (!hasProc) return
  for (let pause = 0, before = Number.NaN; pause < MOST_PAUSES; pause++) {
    const now = cpuOfTrees([pid])
    if (now - before < BUSY_MICROS) return
    before = now
    await sleep(PAUSE_MS)
  }
}

async function signIn(browser: Browser, url: string, { email }: Visitor): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/app/`)
  await page.getByRole('textbox', { name: /e-mail/i }).fill(email)
  await page.locator('input[type=password]').fill(DEMO_SIGN_INS.password)
  await page.keyboard.press('Enter')
  await page.locator('nav').first().waitFor()
  return page
}

/** Each load finds an empty cache, as the first one of a person does. */
async function loadsOf(program: string, home: string, url: string, visitor: Visitor): Promise<Load[]> {
  const tab = await openPlainChromium(program, home)
  try {
    await tab.send('Page.enable')
    await tab.send('Page.navigate', { url: `${url}/app/` })
    const signingIn = `fetch('/api/v1/auth/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify({ email: visitor.email, password: DEMO_SIGN_INS.password }))},
    }).then(({ status }) => status)`
    const status = await until(() => tab.evaluate(`location.origin === '${url}' && ${signingIn}`))
    if (status !== 200) throw new Error(`${visitor.email} was not signed in: ${String(status)}`)
    await tab.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH })
    const loads: Load[] = []
    for (let round = 0; round < ROUNDS; round++) loads.push(await loadOnce(tab, `${url}/app${visitor.home}`))
    return loads
  } finally {
    await tab.close()
  }
}

async function loadOnce(tab: Tab, url: string): Promise<Load> {
  // From a page of no site: a new process loads it, which has nothing compiled yet, as a person's first visit does.
  await tab.send('Page.navigate', { url: 'about:blank' })
  await sleep(STILL_MS)
  await tab.send('Network.clearBrowserCache')
  await tab.send('Page.navigate', { url })
  const deadline = Date.now() + MOST_LOAD_MS
  for (;;) {
    await sleep(POLL_MS)
    const seen = await tab.evaluate(SEEN)
    if (isLoad(seen)) return seen
    if (Date.now() > deadline) throw new Error(`${url} was not drawn`)
  }
}

const isLoad = (seen: unknown): seen is Load => typeof seen === 'object' && seen !== null && 'paintMs' in seen

/** Runs in the page, before its scripts. */
const WATCH = `
  globalThis.seen = { paintMs: 0, longestMs: 0 }
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('largest-contentful-paint', ({ startTime }) => { seen.paintMs = startTime })
  watch('longtask', ({ duration }) => { seen.longestMs = Math.max(seen.longestMs, duration) })
`

/** What was seen, a while after the home was found drawn, so that what follows counts too. */
const SEEN = `document.querySelector('main h1') !== null
  && document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null
  && performance.now() > (seen.drawnMs ??= performance.now()) + ${STILL_MS} && seen.paintMs > 0 && seen`

/** From the choice of a filter until its rows are drawn, the answer of the service included. */
async function filtersOf(browser: Browser, url: string): Promise<number[]> {
  await makeDrafts(`${url}/api/v1`)
  const page = await signIn(browser, url, STAFF)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${url}/app/o/1/invoices`)
    await page.locator('main tbody tr').first().waitFor()
    await page.locator('search .mantine-MultiSelect-input').first().click()
    await page.getByRole('option', { name: 'Open', exact: true }).waitFor()
    times.push(await page.evaluate(FILTER_BY_OPEN))
  }
  await page.context().close()
  return times
}

async function makeDrafts(api: string): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    const { data }: { data: { access_token: string } } = JSON.parse(await answer.text())
    return data
  }
  const { access_token: token } = await post('/auth/login', { email: STAFF.email, password: DEMO_SIGN_INS.password })
  const headers = { authorization: `Bearer ${token}`, 'x-service-organization': '1' }
  const draft = { company: 'entity_br', currency: 'BRL', total: '100.00' }
  for (let row = 0; row < ROWS; row++) await post('/invoices', draft, headers)
}

/** Runs in the page: chooses what is open, and waits until no draft is shown and the picture is drawn. */
const FILTER_BY_OPEN = `(async () => {
  const shown = () => document.querySelector('main tbody')?.textContent ?? ''
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const options = [...document.querySelectorAll('[role=option]')]
  const option = options.find((one) => one.textContent === 'Open' && one.checkVisibility())
  if (!shown().includes('Draft')) throw new Error('no draft is shown')
  const began = performance.now()
  option.click()
  for (let waited = 0; waited < 600 && (shown() === '' || shown().includes('Draft')); waited++) await frame()
  if (shown().includes('Draft')) throw new Error('the list was not filtered')
  await frame()
  return performance.now() - began
})()`
