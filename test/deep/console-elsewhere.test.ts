// The console as another host serves it: plain files, and one line of its page that says where the service is.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { CHROMIUM, openChromium } from '#test/harness/chromium.ts'
import { openVisit } from '#test/harness/visit.ts'
import { startDemo } from '#test/scenes/demo.ts'

const DIST = join(import.meta.dirname, '../../apps/console/dist')
const KINDS: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

describe.skipIf(CHROMIUM === null)('the console on another host', () => {
  let host: Server
  let app: TestApp
  let browser: Browser
  let url: string

  beforeAll(async () => {
    host = createServer((request, response) => {
      const path = (request.url ?? '').replace(/[?#].*$/, '')
      const kind = KINDS[extname(path)]
      const file = join(DIST, kind ? path.replace(/^\/app\//, '') : 'index.html')
      const serve = async (): Promise<void> => {
        const text = await readFile(file, 'utf8')
        response.setHeader('Content-Type', kind ?? 'text/html')
        response.end(kind ? text : text.replace('name="service" content=""', `name="service" content="${app.url}"`))
      }
      serve().catch(() => response.writeHead(404).end())
    })
    await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    app = await startDemo({ CORS_ORIGINS: url })
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    host?.close()
    await app?.close()
  })

  it('signs in, reads, changes with the ETag of what was read, gets a paper, and signs out', async () => {
    const visit = await openVisit(browser, url, 'ana@padaria.example')
    const { page } = visit
    await visit.open('/o/1/tickets')
    await page.getByRole('button', { name: 'Abrir um chamado' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().click()
    await page.getByRole('listbox').getByRole('option').first().click()
    await page.getByLabel('Título').fill('De outro servidor')
    await page.getByLabel('Descrição').fill('Aberto no console que outro servidor entrega.')
    await dialog.locator('button[type=submit]').click()
    await page.locator('h1', { hasText: 'De outro servidor' }).waitFor()
    await visit.open('/me/profile')
    await page.getByRole('main').getByRole('button').first().click()
    await dialog.getByRole('textbox').first().fill('Ana de Outro Servidor')
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith('/auth/me') && answer.request().method() === 'PUT',
    )
    await dialog.locator('button[type=submit]').click()
    expect((await saved).status()).toBe(200)
    await visit.open('/o/1/invoices')
    await page.getByRole('main').locator('tbody tr a').first().click()
    const paper = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PDF' }).click()
    expect((await paper).suggestedFilename()).toMatch(/\.pdf$/)
    // Nobody has asked for the erasure of the account.
    const refused = visit.refused.filter((one) => !one.endsWith('/privacy/erasure'))
    expect([visit.complaints, refused]).toEqual([[], []])
  })
})
