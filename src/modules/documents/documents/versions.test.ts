// Versions of a document, its content, and the log of who read it.
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { documentOf, nextVersion, upload } from '#test/scenes/documents.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const clerk = await acme.member({ scopes: ['documents'] })
const reader = await acme.member({ scopes: ['documents'] })

const contentOf = async (by: Speaker, id: number, query = ''): Promise<string> =>
  (await by.get(`/documents/${id}/content${query}`)).raw.body

describe('POST /documents/{id}/versions', () => {
  it('201 with the next number; earlier versions stay as they were', async () => {
    const id = await documentOf(clerk, 'plan.txt')
    const { status, data } = await nextVersion(reader, id, { fileName: 'plan (2).txt', content: 'second' })
    expect([status, data]).toMatchObject([
      201,
      { id, name: 'plan.txt', version: 2, size: 6, uploaded_by: clerk.userId },
    ])
    const list = (await clerk.get(`/documents/${id}/versions`)).data
    expect(list).toMatchObject([
      { document_id: id, version: 2, name: 'plan (2).txt', size: 6, uploaded_by: reader.userId },
      { document_id: id, version: 1, name: 'plan.txt', uploaded_by: clerk.userId },
    ])
    expect(list[0].sha256).toBe(data.sha256)
    expect(await contentOf(clerk, id)).toBe('second')
    expect(await contentOf(clerk, id, '?version=1')).toBe('content of plan.txt')
    expect((await clerk.get(`/documents/${id}/content?version=3`)).status).toBe(404)
    expect((await clerk.get(`/documents/${id}/content?version=0`)).status).toBe(422)
  })
  it('201 for many at once, each with a number of its own', async () => {
    const id = await documentOf(clerk)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        nextVersion(index % 2 ? clerk : reader, id, { content: `copy ${index}` }),
      ),
    )
    const numbers = answers.map(({ data }) => data.version).toSorted((one, two) => one - two)
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7])
    const contents = await Promise.all(numbers.map((version) => contentOf(clerk, id, `?version=${version}`)))
    expect(contents.toSorted()).toEqual(['copy 0', 'copy 1', 'copy 2', 'copy 3', 'copy 4', 'copy 5'])
  })
  it('4xx leaves the document as it was', async () => {
    const id = await documentOf(clerk)
    expect((await nextVersion(clerk, id, { content: '' })).status).toBe(422)
    expect((await nextVersion(clerk, id, null)).status).toBe(422)
    expect((await nextVersion(other.owner, id, { content: 'x' })).status).toBe(404)
    expect((await nextVersion(clerk, 999_999_999, { content: 'x' })).status).toBe(404)
    await app.database.query('update documents set version = 200 where id = $1', [id])
    expect((await nextVersion(clerk, id, { content: 'x' })).status).toBe(409)
    expect((await clerk.get(`/documents/${id}/versions`)).meta?.total).toBe(1)
    expect((await other.owner.get(`/documents/${id}/versions`)).status).toBe(404)
  })
})

const accesses = async (id: number) => (await clerk.get(`/documents/${id}/accesses`)).data

/** Of an entry that says nothing of its sizes. */
function zipHeader(name: string): Buffer {
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004')
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name)])
}

describe('GET /documents/{id}/content', () => {
  it('200 as an attachment under the name of the document, never cached, never guessed', async () => {
    const id = await documentOf(clerk, 'plano de rede.txt')
    await clerk.patch(`/documents/${id}`, { name: 'Plano “ação”' })
    const { headers } = await clerk.get(`/documents/${id}/content`)
    expect(headers).toMatchObject({
      'content-disposition':
        'attachment; filename="Plano _acao_.txt"; filename*=UTF-8\'\'Plano%20%E2%80%9Ca%C3%A7%C3%A3o%E2%80%9D.txt',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })
  it.each([
    ['setup.bat', 'setup.bat.txt'],
    ['page.html', 'page.html.txt'],
    ['data.csv', 'data.csv'],
    ['no extension', 'no extension.txt'],
  ])('%s is downloaded as %s', async (name, wanted) => {
    const { headers } = await clerk.get(`/documents/${await documentOf(clerk, name)}/content`)
    expect(headers['content-disposition']).toBe(`attachment; filename="${wanted}"`)
  })
  it('206 for a range of a version, with the digest of the whole', async () => {
    const id = await documentOf(clerk)
    await nextVersion(clerk, id, { content: 'another' })
    const { status, raw, headers } = await clerk.get(`/documents/${id}/content?version=1`, { range: 'bytes=0-6' })
    expect([status, raw.body, headers['content-range']]).toEqual([206, 'content', 'bytes 0-6/19'])
    expect(headers['repr-digest']).toMatch(/^sha-256=:.+:$/)
  })
  it('an archive bomb is given back as it came, and never opened', async () => {
    const bomb = Buffer.concat([zipHeader('zeros'), deflateRawSync(Buffer.alloc(50_000_000))])
    const { data } = await upload(clerk, { fileName: 'bomb.zip', content: bomb })
    expect(data).toMatchObject({ content_type: 'application/zip', size: bomb.length })
    expect(bomb.length).toBeLessThan(100_000)
    expect((await clerk.get(`/documents/${data.id}/content`)).raw.rawPayload.equals(bomb)).toBe(true)
  })
  it('404 for another organization, 403 without the scope', async () => {
    const id = await documentOf(clerk)
    expect((await other.owner.get(`/documents/${id}/content`)).status).toBe(404)
    expect((await (await acme.member({ scopes: ['quotes'] })).get(`/documents/${id}/content`)).status).toBe(403)
  })
})

describe('GET /documents/{id}/accesses', () => {
  it('200 with who read which version, newest first; ranges within an hour count once, HEAD does not', async () => {
    const id = await documentOf(clerk)
    await nextVersion(clerk, id, { content: 'second' })
    const path = `/documents/${id}/content`
    await reader.get(`${path}?version=1`)
    const key = await apiKey(app, acme, { permission: 'read', scopes: ['documents'] })
    await app.world.speaker(key, acme.owner).get(path)
    for (const range of ['bytes=0-1', 'bytes=2-3', 'bytes=4-'])
      expect((await reader.get(path, { range })).status).toBe(206)
    expect((await reader.get(path, { range: 'bytes=99-' })).status).toBe(416)
    await app.service.app.inject({ method: 'HEAD', url: `/api/v1${path}`, headers: reader.headers })
    expect(await accesses(id)).toMatchObject([
      { document_id: id, version: 2, reader_kind: 'user', user_id: reader.userId },
      { document_id: id, version: 2, reader_kind: 'api_key', user_id: acme.owner.userId },
      { document_id: id, version: 1, reader_kind: 'user', user_id: reader.userId, share_id: null, ip: '127.0.0.1' },
    ])
    app.clock.advance(3601)
    await reader.get(path, { range: 'bytes=0-1' })
    await reader.get(path)
    await reader.get(path)
    expect(await accesses(id)).toHaveLength(6)
  })
  it('200 for the uploader, admins, owners and staff; 404 for others', async () => {
    const id = await documentOf(clerk)
    const admin = await acme.member({ role: 'admin', scopes: ['documents'] })
    for (const by of [clerk, admin, acme.owner, acme.staff])
      expect((await by.get(`/documents/${id}/accesses`)).status).toBe(200)
    for (const by of [reader, other.owner]) expect((await by.get(`/documents/${id}/accesses`)).status).toBe(404)
  })
})
