// Attachments of tickets: what is accepted, and what a refused or aborted upload leaves.
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { multipart } from '#test/harness/multipart.ts'
import { until } from '#test/harness/until.ts'
import { startApp } from '#test/harness/app.ts'
import { subjects } from '#test/scenes/tickets.ts'
import { attach, type AttachmentScene, attachmentScene, MAX } from '#test/scenes/attachments.ts'

let app: AttachmentScene['app']
let acme: AttachmentScene['acme']
let other: AttachmentScene['other']
let agent: AttachmentScene['agent']
let open: AttachmentScene['open']
let stored: AttachmentScene['stored']
let id: AttachmentScene['id']

beforeAll(async () => {
  ;({ app, acme, other, agent, open, stored, id } = await attachmentScene())
})
afterAll(() => app.close())

const claims = async (): Promise<number> =>
  (await app.database.query(`select id from jobs where kind = 'files/remove'`)).length
/** Signature, a header and 5000 bytes of image. */
const PNG = Buffer.concat([
  Buffer.from(`89504e470d0a1a0a0000000d49484452${'00'.repeat(17)}0000138849444154`, 'hex'),
  randomBytes(5000),
])

/** A body without its end. */
const cut = (): string => `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf`

describe('POST /tickets/{id}/attachments', () => {
  it('201 with the type detected from the content and a cleaned name, and the same bytes on download', async () => {
    const file = { fileName: '../../etc/ação\u202e final.png', type: 'text/html', content: PNG }
    const answer = await attach(agent, id, file)
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      ticket_id: id,
      name: 'ação final.png',
      content_type: 'image/png',
      size: PNG.length,
      sha256: createHash('sha256').update(PNG).digest('hex'),
      internal: false,
      uploaded_by: agent.userId,
    })
    expect(answer.data).not.toHaveProperty('storage_key')
    const content = await agent.get(`/tickets/${id}/attachments/${answer.data.id}/content`)
    expect(content.raw.rawPayload.equals(PNG)).toBe(true)
    const { number } = (await agent.get(`/tickets/${id}`)).data
    expect(content.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `attachment; filename="${number}-${answer.data.id}.png"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(await claims()).toBe(0)
  })
  it('201 with fields after the file, and as plain text for what a browser would execute', async () => {
    const boundary = 'b'
    const body = Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="x.html"\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>\r\n--b\r\nContent-Disposition: form-data; name="internal"\r\n\r\nfalse\r\n--b--\r\n`,
    )
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const answer = await agent.post(`/tickets/${id}/attachments`, body, headers)
    expect(answer.status).toBe(201)
    expect(answer.data.content_type).toBe('text/plain; charset=utf-8')
  })
  it('4xx leaves nothing: no row, no bytes, no claim', async () => {
    const before = await stored()
    const list = await agent.get(`/tickets/${id}/attachments`)
    const done = await open()
    await agent.post(`/tickets/${done}/status`, { status: 'closed' })
    const file = { content: 'text' }
    const refusals: [string, number, () => ReturnType<typeof attach>][] = [
      ['empty', 422, () => attach(agent, id, { content: '' })],
      ['no file', 422, () => attach(agent, id, null)],
      ['a program', 422, () => attach(agent, id, { fileName: 'a.txt', content: 'MZ\u0090\0' })],
      ['another type', 422, () => attach(agent, id, { fileName: 'a.pdf', content: 'text' })],
      ['another field', 422, () => attach(agent, id, { name: 'upload', content: 'text' })],
      ['an unknown field', 422, () => attach(agent, id, file, { ticket_id: '1' })],
      ['a wrong field', 422, () => attach(agent, id, file, { internal: 'perhaps' })],
      ['a prototype', 400, () => attach(agent, id, file, { __proto__x: '1', constructor: '1' })],
      ['too large', 413, () => attach(agent, id, { content: randomBytes(MAX + 1) })],
      ['internal', 403, () => attach(agent, id, file, { internal: 'true' })],
      ['closed', 409, () => attach(agent, done, file)],
      ['another organization', 404, () => attach(other.owner, id, file)],
      ['no ticket', 404, () => attach(agent, 999_999_999, file)],
      ['no scope', 403, async () => attach(await acme.member({ scopes: ['entitlements'] }), id, file)],
      ['JSON', 415, () => agent.post(`/tickets/${id}/attachments`, { file: 'x' })],
      [
        'cut off',
        400,
        () => agent.post(`/tickets/${id}/attachments`, cut(), { 'content-type': 'multipart/form-data; boundary=b' }),
      ],
      [
        'no boundary',
        400,
        () => agent.post(`/tickets/${id}/attachments`, 'x', { 'content-type': 'multipart/form-data' }),
      ],
    ]
    for (const [what, status, attempt] of refusals) {
      const answer = await attempt()
      expect(answer.status, `${what}: ${answer.raw.body}`).toBe(status)
    }
    // A part without a file name is a field like others.
    const nothing = await attach(agent, id, null, { file: 'x' })
    expect([nothing.status, nothing.errors?.fields]).toEqual([422, { file: 'is required' }])
    expect(await stored()).toBe(before)
    expect(await claims()).toBe(0)
    expect((await agent.get(`/tickets/${id}/attachments`)).meta).toEqual(list.meta)
  })
  it('415 on a route that takes no file', async () => {
    const { body, headers } = multipart({ content: 'x' })
    expect((await agent.post('/tickets', body, headers)).status).toBe(415)
  })
  it('201 for the largest size allowed', async () => {
    expect((await attach(agent, id, { content: randomBytes(MAX) })).status).toBe(201)
  })
  it('409 when the organization’s quota is used up, also for many at once', async () => {
    const small = await startApp({ environment: { FILES_QUOTA_BYTES: '1000', FILES_QUOTA_COUNT: '5' } })
    try {
      const organization = await small.world.organization()
      const { hosting } = await subjects(small, organization)
      const { data } = await organization.owner.post('/tickets', { title: 'x', entitlement_id: hosting })
      const send = (size: number) => attach(organization.owner, data.id, { content: randomBytes(size) })
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(300)))
      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        201, 201, 201, 409, 409, 409, 409, 409,
      ])
      expect((await send(101)).status).toBe(409)
      expect((await send(50)).status).toBe(201)
      expect((await send(1)).status).toBe(201)
      expect((await send(1)).status).toBe(409)
      const files = await readdir(join(small.dataDir, 'files', String(organization.id)))
      expect(files).toHaveLength(5)
    } finally {
      await small.close()
    }
  })
  it('has one effect for the same Idempotency-Key', async () => {
    const before = await stored()
    const again = { 'idempotency-key': 'upload-0001' }
    const one = await attach(agent, id, { content: 'once' }, {}, again)
    const two = await attach(agent, id, { content: 'once' }, {}, again)
    expect(two.data).toEqual(one.data)
    expect(two.headers['idempotent-replayed']).toBe('true')
    expect((await attach(agent, id, { content: 'other' }, {}, again)).status).toBe(422)
    expect((await attach(agent, id, { fileName: 'other.bin', content: 'once' }, {}, again)).status).toBe(422)
    expect(await stored()).toBe(before + 1)
  })
  it('repeats the answer for the same Idempotency-Key when the ticket has been closed since', async () => {
    const ended = await open()
    const again = { 'idempotency-key': 'upload-0002' }
    const one = await attach(agent, ended, { content: 'once' }, {}, again)
    await agent.post(`/tickets/${ended}/status`, { status: 'closed' })
    const before = await stored()
    const two = await attach(agent, ended, { content: 'once' }, {}, again)
    expect([two.status, two.data]).toEqual([201, one.data])
    expect((await attach(agent, ended, { content: 'other' }, {}, again)).status).toBe(422)
    expect((await attach(agent, ended, { content: 'once' })).status).toBe(409)
    expect([await stored(), await claims()]).toEqual([before, 0])
  })
  it('leaves nothing of an upload that the client aborts', async () => {
    const before = await stored()
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    const head = [
      `POST /api/v1/tickets/${id}/attachments HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${agent.token}`,
      `X-Service-Organization: ${acme.id}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`)
    socket.write(Buffer.alloc(30_000, 97))
    await until(claims, (count) => count === 1)
    socket.destroy()
    await until(claims, (count) => count === 0)
    expect(await stored()).toBe(before)
  })
  it('401 before any byte of an upload without credentials is read, and the connection ends', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write(
      `POST /api/v1/tickets/${id}/attachments HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b`,
    )
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })
  it('leaves bytes of a crashed process to their claim, which removes them', async () => {
    const before = await stored()
    const key = `${acme.id}/${randomBytes(16).toString('hex')}`
    await app.service.ports.files.put(
      key,
      (async function* () {
        yield Buffer.from('orphan')
      })(),
    )
    await app.database.query(
      `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'files/remove', $2, $3)`,
      [acme.id, JSON.stringify({ storage_key: key }), app.clock.now],
    )
    expect(await stored()).toBe(before + 1)
    await app.service.worker.drain()
    expect(await stored()).toBe(before)
  })
})
