// Bad luck and bad will at uploads of documents: cut connections, file names, quotas at the same time.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { documentOf, nextVersion, upload } from '#test/scenes/documents.ts'
import { subjects } from '#test/scenes/tickets.ts'
import { until } from '#test/harness/until.ts'
import type { Organization } from '#test/harness/world.ts'

const app = await appOfFile({
  listens: true,
  environment: { FILES_QUOTA_BYTES: '100000', FILES_QUOTA_COUNT: '12', FILES_MAX_BYTES: '1000000' },
})
const acme = await app.world.organization()

const filesOf = async ({ id }: Organization): Promise<string[]> =>
  readdir(join(app.dataDir, 'files', String(id))).catch(() => [])
const claims = () => app.database.query(`select id from jobs where kind = 'files/remove'`)

describe('an upload that is cut', () => {
  it('leaves nothing at any tenth of it, and the whole one arrives', async () => {
    const { owner } = acme
    const { body, headers } = multipart({ content: randomBytes(20_000) }, { category: 'technical' })
    const head = [
      'POST /api/v1/documents HTTP/1.1',
      'Host: x',
      `Authorization: ${owner.headers['authorization']}`,
      `X-Service-Organization: ${acme.id}`,
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${body.length}`,
    ]
    for (let tenth = 0; tenth < 10; tenth++) {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.on('error', () => {})
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.end(body.subarray(0, Math.floor((body.length * tenth) / 10)))
      socket.resume()
      await closed
    }
    await until(claims, (rows) => rows.length === 0)
    await until(
      () => filesOf(acme),
      (files) => files.length === 0,
    )
    expect((await owner.get('/documents')).meta?.total).toBe(0)
    expect((await owner.post('/documents', body, headers)).status).toBe(201)
    expect(await filesOf(acme)).toHaveLength(1)
  })
})

/** Sends the first `bytes` of a file of 3 MB, piece by piece; what was answered, and after how many bytes. */
async function sendSlowly(path: string, by: Organization['owner'], bytes = 3_000_000) {
  const { body, headers } = multipart({ content: Buffer.alloc(3_000_000) })
  const head = { Host: 'x', ...by.headers, 'Content-Type': headers['content-type'], 'Content-Length': body.length }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  const received: Buffer[] = []
  let sent = 0
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {}).on('data', (piece: Buffer) => received.push(piece))
  socket.write(`POST /api/v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  while (sent < bytes && received.length === 0 && !socket.destroyed) {
    socket.write(body.subarray(sent, (sent += 20_000)))
    await setTimeout(1)
  }
  await closed
  return { status: Buffer.concat(received).toString().split(' ')[1], sent }
}

describe('a refused upload', () => {
  it('is answered although the client is still sending', async () => {
    const [owner, stranger] = [acme.owner, await acme.member({ scopes: ['quotes'] })]
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        index % 2 ? sendSlowly('/documents/999999/versions', owner) : sendSlowly('/documents', stranger),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(['403', '404', '403', '404', '403', '404', '403', '404'])
  })
  it('413 as soon as it is too large: the rest is not waited for', async () => {
    expect(await sendSlowly('/documents', acme.owner, 1_500_000)).toEqual({ status: '413', sent: 1_500_000 })
    await until(claims, (rows) => rows.length === 0)
  })
})

describe('a file name', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\plan.txt', 'plan.txt'],
    ['plan\u202etxt.exe', 'plantxt.exe'],
    ['a\u0001b\u200bc.txt', 'abc.txt'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['..', 'file'],
  ])('%j becomes %j', async (fileName, name) => {
    const fresh = await app.world.organization()
    const { status, data } = await upload(fresh.owner, { fileName, content: 'text' })
    expect([status, data.name]).toEqual([201, name])
    const { headers } = await fresh.owner.get(`/documents/${data.id}/content`)
    // oxlint-disable-next-line no-control-regex -- what must not be in a header
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[^"\r\n\u0000-\u001f\u007f-\uffff/\\]+"/)
  })
  it('given for the document is no path in the download either', async () => {
    const fresh = await app.world.organization()
    const id = await documentOf(fresh.owner)
    await fresh.owner.patch(`/documents/${id}`, { name: '../..\\plan é.txt' })
    const { headers } = await fresh.owner.get(`/documents/${id}/content`)
    expect(headers['content-disposition']).toContain(`filename=".._.._plan e.txt`)
    expect(headers['content-disposition']).toContain(`filename*=UTF-8''.._.._plan%20%C3%A9.txt`)
  })
  it('cannot begin a header of its own', async () => {
    const fresh = await app.world.organization()
    const { data, status } = await upload(fresh.owner, { fileName: 'a%0D%0ASet-Cookie: x=1.txt', content: 'text' })
    expect(status).toBe(201)
    const { headers } = await fresh.owner.get(`/documents/${data.id}/content`)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['content-disposition']).not.toMatch(/[\r\n]/)
  })
})

describe('the quota', () => {
  it('409 for all but as many as fit, at once, over documents, versions and attachments', async () => {
    const fresh = await app.world.organization()
    const id = await documentOf(fresh.owner)
    const { hosting } = await subjects(app, fresh)
    const ticket = (await fresh.owner.post('/tickets', { title: 'See', entitlement_id: hosting })).data.id
    const attach = () => {
      const { body, headers } = multipart({ content: randomBytes(9000) })
      return fresh.owner.post(`/tickets/${ticket}/attachments`, body, headers)
    }
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        index % 3 === 0
          ? attach()
          : index % 3 === 1
            ? nextVersion(fresh.owner, id, { content: randomBytes(9000) })
            : upload(fresh.owner, { content: randomBytes(9000) }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(11)
    expect(statuses.filter((status) => status === 409)).toHaveLength(4)
    expect(await filesOf(fresh)).toHaveLength(12)
    expect((await upload(fresh.owner, { content: 'x' })).status).toBe(409)
    await fresh.owner.delete(`/documents/${id}`)
    expect((await upload(fresh.owner, { content: 'x' })).status).toBe(201)
  })
})
