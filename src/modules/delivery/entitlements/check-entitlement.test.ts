// Whether the organization may use something, why not, how many, and until when.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product } from '#test/scenes/releases.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let acme: Organization

const app = await appOfFile()
await alone()

const day = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()
const ask = (query: string, who = acme.owner): Promise<Answer> => who.get(`/entitlements/check?${query}`)
const check = async (query: string) => {
  const answer = await ask(query)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const act = async (id: number, name: string, body?: object) =>
  expect((await acme.staff.post(`/entitlements/${id}/${name}`, body)).status).toBe(200)
const sso = (value: boolean) => [{ key: 'sso', type: 'boolean', value }]
const users = (value: number) => [{ key: 'max_users', type: 'number', value }]
const region = (value: string) => [{ key: 'region', type: 'text', value }]
/** In an organization of its own, so that nothing else is found. */
async function alone(): Promise<void> {
  acme = await app.world.organization()
}

describe('GET /entitlements/check by product', () => {
  it('200 none for what was never sold, also where there is no such product', async () => {
    const { id } = await product(acme)
    for (const query of [`product_id=${id}`, 'product_id=9007199254740991', 'class=EDU', 'feature=teleport'])
      expect(await check(query)).toEqual({
        allowed: false,
        reason: 'none',
        explanation: expect.any(String),
        quantity: 0,
        value: null,
        until: null,
        status_reason_code: null,
        status_reason: null,
        entitlement_ids: [],
        as_of: app.clock.now.toISOString(),
      })
  })
  it('200 active: quantities add up, the latest end counts', async () => {
    await alone()
    const { id: product_id } = await product(acme)
    const one = await entitlement(acme, { product_id, quantity: 3, expires_at: day(10) })
    const two = await entitlement(acme, { product_id, quantity: 4, expires_at: day(20) })
    const held = await entitlement(acme, { product_id, quantity: 100 })
    await act(held.id, 'suspend')
    expect(await check(`product_id=${product_id}`)).toMatchObject({
      allowed: true,
      reason: 'active',
      quantity: 7,
      value: null,
      until: day(20),
      entitlement_ids: [two.id, one.id],
    })
    const endless = await entitlement(acme, { product_id })
    expect(await check(`product_id=${product_id}`)).toMatchObject({
      quantity: 8,
      until: null,
      entitlement_ids: [endless.id, two.id, one.id],
    })
  })
  it('200 found by the product’s name where the entitlement has no product', async () => {
    await alone()
    const { id, name } = await product(acme)
    const other = await product(acme)
    await entitlement(acme, { product_name: name, product_id: other.id })
    expect((await check(`product_id=${id}`)).reason).toBe('none')
    await entitlement(acme, { product_name: name })
    expect((await check(`product_id=${id}`)).reason).toBe('active')
  })
  it('200 each reason, of several the nearest to use, with the words of staff', async () => {
    await alone()
    const { id: product_id } = await product(acme)
    const { id } = await entitlement(acme, { product_id })
    await act(id, 'cancel')
    expect(await check(`product_id=${product_id}`)).toMatchObject({ reason: 'cancelled', entitlement_ids: [id] })
    const ending = await entitlement(acme, { product_id, expires_at: day(1 / 24) })
    expect((await check(`product_id=${product_id}`)).allowed).toBe(true)
    app.clock.advance(3600)
    // The end counts at once, not when the job has come by.
    expect(await check(`product_id=${product_id}`)).toMatchObject({
      allowed: false,
      reason: 'expired',
      quantity: 0,
      until: null,
      entitlement_ids: [ending.id],
    })
    const held = await entitlement(acme, { product_id })
    await act(held.id, 'suspend', { reason: 'Chargeback' })
    expect(await check(`product_id=${product_id}`)).toMatchObject({
      reason: 'suspended',
      status_reason_code: 'by_staff',
      status_reason: 'Chargeback',
      entitlement_ids: [held.id],
    })
    await act(held.id, 'resume')
    expect(await check(`product_id=${product_id}`)).toMatchObject({ allowed: true, status_reason: null })
  })
  it('200 expired for one that was suspended until its end', async () => {
    await alone()
    const { id } = await entitlement(acme, { expires_at: day(1 / 24) })
    await act(id, 'suspend')
    expect((await check('class=PLG')).reason).toBe('suspended')
    app.clock.advance(3600)
    expect((await check('class=PLG')).reason).toBe('expired')
  })
})

describe('GET /entitlements/check by class and feature', () => {
  it('200 by class', async () => {
    await alone()
    const { id } = await entitlement(acme, { class: 'EDU' })
    expect(await check('class=EDU')).toMatchObject({ allowed: true, quantity: 1, entitlement_ids: [id] })
    expect((await check('class=ENV')).reason).toBe('none')
  })
  it('200 a feature that is on in one of several is on', async () => {
    await alone()
    const off = await entitlement(acme, { features: sso(false) })
    expect(await check('feature=sso')).toMatchObject({
      allowed: false,
      reason: 'feature_off',
      value: null,
      entitlement_ids: [off.id],
    })
    const on = await entitlement(acme, { features: sso(true), expires_at: day(3), quantity: 2 })
    expect(await check('feature=sso')).toMatchObject({
      allowed: true,
      reason: 'active',
      value: true,
      quantity: 2,
      until: day(3),
      entitlement_ids: [on.id],
    })
    await act(on.id, 'suspend')
    expect(await check('feature=sso')).toMatchObject({ reason: 'suspended', entitlement_ids: [on.id] })
  })
  it('200 numbers count for every unit, and 0 is off', async () => {
    await alone()
    await entitlement(acme, { features: users(0) })
    expect((await check('feature=max_users')).reason).toBe('feature_off')
    await entitlement(acme, { features: users(10), quantity: 3 })
    await entitlement(acme, { features: users(5) })
    expect(await check('feature=max_users')).toMatchObject({ allowed: true, value: 35, quantity: 4 })
    const many = { features: users(1_000_000_000), quantity: 1_000_000 }
    for (let more = 0; more < 10; more++) await entitlement(acme, many)
    expect((await check('feature=max_users')).value).toBe(Number.MAX_SAFE_INTEGER)
  })
  it('200 the text, and the type, of the entitlement that ends last', async () => {
    await alone()
    await entitlement(acme, { features: region('south'), expires_at: day(2) })
    await entitlement(acme, { features: region('north'), expires_at: day(3) })
    await entitlement(acme, { features: [{ key: 'region', type: 'number', value: 7 }], expires_at: day(1) })
    expect((await check('feature=region')).value).toBe('north')
    await entitlement(acme, { features: [{ key: 'region', type: 'number', value: 8 }] })
    expect((await check('feature=region')).value).toBe(15)
  })
  it('200 a feature of one product, or of one class', async () => {
    await alone()
    const { id: product_id } = await product(acme, { features: sso(true) })
    const { id: plain } = await product(acme)
    await entitlement(acme, { product_id })
    await entitlement(acme, { product_id: plain, class: 'ENV' })
    expect((await check(`feature=sso&product_id=${product_id}`)).allowed).toBe(true)
    expect((await check(`feature=sso&product_id=${plain}`)).reason).toBe('none')
    expect((await check('feature=sso&class=PLG')).allowed).toBe(true)
    expect((await check('feature=sso&class=ENV')).reason).toBe('none')
  })
  it('200 names a hundred entitlements at most, and counts all', async () => {
    await alone()
    const { id } = await entitlement(acme, { class: 'EDU' })
    await app.database.query(
      `insert into entitlements (organization_id, code, class, product_name, company, quantity)
       select organization_id, 'EDU-202601' || (5000 + n), class, product_name, company, 2
         from entitlements, generate_series(1, 150) n where id = $1`,
      [id],
    )
    const { quantity, entitlement_ids } = await check('class=EDU')
    expect([quantity, entitlement_ids.length, new Set(entitlement_ids).size]).toEqual([301, 100, 100])
  })
})

describe('who may ask for what', () => {
  it.each([
    ['', 'query'],
    ['as_of=2026-01-01T00:00:00.000Z', 'query'],
    ['product_id=1&class=PLG', 'class'],
    ['class=XXX', 'class'],
    ['feature=Max%20users', 'feature'],
    ['product_id=one', 'product_id'],
    ['class=PLG&as_of=2999-01-01T00:00:00.000Z', 'as_of'],
    ['class=PLG&as_of=yesterday', 'as_of'],
    ['class=PLG&code=1', 'code'],
  ])('422 for %s', async (query, field) => {
    const { status, errors } = await ask(query)
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [field]])
  })
  it('403 without the scope, 401 without credentials, and an API key may ask', async () => {
    await alone()
    await entitlement(acme)
    expect((await ask('class=PLG', await acme.member({ scopes: ['quotes'] }))).status).toBe(403)
    expect((await ask('class=PLG', app.world.anonymous)).status).toBe(401)
    expect((await ask('class=PLG', await acme.member({ scopes: ['entitlements'] }))).data.allowed).toBe(true)
    const headers = await apiKey(app, acme, { permission: 'read', scopes: ['entitlements'] })
    expect((await app.world.anonymous.get('/entitlements/check?class=PLG', headers)).data.allowed).toBe(true)
  })
  it('200 sees nothing of another organization', async () => {
    await alone()
    const { id: product_id } = await product(acme, { features: sso(true) })
    await entitlement(acme, { product_id })
    await alone()
    for (const query of [`product_id=${product_id}`, 'feature=sso', 'class=PLG'])
      expect((await check(query)).reason).toBe('none')
  })
})
