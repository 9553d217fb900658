// The delivery of the events of the sandbox's payment provider.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaymentRefused } from '#ports/payments.ts'
import { until } from '#test/harness/until.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import {
  deliveriesOf,
  eventsOf,
  isAllDelivered,
  pay,
  type PaymentSandbox,
  paymentSandbox,
} from '#test/scenes/payment-sandbox.ts'

let world: PaymentSandbox

beforeEach(async () => {
  world = await paymentSandbox()
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

const events = () => eventsOf(world)
const eventIds = () => events().map(({ dedupeKey }) => dedupeKey)
const types = () => events().map(({ providerType }) => providerType)
const deliveries = () => deliveriesOf(world)
const allDelivered = () => isAllDelivered(world)

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
