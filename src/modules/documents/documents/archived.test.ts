// The archived documents of records in the list: by reference, for those who may read the record, never a draft.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scope } from '#kernel/values/permissions.ts'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf } from '#test/scenes/commerce.ts'
import { documentOf, nextVersion } from '#test/scenes/documents.ts'
import { subjects } from '#test/scenes/tickets.ts'
import type { Speaker } from '#test/harness/world.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects
type Row = Record<string, any>

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const uploaded: number = await documentOf(acme.owner)
const accepted = await acceptedQuote(app, acme, await buyerOf(acme))
const invoice: number = accepted.invoice_id
await acme.staff.post(`/invoices/${invoice}/pay`, {})
const hosting: number = (await subjects(app, acme)).hosting
const terms = { title: 'Frame', start_date: '2026-01-01', entitlement_id: hosting }
const contract: number = (await acme.staff.post('/contracts', terms)).data.id
await acme.staff.post(`/contracts/${contract}/status`, { status: 'active' })
const draft: number = (await acme.staff.post('/contracts', { title: 'Draft', start_date: '2026-01-01' })).data.id
await app.service.worker.drain()
app.clock.advance(6)
await app.service.worker.drain()

const list = async (by: Speaker, query = ''): Promise<Row[]> => (await by.get(`/documents?per_page=100${query}`)).data
const kinds = (rows: Row[]): string[] =>
  [...new Set(rows.map(({ record }): string => record?.resource ?? 'uploaded'))].toSorted()
const member = (...scopes: Scope[]) => acme.member({ scopes: ['documents', ...scopes] })

const paid = async () => (await list(acme.owner, '&category=invoice&language=en'))[0]?.['id']

describe('GET /documents', () => {
  it('200 with the archived documents, each with its record, in one series of ids', async () => {
    const rows = await list(acme.owner)
    expect(kinds(rows)).toEqual(['contract', 'invoice', 'quote', 'uploaded'])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((one, two) => two - one))
    const [invoiced] = rows.filter(({ record, language }) => record?.resource === 'invoice' && language === 'en')
    expect(invoiced).toMatchObject({
      source: 'archived',
      record: { resource: 'invoice', id: invoice, version: 'paid' },
      category: 'invoice',
      content_type: 'application/pdf',
      visibility: 'organization',
      version: 1,
      by_staff: true,
    })
    expect((await acme.owner.get(`/documents/${invoiced?.['id']}`)).data).toEqual(invoiced)
    expect(rows.some(({ record }) => record?.resource === 'contract' && record.id === draft)).toBe(false)
    expect(await list(other.owner)).toEqual([])
  })
  it('200 filtered by source, language, category, contract and its entitlement', async () => {
    expect(kinds(await list(acme.owner, '&source=uploaded'))).toEqual(['uploaded'])
    expect(kinds(await list(acme.owner, '&source=archived&language=en'))).toEqual(['contract', 'invoice', 'quote'])
    expect(kinds(await list(acme.owner, '&category=contract'))).toEqual(['contract'])
    expect(await list(acme.owner, `&contract_id=${contract}`)).toHaveLength(2)
    expect(await list(acme.owner, `&entitlement_id=${hosting}&language=pt-BR`)).toMatchObject([
      { record: { id: contract, version: 'active' }, entitlement_id: hosting },
    ])
  })
  it('200 with each kind only for those who hold the scope of its record, in list, total and detail', async () => {
    const all = await list(acme.owner)
    const expected: [Speaker, string[]][] = [
      [await member(), ['uploaded']],
      [await member('quotes'), ['quote', 'uploaded']],
      [await member('contracts'), ['contract', 'uploaded']],
      [await member('finances'), ['invoice', 'uploaded']],
    ]
    for (const [by, wanted] of expected) {
      const { data, meta } = await by.get('/documents?per_page=100')
      expect(kinds(data)).toEqual(wanted)
      expect(meta?.total).toBe(data.length)
      for (const { id } of all) {
        const isListed = data.some((one: Row) => one['id'] === id)
        for (const path of ['', '/content', '/versions', '/shares'])
          expect((await by.get(`/documents/${id}${path}`)).status, `${id}${path}`).toBe(isListed ? 200 : 404)
      }
    }
  })
})

describe('an archived document', () => {
  it('200 with the very bytes of the record’s PDF, in ranges too, and each reading is logged', async () => {
    const id = await paid()
    const pdf = await acme.owner.get(`/invoices/${invoice}/pdf`, { 'accept-language': 'en' })
    const content = await acme.owner.get(`/documents/${id}/content`)
    expect(content.raw.rawPayload.equals(pdf.raw.rawPayload)).toBe(true)
    expect(content.headers['repr-digest']).toBe(pdf.headers['repr-digest'])
    const part = await acme.owner.get(`/documents/${id}/content`, { range: 'bytes=0-4' })
    expect([part.status, part.raw.body]).toEqual([206, '%PDF-'])
    expect((await acme.owner.get(`/documents/${id}/versions`)).data).toMatchObject([{ document_id: id, version: 1 }])
    const log: Row[] = (await acme.owner.get(`/documents/${id}/accesses`)).data
    const own = log.filter(({ user_id }) => user_id === acme.owner.userId)
    expect(own).toMatchObject([{ document_id: id, version: 1, reader_kind: 'user' }])
    expect((await acme.owner.get(`/documents/${id}/content?version=2`)).status).toBe(404)
  })
  it('409 for a change, a version and a deletion, by staff too', async () => {
    const id = await paid()
    for (const by of [acme.owner, acme.staff]) {
      expect((await by.patch(`/documents/${id}`, { name: 'x' })).status).toBe(409)
      expect((await by.delete(`/documents/${id}`)).status).toBe(409)
      expect((await nextVersion(by, id, { content: 'x' })).status).toBe(409)
    }
    const stranger = await member()
    expect((await stranger.delete(`/documents/${id}`)).status).toBe(404)
    expect((await stranger.post(`/documents/${id}/shares`, {})).status).toBe(404)
  })
  it('is shared like any other, and its link stays with those who may read the record', async () => {
    const id = await paid()
    const accountant = await member('finances')
    const { data } = await accountant.post(`/documents/${id}/shares`, { note: 'Audit' })
    const shared = await app.world.anonymous.get(new URL(data.url).pathname.replace('/api/v1', ''))
    expect([shared.status, shared.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect((await accountant.get(`/documents/${id}/shares`)).data).toMatchObject([{ access_count: 1 }])
    const auditor = await acme.member({ scopes: ['documents', 'organization'] })
    expect((await auditor.get('/audit-log?resource=document_share')).data).toEqual([])
    expect((await acme.owner.get('/audit-log?resource=document_share')).data).toHaveLength(1)
  })
  it('503 when its bytes are gone, and nothing else is served instead', async () => {
    const id = await paid()
    const [row] = await app.database.query<{ storage_key: string }>(
      'select storage_key from filed_documents where id = $1',
      [id],
    )
    await rm(join(app.dataDir, 'files', row?.storage_key ?? ''))
    expect((await acme.owner.get(`/documents/${id}/content`)).status).toBe(503)
    expect((await acme.owner.get(`/documents/${uploaded}/content`)).status).toBe(200)
  })
})
