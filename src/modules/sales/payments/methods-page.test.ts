// The payment provider's page of stored payment methods.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf } from '#test/scenes/commerce.ts'
import { stripeScene } from '#test/scenes/stripe.ts'

const app = await appOfFile({ listens: true })
const PATH = '/payments/methods-session'

it('201 with the page of the organization’s own customer, where the card is replaced', async () => {
  const acme = await app.world.organization()
  const buyer = await buyerOf(acme)
  await acceptedQuote(app, acme, buyer)
  const { status, data } = await buyer.post(PATH, { company: 'entity_br' })
  expect([status, data.company]).toEqual([201, 'entity_br'])
  const page = async () => (await fetch(data.url, { headers: { 'accept-language': 'pt-BR' } })).text()
  expect(await page()).toContain('•••• 4242')
  const replaced = await fetch(data.url, { method: 'POST', redirect: 'manual' })
  expect(replaced.status).toBe(303)
  expect(await page()).toContain('•••• 4444')
  expect((await buyer.post(PATH, { company: 'entity_br' })).data.url).toBe(data.url)
})

it('409 before anything was paid there; 403 without the scope, 422 for another legal entity', async () => {
  const acme = await app.world.organization()
  const buyer = await buyerOf(acme)
  for (const company of ['entity_br', 'entity_global'])
    expect((await buyer.post(PATH, { company })).errors?.reason).toBe('no_payment_customer')
  expect((await (await acme.member({ scopes: ['orders'] })).post(PATH, { company: 'entity_br' })).status).toBe(403)
  expect((await buyer.post(PATH, { company: 'entity_us' })).status).toBe(422)
  expect((await buyer.post(PATH, { company: 'entity_br', return_url: 'https://evil.example' })).status).toBe(422)
})

it('409 for a customer whom the provider does not know any more, 503 while it does not answer', async () => {
  const at = await stripeScene()
  await at.app.database.query(
    `update organizations set payment_customer_id_br = 'cus_x', payment_customer_provider_br = 'stripe-test'
      where id = $1`,
    [at.acme.id],
  )
  const ask = async () => (await at.buyer.post(PATH, { company: 'entity_br' })).raw.statusCode
  expect(await ask()).toBe(409)
  at.stripe.getIntoTrouble('lost', 1, /billing_portal/)
  expect(await ask()).toBe(503)
  await at.close()
})
