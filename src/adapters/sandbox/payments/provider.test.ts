// The sandbox payment provider: its pay page, and the delivery of its events.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaymentRefused } from '#ports/payments.ts'
import { until } from '#test/harness/until.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { pay, type PaymentSandbox, paymentSandbox } from '#test/scenes/payment-sandbox.ts'
import { payPageLanguage } from './texts.ts'

let world: PaymentSandbox

beforeEach(async () => {
  world = await paymentSandbox()
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

const events = () =>
  world.received.flatMap(({ headers, body }) => {
    const event = world.payments.readEvent(headers, body, new Date())
    return event.kind === 'unsigned' ? [] : [event]
  })
const eventIds = () => events().map(({ dedupeKey }) => dedupeKey)
const types = () => events().map(({ providerType }) => providerType)

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

describe('delivery', () => {
  it('is repeated under one event id until it is accepted', async () => {
    world.answerEventsWith(503)
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length >= 3)
    world.answerEventsWith(204)
    const before = world.received.length
    await until(() => world.received.length > before)
    await until(allDelivered)
    // The last attempt is stored as delivered, and no further one follows.
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([world.received.length])
    expect(new Set(eventIds()).size).toBe(1)
  })

  it('counts a redirect as a failure', async () => {
    world.answerEventsWith(302)
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length >= 2)
    expect(new Set(eventIds()).size).toBe(1)
  })

  it('continues from the files with a new instance after a stop in the middle', async () => {
    world.answerEventsWith(500)
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length >= 1)
    await world.stopProvider()
    world.answerEventsWith(200)
    const beforeResumption = world.received.length
    await world.restart()
    await until(() => world.received.length > beforeResumption)
    expect(new Set(eventIds()).size).toBe(1)
    await until(allDelivered)
    const total = world.received.length
    await world.restart()
    const another = await world.payments.openCheckout(checkoutRequest({ idempotencyKey: 'another' }))
    await pay(another.checkoutUrl, 'paid')
    await until(allDelivered)
    expect(world.received.length).toBe(total + 1)
  })

  it('sends an event that was stored but never sent', async () => {
    await world.stopProvider()
    const { checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    expect(await deliveries()).toMatchObject([{ attempts: 0, delivered_at: null }])
    await world.restart()
    await until(allDelivered)
    expect(await deliveries()).toMatchObject([{ attempts: 1 }])
    expect(types()).toEqual(['invoice.paid'])
  })

  it('loses no event after kill -9 between the payment and its delivery', async () => {
    await world.stopProvider()
    const script = join(import.meta.dirname, '../../../../test/stand-ins/killed-provider.ts')
    const child = spawn(process.execPath, [script, world.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    await world.restart()
    await until(() => world.received.length === 1)
    const [event] = events()
    expect(String(said)).toBe(`303 ${event?.kind === 'paid' ? event.reference : ''}\n`)
    // The same key again, in another process: the same checkout.
    expect(String(said)).toContain((await world.payments.openCheckout(checkoutRequest())).reference)
  })

  it('finishes a refund whose reservation alone was stored, and counts it once', async () => {
    const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length === 1)
    await world.stopProvider()
    const refund = { idempotencyKey: 'r', reference, refundId: 1, amount: '150.50', currency: 'BRL' }
    const first = await world.payments.refund(refund)
    await rm(join(world.folder, `${first.reference}.json`))
    await world.restart()
    await expect(world.payments.refund({ ...refund, idempotencyKey: 'other' })).rejects.toThrow(PaymentRefused)
    expect(await world.payments.refund(refund)).toEqual(first)
    await until(() => world.received.length === 2)
  })

  it('confirms a refund after a restart', async () => {
    const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    // An event that was received but not yet recorded as delivered would be sent again.
    await until(allDelivered)
    await world.stopProvider()
    await world.payments.refund({ idempotencyKey: 'r', reference, refundId: 1, amount: '150.50', currency: 'BRL' })
    await world.restart()
    await until(() => world.received.length === 2)
    await until(allDelivered)
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1])
    expect(types()).toEqual(['invoice.paid', 'refund.updated'])
  })

  it('gives up an event after a day', async () => {
    await world.stopProvider()
    const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'paid')
    const file = join(world.folder, `${reference}.json`)
    const aged = (await readFile(file, 'utf8')).replace(/("type": "invoice.paid"[^]*)?"created": \d+/g, (all) =>
      all.replace(/\d+$/, '1760000000'),
    )
    await writeFile(file, aged)
    world.answerEventsWith(500)
    await world.restart()
    await until(async () => /"given_up_at": "/.test(await readFile(file, 'utf8')))
    expect(world.received).toHaveLength(1)
  })

  it('starts with a half-written and an unreadable file, and removes the half-written one', async () => {
    const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
    await writeFile(join(world.folder, `${reference}.json.1.tmp`), '{"kind":')
    await writeFile(join(world.folder, 'in_00000000000000000000dead.json'), '{"kind":')
    await world.restart()
    await pay(checkoutUrl, 'paid')
    await until(() => world.received.length === 1)
    expect(world.errors).toHaveLength(1)
    await world.stopProvider()
    expect((await readdir(world.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

type Delivery = { attempts: number; delivered_at: string | null }

/** Read from the provider's files. */
async function deliveries(): Promise<Delivery[]> {
  const names = (await readdir(world.folder)).filter((name) => /^(in|re)_\w+\.json$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(world.folder, name), 'utf8')))
  return texts.flatMap((text) => JSON.parse(text).deliveries)
}

/** Whether no event is left to send. */
async function allDelivered(): Promise<boolean> {
  const all = await deliveries()
  return all.length > 0 && all.every(({ delivered_at }) => delivered_at !== null)
}
