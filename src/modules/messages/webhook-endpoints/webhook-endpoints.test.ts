// Endpoints: who may set them up, for which events, at which addresses.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { endpointAt } from '#test/scenes/webhooks.ts'

const URL = 'https://erp.acme.example/hook'

const app = await appOfFile()
const acme = await app.world.organization()

describe('POST /webhook-endpoints', () => {
  it('201 with the secret, which is shown nowhere else and stored nowhere', async () => {
    const made = await endpointAt(acme.owner, URL, { events: ['quote.paid'], description: 'ERP' })
    expect(made).toMatchObject({
      organization_id: acme.id,
      user_id: acme.owner.userId,
      url: URL,
      events: ['quote.paid'],
      description: 'ERP',
      status: 'active',
      signature: 'v1',
      public_key: null,
      failing_since: null,
    })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...rest } = made
    expect((await acme.owner.get(`/webhook-endpoints/${made.id}`)).data).toEqual(rest)
    const stored = await app.database.query('select * from webhook_endpoints where id = $1', [made.id])
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6))
    const audit = (await acme.owner.get('/audit-log?resource=webhook_endpoint')).raw.body
    expect(audit).not.toContain(secret.slice(6))
    expect(audit).not.toContain((stored[0] as { secret_nonce: string }).secret_nonce)
  })
  it('201 with a public key and without a secret for v1a', async () => {
    const made = await endpointAt(acme.owner, URL, { signature: 'v1a' })
    expect(made).toMatchObject({ secret: null, signature: 'v1a', public_key: expect.stringMatching(/^whpk_.{43}=$/) })
  })
  it.each([
    ['http://erp.acme.example/hook', 'must begin with https://'],
    ['ftp://erp.acme.example/', 'must begin with https://'],
    ['https://ana:secret@erp.acme.example/', 'must not contain credentials'],
    ['https://erp.acme.example/#part', 'must not have a fragment'],
    ['https://erp.acme.example:22/', 'must be on port 443, or on one from 1024 on'],
    ['https://10.0.0.7/', 'must be at a public address'],
    ['https://169.254.169.254/latest', 'must be at a public address'],
    ['https://[::ffff:10.0.0.1]/', 'must be at a public address'],
    ['https://[fd00::1]/', 'must be at a public address'],
    ['https://0xa000001/', 'must be at a public address'],
    ['https://printer.local/', 'must be at a public address'],
    ['https://metadata.google.internal/', 'must be at a public address'],
  ])('422 for %s', async (url, problem) => {
    const { status, errors } = await acme.owner.post('/webhook-endpoints', { url, events: ['*'] })
    expect(status).toBe(422)
    expect(errors?.fields).toEqual({ url: problem })
  })
  it('422 for types that do not exist, and for all together with some', async () => {
    const unknown = await acme.owner.post('/webhook-endpoints', { url: URL, events: ['quote.draught'] })
    expect(unknown).toMatchObject({
      status: 422,
      errors: { fields: { 'events.0': 'must be a type of GET /event-types' } },
    })
    for (const events of [['*', 'quote.paid'], [], ['quote.paid', 'quote.paid'], 'quote.paid'])
      expect((await acme.owner.post('/webhook-endpoints', { url: URL, events })).status).toBe(422)
  })
  it('403 for types whose scope the caller does not hold, and for all without all scopes', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    expect((await admin.post('/webhook-endpoints', { url: URL, events: ['quote.paid'] })).status).toBe(201)
    for (const events of [['quote.paid', 'invoice.paid'], ['*']])
      expect(await admin.post('/webhook-endpoints', { url: URL, events })).toMatchObject({
        status: 403,
        message: 'Scope not authorized: finances',
      })
  })
  it('403 for members, for staff who are no collaborators, and without the scope', async () => {
    const body = { url: URL, events: ['organization.updated'] }
    const member = await acme.member({ scopes: ['organization'] })
    expect(await member.post('/webhook-endpoints', body)).toMatchObject({
      status: 403,
      message: 'The role does not allow this',
    })
    expect((await acme.staff.post('/webhook-endpoints', body)).status).toBe(403)
    const admin = await acme.member({ role: 'admin', scopes: ['quotes'] })
    expect((await admin.post('/webhook-endpoints', body)).message).toBe('Scope not authorized: organization')
  })
  it('409 beyond twenty, also when two come at once', async () => {
    const full = await app.world.organization()
    for (let made = 0; made < 19; made++) await endpointAt(full.owner, URL)
    const create = () => full.owner.post('/webhook-endpoints', { url: URL, events: ['*'] })
    const both = await Promise.all([create(), create()])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
    const { data } = await full.owner.get('/webhook-endpoints')
    expect((await full.owner.delete(`/webhook-endpoints/${data[0].id}`)).status).toBe(200)
    expect((await create()).status).toBe(201)
  })
})

describe('GET /webhook-endpoints', () => {
  it('200 for members with the scope: those of the organization, by status', async () => {
    const org = await app.world.organization()
    const [one, other] = [await endpointAt(org.owner, URL), await endpointAt(org.owner, URL)]
    await org.owner.patch(`/webhook-endpoints/${one.id}`, { status: 'paused' })
    const member = await org.member({ scopes: ['organization'] })
    const ids = async (query: string) =>
      (await member.get(`/webhook-endpoints${query}`)).data.map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([other.id, one.id])
    expect(await ids('?status=paused')).toEqual([one.id])
    expect((await acme.owner.get(`/webhook-endpoints/${one.id}`)).status).toBe(404)
  })
})

describe('PATCH /webhook-endpoints/{id}', () => {
  it('200: pauses and resumes; the same status again changes nothing', async () => {
    const { id } = await endpointAt(acme.owner, URL)
    const become = async (status: string) =>
      (await acme.owner.patch(`/webhook-endpoints/${id}`, { status })).data.status
    expect(await become('paused')).toBe('paused')
    expect(await become('paused')).toBe('paused')
    expect(await become('active')).toBe('active')
    expect((await acme.owner.patch(`/webhook-endpoints/${id}`, { status: 'disabled' })).status).toBe(422)
  })
  it('makes whoever changes address or types the one whose scopes count, not whoever pauses or describes it', async () => {
    const { id } = await endpointAt(acme.owner, URL, { events: ['organization.updated'] })
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const change = (body: object) => admin.patch(`/webhook-endpoints/${id}`, body)
    expect((await change({ status: 'paused', description: 'Old' })).data.user_id).toBe(acme.owner.userId)
    expect((await change({ url: `${URL}/new` })).data.user_id).toBe(admin.userId)
    expect(await change({ events: ['invoice.paid'] })).toMatchObject({
      status: 403,
      message: 'Scope not authorized: finances',
    })
    expect((await acme.owner.patch(`/webhook-endpoints/${id}`, { events: ['*'] })).data.user_id).toBe(acme.owner.userId)
    expect((await change({ url: URL })).message).toBe('Scope not authorized: finances')
    expect((await acme.staff.patch(`/webhook-endpoints/${id}`, { url: URL })).status).toBe(403)
    expect((await acme.staff.patch(`/webhook-endpoints/${id}`, { status: 'paused' })).status).toBe(200)
  })
  it('422 as for a new one', async () => {
    const { id } = await endpointAt(acme.owner, URL)
    for (const body of [
      { url: 'https://10.0.0.7/' },
      { events: ['*', 'quote.paid'] },
      { signature: 'v1a' },
      { url: null },
    ])
      expect((await acme.owner.patch(`/webhook-endpoints/${id}`, body)).status).toBe(422)
  })
})

describe('DELETE /webhook-endpoints/{id}', () => {
  it('200, and then nothing finds it', async () => {
    const { id } = await endpointAt(acme.owner, URL)
    expect((await acme.owner.delete(`/webhook-endpoints/${id}`)).status).toBe(200)
    const path = `/webhook-endpoints/${id}`
    const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }
    const { owner } = acme
    const answers = [
      await owner.get(path),
      await owner.patch(path, { status: 'paused' }),
      await owner.delete(path),
      await owner.post(`${path}/rotate-secret`, {}),
      await owner.post(`${path}/test`),
      await owner.get(`${path}/deliveries`),
      await owner.post(`${path}/redeliver`, range),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  })
})

describe('GET /webhook-endpoints/{id}/deliveries/{delivery_id}', () => {
  it('404 for one that there is not, or that another endpoint has', async () => {
    const [one, other] = [await endpointAt(acme.owner, URL), await endpointAt(acme.owner, URL)]
    const { id } = (await acme.owner.post(`/webhook-endpoints/${one.id}/test`)).data
    for (const path of [`${one.id}/deliveries/999999999`, `${other.id}/deliveries/${id}`])
      expect(await acme.owner.get(`/webhook-endpoints/${path}`)).toMatchObject({
        status: 404,
        message: 'Delivery not found',
      })
  })
})

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  it('403 for an admin without the scopes of its types, who could forge events with the secret', async () => {
    const org = await app.world.organization()
    const { id } = await endpointAt(org.owner, URL)
    const admin = await org.member({ role: 'admin', scopes: ['organization'] })
    const answer = await admin.post(`/webhook-endpoints/${id}/rotate-secret`, {})
    expect(answer).toMatchObject({ status: 403, message: expect.stringMatching(/^Scope not authorized: /) })
  })
  it('200 with another secret, once, and the time until which the old one counts', async () => {
    const made = await endpointAt(acme.owner, URL)
    const rotate = async (body: object) =>
      (await acme.owner.post(`/webhook-endpoints/${made.id}/rotate-secret`, body)).data
    const rotated = await rotate({ overlap_hours: 2 })
    expect(rotated.secret).not.toBe(made.secret)
    expect(Date.parse(rotated.previous_secret_until)).toBe(app.clock.now.getTime() + 7_200_000)
    expect((await rotate({ overlap_hours: 0 })).previous_secret_until).toBeNull()
    expect((await acme.owner.post(`/webhook-endpoints/${made.id}/rotate-secret`, { overlap_hours: 169 })).status).toBe(
      422,
    )
  })
  it('changes the public key of v1a', async () => {
    const made = await endpointAt(acme.owner, URL, { signature: 'v1a' })
    const { data } = await acme.owner.post(`/webhook-endpoints/${made.id}/rotate-secret`, {})
    expect(data).toMatchObject({ secret: null, public_key: expect.stringMatching(/^whpk_/) })
    expect(data.public_key).not.toBe(made.public_key)
  })
})
