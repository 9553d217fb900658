// Archived documents: stored when their record becomes final, and then served with the same bytes or not at all.
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { multipart } from '#test/harness/multipart.ts'
import { openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { subjects } from '#test/scenes/tickets.ts'

type Filed = {
  id: number
  resource: string
  resource_id: number
  version: string
  language: string
  file_name: string
  size: number
  sha256: string
  storage_key: string
}

const app = await appOfFile({ environment: { FILES_QUOTA_COUNT: '1' } })
const acme = await app.world.organization({ name: 'Açaí & Cia' })
const buyer = await buyerOf(acme)

const archivedOf = (resource: string, id: number): Promise<Filed[]> =>
  app.database.query('select * from filed_documents where resource = $1 and resource_id = $2 order by id', [
    resource,
    id,
  ])
const placeOf = ({ storage_key }: Filed): string => join(app.dataDir, 'files', ...storage_key.split('/'))
const pdf = (path: string, language = 'pt-BR') => buyer.get(`${path}/pdf`, { 'accept-language': language })
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Archiving is delayed, so that jobs that users wait for run first. */
async function work(): Promise<void> {
  await app.service.worker.drain()
  app.clock.advance(6)
  await app.service.worker.drain()
}

async function accepted(): Promise<number> {
  const id = await sentQuote(acme)
  expect((await buyer.post(`/quotes/${id}/accept`)).status).toBe(200)
  return id
}
async function activeContract(): Promise<number> {
  const body = { title: 'Manutenção', start_date: '2026-01-01', end_date: '2099-12-31', terms: 'Cláusula primeira.' }
  const { data } = await acme.staff.post('/contracts', body)
  await acme.staff.post(`/contracts/${data.id}/status`, { status: 'active' })
  return data.id
}

describe('a quote that is accepted', () => {
  it('is archived in both languages, and served unchanged whatever changes afterwards', async () => {
    const id = await accepted()
    const renderedLive = await pdf(`/quotes/${id}`)
    await work()
    const archived = await archivedOf('quote', id)
    expect(archived.map(({ version, language }) => [version, language])).toEqual([
      ['accepted', 'pt-BR'],
      ['accepted', 'en'],
    ])
    for (const one of archived) {
      const answer = await pdf(`/quotes/${id}`, one.language)
      expect(answer.status).toBe(200)
      expect(hashOf(answer.data)).toBe(one.sha256)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(one.size),
        'repr-digest': `sha-256=:${Buffer.from(one.sha256, 'hex').toString('base64')}:`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
    }
    expect(Buffer.compare((await pdf(`/quotes/${id}`)).data, renderedLive.data)).toBe(0)
    await acme.owner.patch('/organization', { name: 'Outro nome' })
    await app.database.query(`update organizations set name = 'Outro nome', legal_name = null where id = $1`, [acme.id])
    await app.database.query(`update quotes set status = 'paid', updated_at = now() where id = $1`, [id])
    const later = await pdf(`/quotes/${id}`)
    expect(Buffer.compare(later.data, renderedLive.data)).toBe(0)
    expect(textOn(later.data).join()).toContain('Açaí & Cia')
  })
  it('is not archived while it may still change, and archived again when it is cancelled', async () => {
    const open = await sentQuote(acme)
    await work()
    expect(await archivedOf('quote', open)).toEqual([])
    const id = await accepted()
    await work()
    expect((await acme.staff.post(`/quotes/${id}/cancel`)).status).toBe(200)
    await work()
    expect((await archivedOf('quote', id)).map(({ version }) => version)).toEqual([
      'accepted',
      'accepted',
      'cancelled',
      'cancelled',
    ])
    expect(hashOf((await pdf(`/quotes/${id}`)).data)).toBe((await archivedOf('quote', id))[2]?.sha256)
  })
  it('is archived once, however often the job runs', async () => {
    const id = await accepted()
    await work()
    const archived = await archivedOf('quote', id)
    for (let again = 0; again < 2; again++)
      await app.database.query(
        `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'filed-documents/file-quote', $2, $3)`,
        [acme.id, JSON.stringify({ resource_id: id }), app.clock.now],
      )
    await work()
    expect(await archivedOf('quote', id)).toEqual(archived)
    expect(await app.database.query(`select kind from jobs where kind like 'archived-documents/%'`)).toEqual([])
  })
})

describe('a contract', () => {
  it('is archived when it comes into force, by hand or as a renewal, and when it ends', async () => {
    const id = await activeContract()
    await work()
    expect((await archivedOf('contract', id)).map(({ version }) => version)).toEqual(['active', 'active'])
    const before = (await pdf(`/contracts/${id}`)).data
    await acme.staff.post(`/contracts/${id}/status`, { status: 'suspended' })
    expect(Buffer.compare((await pdf(`/contracts/${id}`)).data, before)).toBe(0)
    await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
    const renewal = { end_date: '2110-12-31' }
    const { data: successor } = await acme.staff.post(`/contracts/${id}/renew`, renewal)
    await work()
    expect((await archivedOf('contract', successor.id)).map(({ version }) => version)).toEqual(['active', 'active'])
    expect((await archivedOf('contract', id)).map(({ version }) => version)).toEqual([
      'active',
      'active',
      'renewed',
      'renewed',
    ])
    expect(textOn((await pdf(`/contracts/${id}`, 'en')).data).join()).toContain('Renewed')
  })
  it('is not archived as a draft, even when it is cancelled', async () => {
    const { data } = await acme.staff.post('/contracts', { title: 'Rascunho', start_date: '2026-01-01' })
    await acme.staff.post(`/contracts/${data.id}/status`, { status: 'cancelled' })
    await work()
    expect(await archivedOf('contract', data.id)).toEqual([])
  })
})

describe('archived bytes', () => {
  it('503 when they are changed or missing, instead of rendering them again', async () => {
    const id = await activeContract()
    await work()
    const [archived] = await archivedOf('contract', id)
    if (!archived) throw new Error('nothing was archived')
    const other = (await pdf(`/contracts/${id}`, 'en')).data
    for (const damage of [
      () => writeFile(placeOf(archived), Buffer.alloc(archived.size)),
      () => writeFile(placeOf(archived), Buffer.alloc(archived.size + 100_000)),
      () => writeFile(placeOf(archived), ''),
      () => rm(placeOf(archived)),
    ]) {
      await damage()
      const from = app.log.length
      const answer = await pdf(`/contracts/${id}`)
      expect(answer.status).toBe(503)
      expect(JSON.stringify(answer.raw.body)).not.toContain(archived.storage_key)
      expect(app.log.slice(from).join('')).toContain(`the file of the archived document ${archived.id} is`)
    }
    expect(Buffer.compare((await pdf(`/contracts/${id}`, 'en')).data, other)).toBe(0)
  })
  it('do not count towards the organization’s storage, and are never removed', async () => {
    const id = await activeContract()
    await work()
    const { hosting } = await subjects(app, acme)
    const ticket = await acme.owner.post('/tickets', { title: 'A file', entitlement_id: hosting })
    const { body, headers } = multipart({ fileName: 'a.txt', content: 'a' })
    expect((await acme.owner.post(`/tickets/${ticket.data.id}/attachments`, body, headers)).status).toBe(201)
    app.clock.advance(3 * 3600)
    await work()
    expect((await pdf(`/contracts/${id}`)).status).toBe(200)
    const claims = await app.database.query(`select id from jobs where kind = 'files/remove'`)
    expect(claims).toEqual([])
  })
  it('are written by a retry when the store is unavailable', async () => {
    const { files } = app.service.ports
    const { put } = files
    const id = await activeContract()
    files.put = () => Promise.reject(new Error('the store is away'))
    await work()
    expect(await archivedOf('contract', id)).toEqual([])
    expect((await pdf(`/contracts/${id}`)).status).toBe(200)
    files.put = put
    app.clock.advance(10)
    await work()
    expect(await archivedOf('contract', id)).toHaveLength(2)
    // Bytes that the failed attempt may have left are removed.
    app.clock.advance(3 * 3600)
    await work()
    expect((await pdf(`/contracts/${id}`)).status).toBe(200)
  })
  it('cannot be changed or deleted by the service’s database role', async () => {
    const { rows } = await app.database
      .query<{ rows: number }>(
        `select count(*)::int as rows from information_schema.role_table_grants
        where table_name = 'filed_documents' and grantee in ('titular_app', 'titular_system') and privilege_type in ('UPDATE', 'DELETE')`,
      )
      .then(([row]) => row ?? { rows: -1 })
    expect(rows).toBe(0)
  })
})

describe('an invoice and its credit note', () => {
  it('are archived when the one is paid and the other issued', async () => {
    const clerk = await acme.member({ scopes: ['finances'] })
    const id = await openInvoice(app, acme)
    await work()
    expect(await archivedOf('invoice', id)).toEqual([])
    await payInvoice(acme, id)
    await work()
    const [paid] = await archivedOf('invoice', id)
    expect(paid?.version).toBe('paid')
    const before = await clerk.get(`/invoices/${id}/pdf`, { 'accept-language': 'pt-BR' })
    expect(hashOf(before.data)).toBe(paid?.sha256)
    const { data: note } = await acme.staff.post(`/invoices/${id}/credit-notes`, {
      amount: '10.00',
      reason: 'Desconto',
    })
    await work()
    const archived = await archivedOf('credit_note', note.id)
    expect(archived.map(({ version, language }) => [version, language])).toEqual([
      ['issued', 'pt-BR'],
      ['issued', 'en'],
    ])
    const served = await clerk.get(`/credit-notes/${note.id}/pdf`, { 'accept-language': 'en' })
    expect(hashOf(served.data)).toBe(archived[1]?.sha256)
    // The later credit note has its own document.
    const after = await clerk.get(`/invoices/${id}/pdf`, { 'accept-language': 'pt-BR' })
    expect(Buffer.compare(after.data, before.data)).toBe(0)
  })
})
