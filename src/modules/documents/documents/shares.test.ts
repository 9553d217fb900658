// Share links: who makes them, and that they open exactly as long as they should.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { documentOf, nextVersion } from '#test/scenes/documents.ts'
import type { Answer, Headers, Organization, Speaker } from '#test/harness/world.ts'

const DAY = 86_400

let app: TestApp
let acme: Organization
let other: Organization
let clerk: Speaker
let colleague: Speaker

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  other = await app.world.organization()
  clerk = await acme.member({ scopes: ['documents'] })
  colleague = await acme.member({ scopes: ['documents'] })
})
afterAll(() => app.close())

type Share = { id: number; url: string }
const share = async (id: number, body: object = {}, by = clerk): Promise<Share> => {
  const { data, status, raw } = await by.post(`/documents/${id}/shares`, body)
  if (status !== 201) throw new Error(raw.body)
  return data
}
/** As a browser of somebody without an account. */
const open = ({ url }: Share, headers: Headers = {}): Promise<Answer> =>
  app.world.anonymous.get(new URL(url).pathname.replace('/api/v1', ''), headers)

const at = (seconds: number): string => new Date(app.clock.now.getTime() + seconds * 1000).toISOString()

describe('POST /documents/{id}/shares', () => {
  it('201 with an address that is shown once and stored as a digest', async () => {
    const id = await documentOf(clerk)
    const made = await clerk.post(`/documents/${id}/shares`, { note: 'For the accountant' })
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(made.data).toMatchObject({
      document_id: id,
      note: 'For the accountant',
      created_by: clerk.userId,
      expires_at: new Date(app.clock.now.getTime() + 7 * DAY * 1000).toISOString(),
      revoked_at: null,
      access_count: 0,
      last_accessed_at: null,
    })
    const token = made.data.url.split('/').at(-1)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    for (const path of [`/documents/${id}/shares`, '/audit-log?resource=document_share'])
      expect((await acme.owner.get(path)).raw.body).not.toContain(token)
    const rows = await app.database
      .query(`select to_jsonb(s)::text || coalesce((select string_agg(data::text, '') from events
      where resource = 'document_share'), '') as text from document_shares s`)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows.map(({ text }) => text))).not.toContain(made.data.url)
  })
  it('422 for an expiry that is past, too far, or said twice', async () => {
    const id = await documentOf(clerk)
    for (const body of [
      { expires_at: at(-1) },
      { expires_at: at(91 * DAY) },
      { expires_at: at(DAY), expires_in: DAY },
      { expires_in: 59 },
      { expires_in: 90 * DAY + 1 },
      { expires_in: '60' },
      { document_id: 1 },
    ])
      expect((await clerk.post(`/documents/${id}/shares`, body)).status, JSON.stringify(body)).toBe(422)
    expect((await clerk.post(`/documents/${id}/shares`, { expires_at: at(90 * DAY) })).data.expires_at).toBe(
      at(90 * DAY),
    )
  })
  it('409 beyond fifty open links', async () => {
    const id = await documentOf(clerk)
    await app.database.query(
      `insert into document_shares (organization_id, document_id, token_digest, created_by_name, expires_at)
       select $1, $2, sha256(n::text::bytea), 'x', $3 from generate_series(1, 50) n`,
      [acme.id, id, new Date(app.clock.now.getTime() + 60_000)],
    )
    expect((await clerk.post(`/documents/${id}/shares`, {})).status).toBe(409)
    app.clock.advance(61)
    expect((await clerk.post(`/documents/${id}/shares`, {})).status).toBe(201)
  })
  it('404 for another organization', async () => {
    const id = await documentOf(clerk)
    expect((await other.owner.post(`/documents/${id}/shares`, {})).status).toBe(404)
  })
})

describe('GET /files/{token}', () => {
  it('200 without an account, with the current version; each reading is logged', async () => {
    const id = await documentOf(clerk)
    const link = await share(id)
    const first = await open(link)
    expect([first.status, first.raw.body]).toEqual([200, 'content of plan.txt'])
    expect(first.headers).toMatchObject({
      'content-disposition': 'attachment; filename="plan.txt"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    await nextVersion(clerk, id, { content: 'second' })
    expect((await open(link, { range: 'bytes=0-2' })).raw.body).toBe('sec')
    expect((await clerk.get(`/documents/${id}/accesses`)).data).toMatchObject([
      { version: 2, reader_kind: 'share', share_id: link.id, user_id: null, reader: null },
      { version: 1, reader_kind: 'share', share_id: link.id, ip: '127.0.0.1' },
    ])
    const [listed] = (await clerk.get(`/documents/${id}/shares`)).data
    expect(listed).toMatchObject({ id: link.id, access_count: 2, last_accessed_at: app.clock.now.toISOString() })
    expect(listed).not.toHaveProperty('url')
    expect(app.log.join('\n')).not.toContain(link.url.split('/').at(-1))
  })
  it('the same 404 when it is unknown, changed, expired or revoked, or its document is deleted', async () => {
    const id = await documentOf(clerk)
    const [revoked, expired, deleted] = [await share(id), await share(id, { expires_in: 60 }), await share(id)]
    expect((await open(revoked)).status).toBe(200)
    expect((await open(revoked, { range: 'bytes=0-3' })).status).toBe(206)
    expect((await colleague.delete(`/documents/${id}/shares/${revoked.id}`)).status).toBe(200)
    expect((await colleague.delete(`/documents/${id}/shares/${revoked.id}`)).status).toBe(200)
    const unknown = await open({ id: 0, url: `${app.url}/api/v1/files/${'A'.repeat(43)}` })
    expect([unknown.status, unknown.message]).toEqual([404, 'File not found'])
    const bodies = [await open(revoked, { range: 'bytes=4-7' }), await open({ ...deleted, url: `${deleted.url}x` })]
    app.clock.advance(60)
    bodies.push(await open(expired))
    expect((await open(deleted)).status).toBe(200)
    await clerk.delete(`/documents/${id}`)
    bodies.push(await open(deleted))
    for (const { status, raw } of bodies) expect([status, raw.body]).toEqual([404, unknown.raw.body])
  })
  it('404 once the organization is deleted, or the document is for fewer', async () => {
    const id = await documentOf(clerk)
    const link = await share(id)
    await clerk.patch(`/documents/${id}`, { visibility: 'readers', reader_ids: [colleague.userId] })
    expect((await open(link)).status).toBe(404)
    const restricted = await share(id, {}, colleague)
    expect((await open(restricted)).status).toBe(200)
    await clerk.patch(`/documents/${id}`, { visibility: 'organization' })
    expect((await open(restricted)).status).toBe(200)
    const gone = await app.world.organization()
    const inside = await share(await documentOf(gone.owner), {}, gone.owner)
    expect((await open(inside)).status).toBe(200)
    await gone.owner.delete(`/organizations/${gone.id}`)
    expect((await open(inside)).status).toBe(404)
  })
  it('429 for a network address that tries too many', async () => {
    const strict = await startApp({ environment: { LIMIT_PUBLIC: '3/60' } })
    try {
      const paths = Array.from({ length: 5 }, (_, index) => `/files/${'b'.repeat(42)}${index}`)
      const statuses: number[] = []
      for (const path of paths) statuses.push((await strict.world.anonymous.get(path)).status)
      expect(statuses).toEqual([404, 404, 404, 429, 429])
    } finally {
      await strict.close()
    }
  })
  it('revoking is 404 for a link of another document or organization', async () => {
    const [one, two] = [await documentOf(clerk), await documentOf(clerk)]
    const link = await share(one)
    expect((await clerk.delete(`/documents/${two}/shares/${link.id}`)).status).toBe(404)
    expect((await other.owner.delete(`/documents/${one}/shares/${link.id}`)).status).toBe(404)
    expect((await open(link)).status).toBe(200)
  })
})
