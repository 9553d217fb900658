// What goes wrong while somebody works: the connection, the session, another one who changes the same, an address of nothing;
// a stolen address and hostile texts are in test/console.
import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { until } from '#test/harness/until.ts'
import { settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { speakerOf } from '#test/scenes/hours.ts'

const button = ({ page }: Visit, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

describe.skipIf(CHROMIUM === null)('bad luck', () => {
  const scene = consoleOfFile()
  const profile = async (): Promise<Visit> => {
    const visit = await scene.visit('erin@northwind.example')
    await visit.open('/me/profile')
    await visit.page.getByRole('main').getByRole('button', { name: 'Change' }).click()
    return visit
  }

  it('an address that no record can have is said to be none', async () => {
    const visit = await scene.visit('erin@northwind.example')
    for (const path of ['/o/2/quotes/x', '/o/x', '/o/2/nothing', '/nowhere']) {
      await visit.open(path)
      expect(await visit.page.getByRole('alert').textContent(), path).toContain('There is no such page')
    }
  })
  it('a lost connection keeps what was typed, and the act works once it is back', async () => {
    const visit = await profile()
    const { page } = visit
    await page.getByLabel('Telephone').fill('+1 555 0100')
    await page.context().setOffline(true)
    await button(visit, 'Change').click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.getByLabel('Telephone').inputValue()).toBe('+1 555 0100')
    await page.context().setOffline(false)
    await button(visit, 'Change').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('+1 555 0100').waitFor()
  })
  it('a reload keeps what was typed', async () => {
    const { page } = await profile()
    await page.getByLabel('Name').fill('Erin 🦊 O’Hara "the <b>first</b>"')
    await page.reload()
    await settled(page)
    await page.getByRole('main').getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Erin 🦊 O’Hara "the <b>first</b>"')
  })
  it('a session that ended elsewhere is asked for again above what was typed', async () => {
    const visit = await profile()
    const { page } = visit
    await page.getByLabel('Telephone').fill('+1 555 0101')
    await page.context().clearCookies()
    await button(visit, 'Change').click()
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('erin@northwind.example')
    await page.locator('input[type=password]').fill('demo-titular-2026')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Telephone').inputValue()).toBe('+1 555 0101')
    await button(visit, 'Change').click()
    await page.getByText('+1 555 0101').waitFor()
  })
  it('what somebody has typed is not shown to who signs in after them in the same tab', async () => {
    const { page } = await profile()
    await page.getByLabel('Telephone').fill('+1 555 0199')
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('staff@titular.example')
    await page.locator('input[type=password]').fill('demo-titular-2026')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Telephone').inputValue()).toBe('')
  })
  it('who signs in on another tab does not act on the tab of who was there before', async () => {
    const visit = await profile()
    const { page } = visit
    await page.getByLabel('Telephone').fill('+1 555 0177')
    await page.context().clearCookies()
    await page.context().request.post(`${scene.app.url}/api/v1/auth/session`, {
      data: { email: 'staff@titular.example', password: 'demo-titular-2026' },
    })
    await button(visit, 'Change').click()
    await page.getByText('Your session has ended').waitFor()
    const [changed] = await scene.app.database.query('select email from users where phone = $1', ['+1 555 0177'])
    expect(changed).toBeUndefined()
  })
  it('two tabs work in two organizations', async () => {
    const one = await scene.visit('staff@titular.example')
    const page = await one.page.context().newPage()
    await one.open('/o/1/quotes')
    await page.goto(`${scene.app.url}/app/o/2/quotes`)
    await settled(page)
    await one.page.reload()
    await settled(one.page)
    expect(new URL(one.page.url()).pathname).toBe('/app/o/1/quotes')
    expect(new URL(page.url()).pathname).toBe('/app/o/2/quotes')
  })
  it('texts that mean something to programs are shown as texts', async () => {
    const { anonymous } = scene.app.world
    const credentials = { email: 'erin@northwind.example', password: 'demo-titular-2026' }
    const { data } = await anonymous.post('/auth/login', credentials)
    const headers = { authorization: `Bearer ${data.access_token}`, 'x-service-organization': '2' }
    const { status } = await anonymous.put('/organizations/2', { city: '__proto__', state: 'constructor' }, headers)
    expect(status).toBe(200)
    const visit = await scene.visit(credentials.email)
    await visit.open('/o/2/audit-log')
    const folded = visit.page.getByRole('main').getByRole('button', { name: 'Show', exact: true })
    while ((await folded.count()) > 0) await folded.first().click()
    await visit.page.getByText('__proto__').first().waitFor()
    await visit.page.getByText('constructor', { exact: true }).first().waitFor()
    expect(visit.complaints).toEqual([])
  })
  it('an act that is no longer possible says why, beside what is another now, and keeps what was typed', async () => {
    const visit = await scene.visit('erin@northwind.example')
    const { page } = visit
    await visit.open('/o/2/quotes/15')
    await page.getByRole('main').getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Too late for us')
    const staff = await speakerOf(scene.app, 'staff@titular.example', 2)
    expect((await staff.post('/quotes/15/cancel', {})).status).toBe(200)
    await button(visit, 'Reject').click()
    const refusal = page.getByRole('dialog').getByRole('alert')
    await refusal.getByText('Cancelled').waitFor()
    expect(visit.refused).toEqual(['409 /api/v1/quotes/15/reject'])
    expect(await page.getByLabel('Reason').inputValue()).toBe('Too late for us')
  })
  it('who may do less meanwhile is told so, and the menu offers less', async () => {
    const ana = await speakerOf(scene.app, 'ana@padaria.example', 1)
    const { data: people } = await ana.get('/organizations/1/collaborators')
    const { id } = people.find(({ email }: { email: string }) => email === 'carla@padaria.example')
    const allow = (flags: object) => ana.put(`/organizations/1/collaborators/${id}`, flags)
    expect((await allow({ can_manage_tickets: true })).status).toBe(200)
    const visit = await scene.visit('carla@padaria.example', { locale: 'pt-BR' })
    const { page } = visit
    const entry = (name: string) => page.locator('nav').getByRole('link', { name, exact: true })
    await visit.open('/o/1/invoices')
    await entry('Faturas').waitFor()
    expect((await allow({ can_manage_finances: false })).status).toBe(200)
    await page.getByRole('main').locator('tbody a').first().click()
    await page.getByRole('main').getByRole('alert').waitFor()
    await entry('Faturas').waitFor({ state: 'detached' })
    expect((await ana.delete(`/organizations/1/collaborators/${id}`)).status).toBe(200)
    await entry('Chamados').click()
    await page.getByRole('main').getByRole('alert').waitFor()
    await entry('Chamados').waitFor({ state: 'detached' })
    expect(visit.complaints).toEqual([])
  })
  it('an answer that takes long is waited for, and nothing is sent twice', async () => {
    const visit = await profile()
    const { page } = visit
    const held: Route[] = []
    await page.route('**/api/v1/auth/me', async (route) => {
      if (route.request().method() === 'GET') await route.continue()
      else held.push(route)
    })
    await page.getByLabel('Telephone').fill('+1 555 0144')
    await button(visit, 'Change').click()
    await until(
      () => held.length,
      (count) => count === 1,
    )
    expect(await button(visit, 'Change').isDisabled()).toBe(true)
    await page.getByLabel('Telephone').press('Enter')
    await page.getByLabel('Telephone').press('Enter')
    for (const route of held) await route.continue()
    await page.getByText('+1 555 0144').waitFor()
    expect(held).toHaveLength(1)
  })
  it('a list that takes long shows that it is read', async () => {
    const visit = await scene.visit('erin@northwind.example')
    const { page } = visit
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/v1/invoices?*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${scene.app.url}/app/o/2/invoices`)
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await page.locator('.mantine-Skeleton-root').first().waitFor()
    release()
    await page.getByText('GL-000001').first().waitFor()
    await settled(page)
    expect(visit.complaints).toEqual([])
  })
  it('a screen whose file a new version no longer has says what to do, and is there after that', async () => {
    const visit = await scene.visit('erin@northwind.example')
    const { page } = visit
    await visit.open('/o/2/invoices')
    const parts = '**/app/assets/entitlements-*.js'
    await page.route(parts, (route) => route.fulfill({ status: 404 }))
    await page.locator('nav').getByRole('link', { name: 'Entitlements', exact: true }).click()
    await page.getByText('This page could not be shown').waitFor()
    await page.unroute(parts)
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByText('Managed Moodle').first().waitFor()
    expect(await page.getByText('This page could not be shown').count()).toBe(0)
  })
  it('a service that is away at the start asks nobody to sign in, and the person is there after that', async () => {
    const { page } = await scene.visit('erin@northwind.example')
    const start = '**/api/v1/auth/session'
    await page.route(start, (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('This page could not be shown').waitFor()
    expect(await page.locator('input[type=password]').count()).toBe(0)
    await page.unroute(start)
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('link', { name: 'Erin Walsh' }).first().waitFor()
  })

  it('an address that the menu does not offer is none', async () => {
    const visit = await scene.visit('alice.auditor@titular.example')
    for (const path of ['/o/1/quote-editor/new', '/o/1/nothing']) {
      await visit.open(path)
      expect(await visit.page.getByRole('alert').textContent(), path).toContain('There is no such page')
    }
  })
  it('without scripts it says that it needs them', async () => {
    const { page, open } = await scene.visit(null, { javaScriptEnabled: false })
    await open('/').catch(() => {})
    expect(await page.locator('noscript').textContent()).toContain('JavaScript')
  })
})
