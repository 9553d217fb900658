// Documents: upload, list, detail, change, delete.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { documentOf, nextVersion, upload } from '#test/scenes/documents.ts'
import { subjects } from '#test/scenes/tickets.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const clerk = await acme.member({ scopes: ['documents'] })
const entitlement: number = (await subjects(app, acme)).hosting
const contract: number = (await acme.staff.post('/contracts', { title: 'Frame', start_date: '2026-01-01' })).data.id
await acme.staff.post(`/contracts/${contract}/status`, { status: 'active' })

const idsOf = async (by: Speaker, query = ''): Promise<number[]> =>
  (await by.get(`/documents?per_page=100${query}`)).data.map(({ id }: { id: number }) => id)
const stored = async (): Promise<number> =>
  (await readdir(join(app.dataDir, 'files'), { recursive: true }).catch(() => [])).filter((name) => name.includes('/'))
    .length

describe('GET /documents', () => {
  it('200 with an empty list', async () => {
    const { data, meta } = await other.owner.get('/documents')
    expect([data, meta]).toEqual([[], { page: 1, per_page: 20, total: 0, pages: 0 }])
  })
  it('200 filtered by category, name, entitlement, contract and source', async () => {
    const one = await documentOf(clerk, 'Ação.txt', { category: 'technical', entitlement_id: String(entitlement) })
    const two = await documentOf(clerk, 'Notes 100%.txt', { contract_id: String(contract) })
    expect(await idsOf(clerk)).toEqual(expect.arrayContaining([two, one]))
    expect(await idsOf(clerk, '&category=technical')).toEqual([one])
    expect(await idsOf(clerk, '&search=acao')).toEqual([one])
    expect(await idsOf(clerk, '&search=100%25.')).toEqual([two])
    expect(await idsOf(clerk, '&search=%25%25')).toEqual([])
    expect(await idsOf(clerk, `&entitlement_id=${entitlement}`)).toEqual([one])
    expect(await idsOf(clerk, `&contract_id=${contract}&category=other`)).toEqual([two])
    expect(await idsOf(clerk, '&source=archived')).toEqual([])
    expect((await clerk.get('/documents?source=uploaded&per_page=1')).data).toMatchObject([{ id: two }])
    expect(await idsOf(other.owner)).toEqual([])
  })
  it('422 for a filter that is none', async () => {
    for (const query of ['category=secret', 'entitlement_id=x', 'source=both', 'language=fr', 'reader=1'])
      expect((await clerk.get(`/documents?${query}`)).status, query).toBe(422)
  })
})

describe('POST /documents', () => {
  it('201 with type, size and hash of the content, and the defaults', async () => {
    const content = Buffer.from('%PDF-1.7\nplan')
    const { status, data } = await upload(clerk, { fileName: 'Plan.pdf', type: 'text/html', content })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(Number),
      organization_id: acme.id,
      name: 'Plan.pdf',
      category: 'other',
      visibility: 'organization',
      reader_ids: [],
      entitlement_id: null,
      contract_id: null,
      version: 1,
      content_type: 'application/pdf',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      uploaded_by: clerk.userId,
      by_staff: false,
      external_id: null,
      metadata: {},
      source: 'uploaded',
      record: null,
      language: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await clerk.get(`/documents/${data.id}`)).data).toEqual(data)
  })
  it('201 with a name of its own, which the search finds', async () => {
    const { data } = await upload(clerk, { fileName: 'scan0001.txt', content: 'x' }, { name: 'Alvará municipal' })
    expect(data.name).toBe('Alvará municipal')
    const found = (await clerk.get('/search?q=alvara')).data
    expect(found).toEqual([{ kind: 'document', id: data.id, label: 'Alvará municipal', matched: 'name' }])
    expect((await other.owner.get('/search?q=alvara')).data).toEqual([])
    expect((await (await acme.member({ scopes: ['quotes'] })).get('/search?q=alvara')).data).toEqual([])
  })
  it('4xx leaves nothing: no row, no bytes, no claim', async () => {
    const [bytes, list] = [await stored(), await idsOf(clerk)]
    const file = { fileName: 'a.txt', content: 'text' }
    const draft = (await acme.staff.post('/contracts', { title: 'Draft', start_date: '2026-01-01' })).data.id
    const foreign = (await subjects(app, other)).hosting
    const refusals: [string, number, Parameters<typeof upload>][] = [
      ['no file', 422, [clerk, null]],
      ['an empty one', 422, [clerk, { content: '' }]],
      ['a program', 422, [clerk, { content: 'MZ\u0090\0' }]],
      ['another type', 422, [clerk, { fileName: 'a.pdf', content: 'text' }]],
      ['an unknown field', 422, [clerk, file, { uploaded_by: '1' }]],
      ['another category', 422, [clerk, file, { category: 'secret' }]],
      ['an invisible name', 422, [clerk, file, { name: '\u200b' }]],
      ['another visibility', 422, [clerk, file, { visibility: 'all' }]],
      ['readers for all', 422, [clerk, file, { reader_ids: String(clerk.userId) }]],
      ['readers in another form', 422, [clerk, file, { visibility: 'readers', reader_ids: '1, 2' }]],
      [
        'a reader from elsewhere',
        422,
        [clerk, file, { visibility: 'readers', reader_ids: String(other.owner.userId) }],
      ],
      ['for staff only', 403, [clerk, file, { visibility: 'staff' }]],
      ['another entitlement', 404, [clerk, file, { entitlement_id: String(foreign) }]],
      ['no contract', 404, [clerk, file, { contract_id: '999999999' }]],
      ['a draft of a contract', 404, [clerk, file, { contract_id: String(draft) }]],
      ['another organization', 422, [clerk, file, { organization_id: String(other.id) }]],
      ['no scope', 403, [await acme.member({ scopes: ['quotes'] }), file]],
    ]
    for (const [what, status, given] of refusals) {
      const answer = await upload(...given)
      expect(answer.status, `${what}: ${answer.raw.body}`).toBe(status)
    }
    expect((await clerk.post('/documents', { file: 'x' })).status).toBe(415)
    expect([await stored(), await idsOf(clerk)]).toEqual([bytes, list])
    expect(await app.database.query(`select id from jobs where kind = 'files/remove'`)).toEqual([])
  })
  it('201 once for the same Idempotency-Key', async () => {
    const again = { 'idempotency-key': 'document-0001' }
    const one = await upload(clerk, { content: 'once' }, {}, again)
    const two = await upload(clerk, { content: 'once' }, {}, again)
    expect([two.status, two.data]).toEqual([201, one.data])
  })
})

describe('PATCH /documents/{id}', () => {
  it('200 for the given fields alone, and null removes a link', async () => {
    const id = await documentOf(clerk, 'old name.txt', { entitlement_id: String(entitlement) })
    const change = { name: 'New name.txt', category: 'technical', entitlement_id: null, contract_id: contract }
    const { status, data } = await clerk.patch(`/documents/${id}`, change)
    expect([status, data]).toMatchObject([200, { ...change, version: 1, visibility: 'organization' }])
    expect((await clerk.get('/search?q=old+name')).data).toEqual([])
    expect((await clerk.get('/search?q=new+name')).data).toMatchObject([{ id }])
  })
  it('404 and 422 change nothing', async () => {
    const id = await documentOf(clerk, 'same.txt')
    const before = (await clerk.get(`/documents/${id}`)).data
    for (const [status, change] of [
      [422, { size: 1 }],
      [422, { name: '' }],
      [422, { reader_ids: [clerk.userId] }],
      [422, { visibility: 'readers', reader_ids: [1, 1] }],
      [404, { entitlement_id: 999_999_999 }],
      [404, { contract_id: 999_999_999 }],
    ] as const)
      expect((await clerk.patch(`/documents/${id}`, change)).status, JSON.stringify(change)).toBe(status)
    expect((await other.owner.patch(`/documents/${id}`, { name: 'x' })).status).toBe(404)
    expect((await clerk.patch('/documents/999999999', { name: 'x' })).status).toBe(404)
    expect((await clerk.get(`/documents/${id}`)).data).toEqual(before)
  })
  it('403 for customers who would change what the vendor provided, or move what is kept', async () => {
    const ours = await documentOf(acme.staff, 'manual.txt')
    expect((await acme.owner.get(`/documents/${ours}`)).data.by_staff).toBe(true)
    const kept = await documentOf(clerk, 'signed.txt', { category: 'contract' })
    expect((await acme.owner.patch(`/documents/${ours}`, { name: 'x' })).status).toBe(403)
    expect((await nextVersion(acme.owner, ours, { content: 'x' })).status).toBe(403)
    expect((await acme.owner.patch(`/documents/${kept}`, { category: 'other' })).status).toBe(403)
    expect((await acme.owner.patch(`/documents/${kept}`, { name: 'Signed.txt', category: 'contract' })).status).toBe(
      200,
    )
    expect((await acme.staff.patch(`/documents/${kept}`, { category: 'other' })).status).toBe(200)
  })
})

describe('DELETE /documents/{id}', () => {
  it('200, and the bytes of all versions go; the audit log stays', async () => {
    const before = await stored()
    const id = await documentOf(clerk, 'passing.txt')
    await nextVersion(clerk, id, { content: 'second' })
    await clerk.get(`/documents/${id}/content`)
    expect(await stored()).toBe(before + 2)
    expect((await clerk.delete(`/documents/${id}`)).status).toBe(200)
    for (const path of ['', '/content', '/versions', '/accesses', '/shares'])
      expect((await acme.owner.get(`/documents/${id}${path}`)).status, path).toBe(404)
    expect((await clerk.delete(`/documents/${id}`)).status).toBe(404)
    expect((await clerk.post(`/documents/${id}/shares`, {})).status).toBe(404)
    expect(await idsOf(clerk)).not.toContain(id)
    expect((await clerk.get('/search?q=passing')).data).toEqual([])
    await app.service.worker.drain()
    expect(await stored()).toBe(before)
    const entries = (await acme.owner.get('/audit-log?resource=document&per_page=100')).data
    const ofIt = entries.filter(({ resource_id }: { resource_id: number }) => resource_id === id)
    expect(ofIt.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'updated', 'created'])
    expect(ofIt.at(-1).changes.after).toMatchObject({ name: 'passing.txt', uploaded_by: clerk.userId })
    const versions = (await acme.owner.get('/audit-log?resource=document_version&action=deleted')).data
    expect(
      versions.map(({ changes }: { changes: { before: { document_id: number } } }) => changes.before),
    ).toMatchObject([
      { document_id: id, version: 2, storage_key: '***' },
      { document_id: id, version: 1, storage_key: '***' },
    ])
    const [log] = await app.database.query('select count(*)::int as n from document_accesses where document_id = $1', [
      id,
    ])
    expect(log).toEqual({ n: 1 })
  })
  it('403 for customers for contracts, tax documents and what the vendor provided; 200 for staff', async () => {
    const kept = [
      await documentOf(clerk, 'a.txt', { category: 'contract' }),
      await documentOf(clerk, 'b.txt', { category: 'tax' }),
      await documentOf(acme.staff, 'c.txt'),
    ]
    for (const id of kept) {
      expect((await acme.owner.delete(`/documents/${id}`)).status).toBe(403)
      expect((await acme.staff.delete(`/documents/${id}`)).status).toBe(200)
    }
  })
  it('404 for another organization', async () => {
    const id = await documentOf(clerk)
    expect((await other.owner.delete(`/documents/${id}`)).status).toBe(404)
    expect((await clerk.get(`/documents/${id}`)).status).toBe(200)
  })
})
