// Stored files as answers: whole, in ranges, and when their bytes are not what they were.
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { subjects } from '#test/scenes/tickets.ts'
import type { Headers } from '#test/harness/world.ts'

const CONTENT = Buffer.concat([Buffer.from([0, 255]), randomBytes(199_998)])
const HEX = createHash('sha256').update(CONTENT).digest('hex')
const ETAG = `"${HEX}"`

const app = await appOfFile()
const acme = await app.world.organization()
const path: string = (await attach(CONTENT)).path

async function attach(content: Buffer): Promise<{ path: string; id: number }> {
  const { hosting } = await subjects(app, acme)
  const ticket = (await acme.owner.post('/tickets', { title: 'See the file', entitlement_id: hosting })).data.id
  const { body, headers } = multipart({ content })
  const { id } = (await acme.owner.post(`/tickets/${ticket}/attachments`, body, headers)).data
  return { path: `/tickets/${ticket}/attachments/${id}/content`, id }
}
const get = (headers: Headers = {}) => acme.owner.get(path, headers)
const bytes = async (headers: Headers) => (await get(headers)).raw.rawPayload

describe('a stored file', () => {
  it('200 whole, with the hash of its bytes as digest and tag', async () => {
    const { status, headers, raw } = await get()
    expect(status).toBe(200)
    expect(raw.rawPayload.equals(CONTENT)).toBe(true)
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      etag: ETAG,
      'repr-digest': `sha-256=:${Buffer.from(HEX, 'hex').toString('base64')}:`,
      'content-length': '200000',
    })
  })
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=199999-', 199_999, 199_999],
    ['bytes=100-70000', 100, 70_000],
    ['bytes=-500', 199_500, 199_999],
    ['bytes=5-999999999', 5, 199_999],
  ])('206 for %s, with the digest of the whole', async (range, start, end) => {
    const { status, headers, raw } = await get({ range })
    expect(status).toBe(206)
    expect(raw.rawPayload.equals(CONTENT.subarray(start, end + 1))).toBe(true)
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/200000`,
      'content-length': String(end - start + 1),
      etag: ETAG,
      'repr-digest': `sha-256=:${Buffer.from(HEX, 'hex').toString('base64')}:`,
    })
  })
  it('416 beyond its end, with its size', async () => {
    for (const range of ['bytes=200000-', 'bytes=-0']) {
      const { status, errors, headers } = await get({ range })
      expect([status, errors?.code, headers['content-range']]).toEqual([416, 'RANGE_NOT_SATISFIABLE', 'bytes */200000'])
      expect(headers['repr-digest']).toBeUndefined()
    }
  })
  it('200 for several ranges, another unit, and a range that is none', async () => {
    for (const range of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=6-5', 'bytes=', 'x'])
      expect((await get({ range })).status, range).toBe(200)
  })
  it('206 only for the tag of If-Range, 200 for another one or a date', async () => {
    expect(await bytes({ range: 'bytes=1-3', 'if-range': ETAG })).toEqual(CONTENT.subarray(1, 4))
    for (const tag of [`W/${ETAG}`, '"other"', new Date().toUTCString()])
      expect((await get({ range: 'bytes=1-3', 'if-range': tag })).status, tag).toBe(200)
  })
  it('304 for a client that has the bytes', async () => {
    for (const tag of [ETAG, `W/${ETAG}`, `"other", ${ETAG}`, '*']) {
      const { status, raw } = await get({ 'if-none-match': tag })
      expect([status, raw.rawPayload.length], tag).toEqual([304, 0])
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })
  it('200 for HEAD, whatever the range, without bytes', async () => {
    const headers = { ...acme.owner.headers, range: 'bytes=1-3' }
    const answer = await app.service.app.inject({ method: 'HEAD', url: `/api/v1${path}`, headers })
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
    expect(answer.headers).toMatchObject({ 'content-length': '200000', etag: ETAG, 'accept-ranges': 'bytes' })
  })
  it('503 when the bytes are shorter than they were, never a cut file that looks whole', async () => {
    const cut = await attach(Buffer.from('a text that is cut'))
    const [row] = await app.database.query<{ storage_key: string }>(
      'select storage_key from ticket_attachments where id = $1',
      [cut.id],
    )
    await writeFile(join(app.dataDir, 'files', row?.storage_key ?? ''), 'a text')
    const whole = await acme.owner.get(cut.path)
    expect([whole.status, whole.errors?.code, whole.headers.etag]).toEqual([503, 'SERVICE_UNAVAILABLE', undefined])
    const part = await acme.owner.get(cut.path, { range: 'bytes=2-10' })
    expect([part.status, part.errors?.code, part.headers['content-range']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      undefined,
    ])
  })
})
