// Pictures of the console beside the demo: `npm run screenshots` puts one of every screen of the menus, of a customer and of
// staff, into screenshots/, which is not committed; `npm run screenshots -- readme` rewrites the five of README.md.
// `--width 360`, `--language pt-BR` and `--dark` say how they are looked at.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openChromium } from '#test/harness/chromium.ts'
import { ALL_SYSTEMS } from '#test/harness/other-systems.ts'
import { processOf } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'
import { menuOf, openVisit, type Visit } from '#test/harness/visit.ts'

const MANY = '1000000/60'
const ROOT = join(import.meta.dirname, '..')
/** The customers with a history, each of which the log names when it has come to today. */
const HISTORIES = 3

const README = {
  'home-of-a-customer': ['helena@horizonte.example', '/o/3'],
  quote: ['staff@titular.example', '/o/1/quotes/1'],
  'queue-of-staff': ['staff@titular.example', '/all'],
  lineage: ['ana@padaria.example', '/o/1/lineage/1'],
  reports: ['staff@titular.example', '/all/reports'],
} as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: '1280' },
    language: { type: 'string' },
    dark: { type: 'boolean', default: false },
  },
})
const look = {
  viewport: { width: Number(values.width), height: 800 },
  colorScheme: values.dark ? 'dark' : 'light',
} as const

/** In the language that was asked for; a person of the demo has their own. */
async function visitOf(email: string): Promise<Visit> {
  const { language } = values
  const visit = await openVisit(browser, service.url, email, look)
  if (language === undefined) return visit
  const { request } = visit.page
  const session = await request.get(`${service.url}/api/v1/auth/session`)
  const { data }: { data: { nonce: string } } = await session.json()
  const headers = { 'x-service-nonce': data.nonce }
  await request.put(`${service.url}/api/v1/auth/me`, { headers, data: { language } })
  return visit
}

const service = await processOf({
  DEMO: '1',
  SANDBOX: '1',
  LOG_LEVEL: 'info',
  ...ALL_SYSTEMS,
  LIMIT_CREDENTIALS: MANY,
  LIMIT_REQUESTS: MANY,
})
const browser = await openChromium()
try {
  await service.start()
  await until(() => service.output().split('has come to today').length > HISTORIES)
  if (positionals.includes('readme')) {
    const folder = join(ROOT, 'docs/screenshots')
    await mkdir(folder, { recursive: true })
    for (const [name, [email, path]] of Object.entries(README)) {
      const { page, open } = await openVisit(browser, service.url, email)
      await open(path)
      await page.screenshot({ path: join(folder, `${name}.png`) })
    }
  } else
    for (const [who, email, ...homes] of [
      ['customer', 'helena@horizonte.example', '/o/3', '/me/profile'],
      ['staff', 'staff@titular.example', '/all', '/o/3'],
    ] as const) {
      const folder = join(ROOT, 'screenshots', who)
      await mkdir(folder, { recursive: true })
      const { page, open } = await visitOf(email)
      for (const home of homes) {
        await open(home)
        for (const path of await menuOf(page)) {
          await open(path)
          await page.screenshot({ path: join(folder, `${path.slice(1).replaceAll('/', '-')}.png`), fullPage: true })
        }
      }
    }
} finally {
  await browser.close()
  await service.stop()
  await service.remove()
}
