// What goes wrong while somebody works: the connection, the session, another one who changes the same, an address of nothing;
// a stolen address and hostile texts are in test/console.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { settled, type Visit } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'

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
  it('without scripts it says that it needs them', async () => {
    const { page, open } = await scene.visit(null, { javaScriptEnabled: false })
    await open('/').catch(() => {})
    expect(await page.locator('noscript').textContent()).toContain('JavaScript')
  })
})
