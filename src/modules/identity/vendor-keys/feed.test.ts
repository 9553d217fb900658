// The vendor's feed and the mails for a key of some organizations.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { manyEvents } from '#test/scenes/events.ts'
import { vendorKey, type VendorKeySpeaker } from '#test/scenes/vendor-keys.ts'

const SENT = { type: 'titular/quote/sent', data: { status: 'sent' } }

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const other = await app.world.organization()

const keyFor = (...organizations: number[]) =>
  vendorKey(app, { permissions: ['audit:read', 'organization:read', 'users:read'], organizations })
const read = async (key: VendorKeySpeaker, query = '') => {
  const answer = await key.get(`/admin/events?per_page=100&${query}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const organizationsIn = ({ events }: { events: { organization_id: number }[] }) => [
  ...new Set(events.map(({ organization_id: id }) => id)),
]

describe('GET /admin/events', () => {
  it('200 with the events of the organizations of the key alone, and goes past the others', async () => {
    await sentQuote(acme)
    await sentQuote(other)
    const key = await keyFor(acme.id)
    const { events, next, has_more } = await read(key)
    expect(organizationsIn({ events })).toEqual([acme.id])
    expect(has_more).toBe(false)
    await sentQuote(other)
    const later = await read(key, `after=${next}`)
    expect(later).toMatchObject({ events: [], has_more: false })
    expect(later.next).toBeGreaterThan(next)
    expect(organizationsIn(await read(key, `organization_id=${other.id}`))).toEqual([])
    expect(organizationsIn(await read(await keyFor(acme.id, other.id)))).toEqual([acme.id, other.id])
  })
  it('200 waits on over the events of others', async () => {
    const key = await keyFor(acme.id)
    const { next } = await read(key)
    const answer = read(key, `after=${next}&wait=30`)
    await waiting(1)
    await manyEvents(app, other.id, SENT)
    await manyEvents(app, acme.id, SENT)
    expect(organizationsIn(await answer)).toEqual([acme.id])
  })
  it('200 without the events of an organization that was taken from the key while it waited', async () => {
    const key = await keyFor(acme.id, other.id)
    const { next } = await read(key)
    const answer = read(key, `after=${next}&wait=30`)
    await waiting(1)
    await app.database.query('update vendor_keys set organization_ids = $2 where id = $1', [key.id, [acme.id]])
    await manyEvents(app, other.id, SENT)
    await manyEvents(app, acme.id, SENT)
    expect(organizationsIn(await answer)).toEqual([acme.id])
  })
  it('401 when the key was revoked while it waited', async () => {
    const key = await keyFor(acme.id)
    const { next } = await read(key)
    const answer = key.get(`/admin/events?after=${next}&wait=30`)
    await waiting(1)
    await app.database.query('update vendor_keys set revoked_at = now() where id = $1', [key.id])
    await manyEvents(app, acme.id, SENT)
    expect((await answer).status).toBe(401)
  })
})

describe('GET /admin/mails', () => {
  it('200 with the mails to the organizations of the key, without those about accounts', async () => {
    await app.service.worker.drain()
    await app.database.query(
      `insert into mails (organization_id, kind, email, created_at) values (null, 'password-changed', 'x@example.com', now())`,
    )
    const { data } = await (await keyFor(acme.id)).get('/admin/mails')
    expect(organizationsIn({ events: data })).toEqual([acme.id])
  })
})

describe('what concerns no single organization', () => {
  it('403 says why, and where else to ask', async () => {
    const key = await keyFor(acme.id)
    expect(await key.get('/admin/users')).toMatchObject({
      status: 403,
      message: expect.stringContaining('X-Service-Organization'),
      errors: { reason: 'key_of_some_organizations' },
    })
  })
})

/** Until so many requests wait. */
const waiting = (count: number): Promise<string> =>
  until(
    () => app.service.metrics.text(),
    (text) => text.split('\n').includes(`titular_long_polls ${count}`),
  )
