// A customer and staff behind a balancer that sends each request to another process than the one before.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { worldOfAll } from '#test/harness/alternating.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Answer, Organization, Speaker, World } from '#test/harness/world.ts'
import { buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { upload } from '#test/scenes/documents.ts'
import { sendImport } from '#test/scenes/imports.ts'

let here: TestApp
let there: TestApp
let both: World
let acme: Organization
let buyer: Speaker
beforeAll(async () => {
  here = await startApp()
  there = await startApp({ beside: here })
  both = worldOfAll([here, there])
  acme = await both.organization()
  buyer = await buyerOf(acme)
})
afterAll(async () => {
  await there.close()
  await here.close()
})

const good = ({ status, data, raw }: Answer, expected = 200): Answer['data'] => {
  expect(status, raw.body).toBe(expected)
  return data
}
const drain = () => Promise.all([here, there].map(({ service }) => service.worker.drain()))

describe('from request to request they', () => {
  it('sign up, sign in, and stay so', async () => {
    const email = 'two@example.com'
    const password = 'vento-Lilás 7'
    good(await both.anonymous.post('/auth/register', { email, password, name: 'Ana' }), 201)
    const link = await mailboxOf(there).link(email, '/verify-account')
    good(await both.anonymous.post('/auth/verify-account', { ...link, password }))
    let tokens = good(await both.anonymous.post('/auth/login', { email, password }))
    for (let round = 0; round < 3; round++) {
      const { access_token: token, refresh_token } = tokens
      expect(good(await both.anonymous.get('/auth/me', { authorization: `Bearer ${token}` })).email).toBe(email)
      tokens = good(await both.anonymous.post('/auth/refresh', { refresh_token }))
    }
  })

  it('accept a quote once by its Idempotency-Key', async () => {
    const id = await sentQuote(acme)
    const key = { 'idempotency-key': 'once-at-all' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => buyer.post(`/quotes/${id}/accept`, undefined, key)))
    const orders = answers.filter(({ status }) => status === 200).map(({ data }) => data.order_id)
    expect(orders.length).toBeGreaterThan(0)
    expect(new Set(orders).size).toBe(1)
    const again = await buyer.post(`/quotes/${id}/accept`, undefined, key)
    expect(good(again).order_id).toBe(orders[0])
    const { data } = await buyer.get('/orders')
    expect(data).toHaveLength(1)
  })

  it('preview a change, and make it', async () => {
    const line_items = [{ product_name: 'Hosting', quantity: 1, unit_price: '100.00' }]
    const body = { company: 'entity_br', currency: 'BRL', status: 'open', line_items }
    const { id } = good(await acme.staff.post('/invoices', body), 201)
    const status = async () => good(await acme.staff.get(`/invoices/${id}`)).status
    const cancel = (query = '') => acme.staff.post(`/invoices/${id}/void${query}`)
    for (let round = 0; round < 3; round++) {
      good(await cancel('?dry_run=true'))
      expect(await status()).toBe('open')
    }
    good(await cancel())
    for (let round = 0; round < 2; round++) expect(await status()).toBe('void')
  })

  it('change one quote with its version, whoever read it', async () => {
    const { id } = await draftQuote(acme)
    for (const notes of ['one', 'two', 'three'])
      expect(good(await acme.staff.put(`/quotes/${id}`, { notes })).notes).toBe(notes)
  })

  it('store files here and read them there', async () => {
    const { id } = good(await upload(acme.owner, { fileName: 'plan.txt', content: 'of two' }), 201)
    for (let round = 0; round < 2; round++)
      expect(good(await acme.owner.get(`/documents/${id}/content`)).toString()).toBe('of two')
  })

  it('import and export', async () => {
    const staff = both.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)
    const lines = [1, 2, 3].map((n) => ({ external_id: `two-${n}`, name: `Norte ${n}`, country: 'BR' }))
    const { id } = good(await sendImport(staff, { kind: 'organizations' }, lines), 202)
    await drain()
    expect(good(await staff.get(`/admin/imports/${id}`))).toMatchObject({ status: 'completed' })
    expect(good(await staff.get(`/admin/imports/${id}/rows`))).toHaveLength(3)
    const asked = good(await staff.post('/admin/exports', { source: 'organizations', format: 'ndjson' }), 202)
    await drain()
    const { status, url } = good(await staff.get(`/admin/exports/${asked.id}`))
    expect(status).toBe('completed')
    const path = new URL(url).pathname.replace('/api/v1', '')
    for (let round = 0; round < 2; round++) expect(String(good(await both.anonymous.get(path)))).toContain('Norte 3')
  })
})
