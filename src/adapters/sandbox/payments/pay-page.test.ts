// The pay page of the sandbox's payment provider.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { eventsOf, isAllDelivered, pay, type PaymentSandbox, paymentSandbox } from '#test/scenes/payment-sandbox.ts'
import { payPageLanguage } from './texts.ts'

let world: PaymentSandbox

beforeEach(async () => {
  world = await paymentSandbox()
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

const allDelivered = () => isAllDelivered(world)
const types = () => eventsOf(world).map(({ providerType }) => providerType)

describe('the pay page', () => {
  it('shows amount and lines as escaped text, in the requested language, without scripts', async () => {
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    const response = await fetch(checkoutUrl, { headers: { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' } })
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    )
    expect(html).toContain('<html lang="pt-BR">')
    expect(html).toContain('R$\u00A0150,50')
    for (const text of [
      'INV-2026-00012',
      'Titular &lt;BR&gt;',
      'Moodle &lt;hosting&gt;',
      'Ação &amp; Filhos',
      'data-state="open"',
    ]) {
      expect(html).toContain(text)
    }
    expect(html).not.toMatch(/<script|<hosting>| on\w+=/)
    const english = await (await fetch(checkoutUrl, { headers: { 'accept-language': 'en' } })).text()
    expect(english).toContain('R$150.50')
    expect(english).toContain('<html lang="en">')
  })

  it('stores the outcome of its form, then shows the state without the form', async () => {
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    const posted = await pay(checkoutUrl, 'paid')
    expect(posted.status).toBe(303)
    expect(new URL(posted.headers.get('location') ?? '', checkoutUrl).href).toBe(checkoutUrl)
    const html = await (await fetch(checkoutUrl)).text()
    expect(html).toContain('data-state="paid"')
    expect(html).not.toContain('<form')
    await until(() => world.received.length === 1)
  })

  it('accepts JSON too', async () => {
    const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(checkoutUrl, { method: 'POST', headers, body: '{"outcome":"failed"}' })
    expect(await response.json()).toEqual({ id: reference, status: 'open', outcome: 'failed' })
    const broken = await fetch(checkoutUrl, { method: 'POST', headers, body: '{"outcome":' })
    expect(broken.status).toBe(422)
  })

  it('pays once, repeated or at once', async () => {
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await pay(checkoutUrl, 'paid')).status))
    expect(new Set(statuses)).toEqual(new Set([303]))
    expect((await pay(checkoutUrl, 'failed')).status).toBe(409)
    await until(allDelivered)
    expect(types()).toEqual(['invoice.paid'])
  })

  it('allows paid after failed, and counts a repeated failure once', async () => {
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await Promise.all([pay(checkoutUrl, 'failed'), pay(checkoutUrl, 'failed')])
    const html = await (await fetch(checkoutUrl)).text()
    expect(html).toContain('data-state="failed"')
    expect(html).toContain('<form method="post">')
    await until(() => world.received.length === 1)
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length === 2)
    expect(types()).toEqual(['invoice.payment_failed', 'invoice.paid'])
  })

  it('404 for an unknown page, 422 without an outcome, 405 for another method', async () => {
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    for (const path of ['in_000000000000000000000000', '..%2f..%2fetc%2fpasswd', 'cus_1']) {
      expect((await fetch(`${world.url}/sandbox/pay/br/${path}`)).status).toBe(404)
    }
    expect((await fetch(`${world.url}/sandbox/pay/none/in_1`)).status).toBe(404)
    expect((await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'free' }) })).status).toBe(
      422,
    )
    expect((await fetch(checkoutUrl, { method: 'DELETE' })).status).toBe(405)
  })

  it.each([
    [null, 'en'],
    ['*', 'en'],
    ['de, pt;q=0.5', 'pt-BR'],
    ['pt;q=0.1, en;q=0.2', 'en'],
    ['PT-pt', 'pt-BR'],
    ['pt;q=0', 'en'],
  ])('speaks for Accept-Language %s: %s', (header, language) => {
    expect(payPageLanguage(header)).toBe(language)
  })
})
