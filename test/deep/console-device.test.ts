// A device is let in, and rejected, in the console: by the address that the device shows, which survives the sign-in,
// and by the code alone.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { settled } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { problemsOf } from '#test/console/screens.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'

/** Reads Portuguese. */
const ANA = 'ana@padaria.example'

describe.skipIf(CHROMIUM === null)('a device in the console', () => {
  const scene = consoleOfFile()

  const begin = async () =>
    (await scene.app.world.anonymous.post('/auth/device', undefined, { 'user-agent': 'titular-cli/1.0' })).data
  const poll = async ({ device_code }: { device_code: string }) => {
    const { status, errors } = await scene.app.world.anonymous.post('/auth/device/token', { device_code })
    return [status, errors?.reason]
  }

  it('is let in by the address that it shows, after the sign-in, and not before somebody says so', async () => {
    const begun = await begin()
    const visit = await scene.visit(null)
    const { page } = visit
    await visit.open(`/device?user_code=${begun.user_code}`)
    await page.getByRole('textbox', { name: /e-mail/i }).fill(ANA)
    await page.locator('input[type=password]').fill(DEMO_SIGN_INS.password)
    await page.keyboard.press('Enter')
    const allow = page.getByRole('button', { name: 'Deixar entrar' })
    await allow.waitFor()
    await settled(page)
    // That nobody was signed in yet.
    visit.refused.length = 0
    const main = await page.getByRole('main').innerText()
    for (const text of [begun.user_code, 'titular-cli', '127.0.0.1', ANA, 'Somente se foi você que começou isto'])
      expect(main).toContain(text)
    expect(await problemsOf(visit)).toEqual([])
    expect(await poll(begun)).toEqual([409, 'authorization_pending'])
    await allow.click()
    await page.getByRole('status').getByText('O dispositivo está entrando').waitFor()
    expect(await poll(begun)).toEqual([200, undefined])
    await visit.open('/me/sessions')
    await page.getByText('Outro dispositivo').first().waitFor()
  })
  it('is rejected by its code, typed as it comes, from the screen of security', async () => {
    const begun = await begin()
    const visit = await scene.visit(ANA)
    const { page } = visit
    await visit.open('/me/security')
    await page.getByRole('link', { name: 'Deixar um dispositivo entrar' }).click()
    const code = page.getByRole('textbox', { name: 'Código', exact: true })
    await code.fill('bbbb bbbb')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').first().waitFor()
    expect(visit.refused).toEqual(['404 /api/v1/auth/device/check'])
    await code.fill(begun.user_code.replace('-', ' ').toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Recusar', exact: true }).click()
    await page.getByRole('status').first().waitFor()
    expect(await poll(begun)).toEqual([401, 'access_denied'])
  })
})
