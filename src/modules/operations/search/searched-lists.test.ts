// `search` of the lists whose records are found by their terms (docs/performance.md).
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { documentOf } from '#test/scenes/documents.ts'
import { subjects } from '#test/scenes/tickets.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const SEGMENT = 2 ** 14
const MOST = 5000

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()

async function entitle(at: Organization, product_name: string, more: object = {}): Promise<number> {
  const body = { class: 'PLG', product_name, organization_id: at.id, company: 'entity_br', ...more }
  const answer = await at.staff.post('/entitlements', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}
/** Entitlements with these ids by SQL, with the terms that the service would write. */
async function entitleMany(at: Organization, product_name: string, ids: string): Promise<void> {
  await app.database.query(
    `with added as (
       insert into entitlements (id, organization_id, code, class, product_name, company)
       select n, $1, 'EDU-190001' || n, 'EDU', $2, 'entity_br' from ${ids} n returning id, product_name)
     insert into search_terms (organization_id, resource, resource_id, field, term)
     select $1, 'entitlement', a.id, 'product_name', t from added a, search_terms_of(a.product_name) t`,
    [at.id, product_name],
  )
}
const found = async (by: Speaker, search: string, more = '', list = '/entitlements') => {
  const answer = await by.get(`${list}?search=${encodeURIComponent(search)}${more}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return { ids: answer.data.map(({ id }: { id: number }) => id), total: answer.meta?.total }
}

describe('search of a list', () => {
  it('200 with the records in which a word begins with the text, newest first', async () => {
    const [one, two] = [await entitle(acme, 'Ação: Backup Pró 50% “off”'), await entitle(acme, 'backup 😀 nandu')]
    const { code } = (await acme.owner.get(`/entitlements/${one}`)).data
    expect(await found(acme.owner, 'BACKUP')).toEqual({ ids: [two, one], total: 2 })
    for (const text of [code, code.slice(4), 'acao', 'AÇÃO', 'ac\u0327a\u0303o', 'backup pro', 'pró 50', '50% “o'])
      expect((await found(acme.owner, text)).ids, text).toEqual([one])
    for (const text of ['😀', 'n', 'ñandu', 'Backup 😀 N']) expect((await found(acme.owner, text)).ids).toEqual([two])
    for (const text of ['ackup', 'backup nandu', '%', '_', "'", '"', '\\', '%x%', '😀😀', 'z'.repeat(200)])
      expect(await found(acme.owner, text), text).toEqual({ ids: [], total: 0 })
    expect((await found(acme.owner, '')).ids).toEqual([two, one])
    expect((await acme.owner.get(`/entitlements?search=${'z'.repeat(201)}`)).status).toBe(422)
  })
  it('200 with the other filters, in pages', async () => {
    const [plg, svc] = [await entitle(acme, 'Filtered'), await entitle(acme, 'Filtered too', { class: 'SVC' })]
    await acme.staff.post(`/entitlements/${plg}/suspend`)
    expect(await found(acme.owner, 'filtered', '&class=SVC')).toEqual({ ids: [svc], total: 1 })
    expect(await found(acme.owner, 'filtered', '&status=suspended')).toEqual({ ids: [plg], total: 1 })
    expect(await found(acme.owner, 'filtered', '&status=suspended&class=SVC')).toEqual({ ids: [], total: 0 })
    expect(await found(acme.owner, 'filtered', '&status=cancelled')).toEqual({ ids: [], total: 0 })
    expect(await found(acme.owner, 'filtered', '&per_page=1')).toEqual({ ids: [svc], total: 2 })
    expect(await found(acme.owner, 'filtered', '&per_page=1&page=2')).toEqual({ ids: [plg], total: 2 })
    expect(await found(acme.owner, 'filtered', '&per_page=1&page=3')).toEqual({ ids: [], total: 2 })
  })
  it('200 with what was renamed by its new name only, and nothing of other organizations', async () => {
    const id = await entitle(acme, 'Girafa')
    await entitle(other, 'Girafa')
    await acme.staff.patch(`/entitlements/${id}`, { product_name: 'Zebra' })
    expect((await found(acme.owner, 'girafa')).ids).toEqual([])
    expect((await found(acme.owner, 'zebra')).ids).toEqual([id])
    expect((await found(other.owner, 'zebra')).ids).toEqual([])
  })
  it('200 in one order over segments of ids, whose borders are part of one each', async () => {
    const at = await app.world.organization()
    const ids = [SEGMENT - 1, SEGMENT, 2 * SEGMENT - 1, 2 * SEGMENT, 5 * SEGMENT + 7, 900 * SEGMENT].map(
      (id) => 10 ** 9 + id,
    )
    const start = Math.ceil(10 ** 9 / SEGMENT) * SEGMENT
    const wanted = [...ids, start - 1, start, start + SEGMENT - 1].toSorted((a, b) => b - a)
    await entitleMany(at, 'Far apart apart', `unnest(array[${wanted.join(', ')}]::bigint[])`)
    await entitleMany(at, 'Between', `generate_series(${start + 1}, ${start + 50})`)
    expect(await found(at.owner, 'apart')).toEqual({ ids: wanted, total: wanted.length })
    for (const page of [1, 2, 3, 5])
      expect((await found(at.owner, 'apart', `&per_page=2&page=${page}`)).ids).toEqual(
        wanted.slice(2 * page - 2, 2 * page),
      )
    expect((await found(at.owner, 'far', '&status=active')).ids).toEqual(wanted)
  })
  it('200 with the newest 5,000', async () => {
    const at = await app.world.organization()
    const first = 2 * 10 ** 9
    await entitleMany(at, 'Plenty', `generate_series(${first}, ${first + MOST + 99})`)
    expect(await found(at.owner, 'plenty', '&per_page=2')).toEqual({
      ids: [first + MOST + 99, first + MOST + 98],
      total: MOST,
    })
    const last = await found(at.owner, 'plenty', '&per_page=100&page=50')
    expect([last.ids.length, last.ids.at(-1)]).toEqual([100, first + 100])
    expect((await found(at.owner, 'plenty', '&per_page=99&page=51')).ids).toHaveLength(MOST - 50 * 99)
    expect(await found(at.owner, 'plenty', '&per_page=100&page=51')).toEqual({ ids: [], total: MOST })
  })
})

describe('search of tickets and documents', () => {
  it('200 of the tickets below a record as well', async () => {
    const { hosting, staging, service } = await subjects(app, acme)
    const open = async (path: string, body: object) => (await acme.staff.post(path, body)).data.id
    const there = await open(`/environments/${staging}/tickets`, { title: 'The campus is slow' })
    const elsewhere = await open('/tickets', { title: 'Campus gone', entitlement_id: hosting, description: 'nowhere' })
    expect((await found(acme.owner, 'campus', '', '/tickets')).ids).toEqual([elsewhere, there])
    expect((await found(acme.owner, 'nowhere', '', '/tickets')).ids).toEqual([])
    expect((await found(acme.owner, 'campus', '', `/environments/${staging}/tickets`)).ids).toEqual([there])
    expect((await found(acme.owner, 'campus', '', `/services/${service}/tickets`)).ids).toEqual([])
    expect((await other.owner.get(`/environments/${staging}/tickets?search=campus`)).status).toBe(404)
  })
  it('200 of documents whom the caller may read, uploaded or archived, until they are deleted', async () => {
    const clerk = await acme.member({ scopes: ['documents'] })
    const hers = await documentOf(clerk, 'Plan of the vault.txt', { visibility: 'readers' })
    const all = await documentOf(clerk, 'Plan for all.txt', {})
    const [archived] = await app.database.query<{ id: number }>(
      `insert into filed_documents (organization_id, resource, resource_id, version, language, file_name, size, sha256, storage_key)
       values ($1, 'invoice', 1, 'open', 'en', 'plan-of-1.pdf', 1, repeat('0', 64), 'x') returning id`,
      [acme.id],
    )
    await app.database.query(
      `insert into search_terms (organization_id, resource, resource_id, field, term)
       select $1, 'filed_document', $2, 'file_name', t from search_terms_of('plan-of-1.pdf') t`,
      [acme.id, archived?.id],
    )
    expect(await found(clerk, 'plan', '', '/documents')).toEqual({ ids: [all, hers], total: 2 })
    const reader = await acme.member({ scopes: ['documents', 'finances'] })
    expect(await found(reader, 'plan', '', '/documents')).toEqual({ ids: [archived?.id, all], total: 2 })
    expect((await clerk.delete(`/documents/${all}`)).status).toBe(200)
    expect(await found(clerk, 'plan', '', '/documents')).toEqual({ ids: [hers], total: 1 })
    const left = await app.database.query(
      `select 1 from search_terms where resource = 'document' and resource_id = $1`,
      [all],
    )
    expect(left).toEqual([])
  })
  it('200 of a segment with many behind a segment with few', async () => {
    const at = await app.world.organization()
    const first = Math.ceil(3e9 / SEGMENT) * SEGMENT
    await app.database.query(
      `with added as (
         insert into filed_documents (id, organization_id, resource, resource_id, version, language, file_name, size, sha256, storage_key)
         select ${first} + n * 25, $1, 'invoice', n, 'open', 'en', 'many-' || n || '.pdf', 1, repeat('0', 64), 'x' || n
           from generate_series(1, 700) n returning id, file_name)
       insert into search_terms (organization_id, resource, resource_id, field, term)
       select $1, 'filed_document', a.id, 'file_name', t from added a, search_terms_of(a.file_name) t`,
      [at.id],
    )
    await app.database.query('analyze')
    expect((await found(at.owner, 'many', '', '/documents')).total).toBe(700)
    expect((await found(at.owner, 'many', '&source=archived', '/documents')).total).toBe(700)
    expect((await found(at.owner, 'many', '&source=archived&per_page=100&page=7', '/documents')).ids).toHaveLength(100)
  })
})
