import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product, release } from '#test/scenes/releases.ts'
import type { Answer, Headers, Organization } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { PUBLIC_URL: 'http://127.0.0.1:3000' } })
const acme = await app.world.organization()
const sold: { id: number } = await product(acme)

const CONTENT = randomBytes(3000)
let patch = 0
type Scene = { customer: Organization; id: number; fileId: number; entitlementId: number; url: string; follow: Follow }
type Follow = (headers?: Headers) => Promise<Answer>

const pathOf = (url: string): string => url.replace('http://127.0.0.1:3000/api/v1', '')
const followed = (url: string, headers?: Headers) => app.world.anonymous.get(pathOf(url), headers)

/** An organization with a link to the only file of a release of its own. */
async function linked(): Promise<Scene> {
  const { id, files } = await release(acme, sold.id, { version: `1.0.${patch++}`, files: [{ content: CONTENT }] })
  const customer = await app.world.organization()
  const bought = await entitlement(customer, { product_id: sold.id })
  const { status, data } = await customer.owner.post(`/downloads/${id}/link`, {})
  expect(status).toBe(200)
  const follow: Follow = (headers) => followed(data.url, headers)
  return { customer, id, fileId: files[0].id, entitlementId: bought.id, url: data.url, follow }
}

const countsOf = async (id: number) =>
  (await acme.staff.get(`/admin/downloads/${id}/counts`)).data.map((one: Record<string, unknown>) => [
    one['organization_id'],
    one['file_id'],
    one['downloads'],
  ])

describe('POST /downloads/{id}/link', () => {
  it('200 with a link for the set minutes, which needs no credentials', async () => {
    const { customer, id, follow } = await linked()
    const { data, headers } = await customer.owner.post(`/downloads/${id}/link`, {})
    expect(data).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/files\/[\w.-]+$/),
      expires_at: new Date(Math.floor(app.clock.now.getTime() / 1000) * 1000 + 900_000).toISOString(),
    })
    expect(headers['cache-control']).toBe('no-store')
    const answer = await follow()
    expect(answer.raw.rawPayload.equals(CONTENT)).toBe(true)
    const digest = createHash('sha256').update(CONTENT).digest('base64')
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename="backup.zip"',
      'content-length': '3000',
      'repr-digest': `sha-256=:${digest}:`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })
  it('422 when the release has several files and none is named, 404 for a file of another release', async () => {
    const { customer, fileId } = await linked()
    const version = `1.0.${patch++}`
    const two = await release(acme, sold.id, { version, files: [{}, { fileName: 'b.zip', content: 'second' }] })
    const ask = (body: object) => customer.owner.post(`/downloads/${two.id}/link`, body)
    expect((await ask({})).errors?.fields).toEqual({ file_id: 'is required; the release has several files' })
    const foreign = await ask({ file_id: fileId })
    expect([foreign.status, foreign.message]).toEqual([404, 'File not found'])
    const second = await ask({ file_id: two.files[1].id })
    expect((await followed(second.data.url)).raw.body).toBe('second')
  })
  it('409 for a release that was yanked, and for staff where no entitlement covers it', async () => {
    const { customer, id } = await linked()
    const none = await acme.staff.post(`/downloads/${id}/link`, {})
    expect([none.status, none.message]).toEqual([409, 'No entitlement of the organization covers the release'])
    await acme.staff.post(`/downloads/${id}/yank`, { reason: 'Loses settings' })
    expect((await customer.owner.post(`/downloads/${id}/link`, {})).status).toBe(409)
  })
})

describe('GET /files/{token}', () => {
  it('206 for a range, and a download that goes on after a break counts once', async () => {
    const { customer, id, fileId, follow, url } = await linked()
    const head = () => app.service.app.inject({ method: 'HEAD', url: `/api/v1${pathOf(url)}` })
    const start = await follow({ range: 'bytes=0-999' })
    const rest = await follow({ range: 'bytes=1000-', 'if-range': String(start.headers['etag']) })
    expect([start.status, rest.status]).toEqual([206, 206])
    expect(Buffer.concat([start.raw.rawPayload, rest.raw.rawPayload]).equals(CONTENT)).toBe(true)
    expect((await follow({ range: 'bytes=3000-' })).status).toBe(416)
    expect((await head()).headers['content-length']).toBe('3000')
    expect((await follow({ 'if-none-match': String(start.headers['etag']) })).raw.statusCode).toBe(304)
    expect(await countsOf(id)).toEqual([[customer.id, fileId, 1]])
    await Promise.all(Array.from({ length: 9 }, () => follow()))
    expect(await countsOf(id)).toEqual([[customer.id, fileId, 10]])
  })
  it('404 alike once it has expired, or was changed', async () => {
    const { customer, id } = await linked()
    const { url } = (await customer.owner.post(`/downloads/${id}/link`, {})).data
    const [org = '', file = '', expiry = '', signature = ''] = url.split('/').at(-1)?.split('.') ?? []
    const other = await linked()
    const forged = [
      [other.customer.id, file, expiry, signature],
      [org, other.fileId, expiry, signature],
      [org, file, Number(expiry) + 1, signature],
      [org, file, expiry, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
      [org, file, expiry, ''],
      ['', '', '', ''],
      [`0${org}`, file, expiry, signature],
    ]
    const answers = await Promise.all(forged.map((parts) => app.world.anonymous.get(`/files/${parts.join('.')}`)))
    expect(answers.map(({ status, message }) => [status, message])).toEqual(forged.map(() => [404, 'File not found']))
    expect((await followed(url)).status).toBe(200)
    app.clock.advance(900)
    expect((await followed(url)).status).toBe(404)
  })
  it('404 once the release is yanked, and again good when it is restored', async () => {
    const { id, follow } = await linked()
    await acme.staff.post(`/downloads/${id}/yank`, { reason: 'Loses settings' })
    expect((await follow()).status).toBe(404)
    await acme.staff.post(`/downloads/${id}/restore`)
    expect((await follow()).status).toBe(200)
  })
  it('404 once the entitlement is lost, or covers it no more', async () => {
    const { customer, entitlementId, follow } = await linked()
    const path = `/entitlements/${entitlementId}`
    await customer.staff.post(`${path}/suspend`)
    expect((await follow()).status).toBe(404)
    await customer.staff.post(`${path}/resume`)
    expect((await follow()).status).toBe(200)
    await customer.staff.patch(path, { updates_until: '2020-01-01T00:00:00.000Z' })
    expect((await follow()).status).toBe(404)
  })
  it('404 once the organization is deleted', async () => {
    const { customer, id, follow } = await linked()
    expect((await customer.owner.delete(`/organizations/${customer.id}`)).status).toBe(200)
    expect((await follow()).status).toBe(404)
    expect(await countsOf(id)).toEqual([])
  })
  it('503 when the bytes are gone, and nothing is counted', async () => {
    const { id, fileId, follow } = await linked()
    const [row] = await app.database.query<{ storage_key: string }>(
      'select storage_key from release_files where id = $1',
      [fileId],
    )
    await app.service.ports.files.remove(row?.storage_key ?? '')
    expect((await follow()).status).toBe(503)
    expect(await countsOf(id)).toEqual([])
  })
})

describe('GET /admin/downloads/{id}/counts', () => {
  it('200 for administrators, 403 for others, 404 for no release', async () => {
    const { customer, id, fileId, follow } = await linked()
    await follow()
    const { data } = await acme.staff.get(`/admin/downloads/${id}/counts`)
    const now = app.clock.now.toISOString()
    const file = { file_id: fileId, file_name: 'backup.zip', downloads: 1, last_downloaded_at: now }
    const counted = { id: expect.any(Number), organization_id: customer.id, organization_name: customer.name, ...file }
    expect(data).toEqual([counted])
    expect((await customer.owner.get(`/admin/downloads/${id}/counts`)).status).toBe(403)
    expect((await acme.staff.get('/admin/downloads/999999/counts')).status).toBe(404)
  })
})
