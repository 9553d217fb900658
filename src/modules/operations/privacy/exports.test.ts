// Exports of people and of organizations (docs/interface/operations.md, Privacy).
import { describe, expect, it } from 'vitest'
import type { Files } from '#ports/files.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import { exported, follow, OF_ORGANIZATION, OF_PERSON, readExport, rowsOf } from '#test/scenes/exports.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Padaria "São João" 🥖' })
const other = await app.world.organization()
await createRecords(app, acme)
await createRecords(app, other)

async function removeExpired(): Promise<void> {
  await app.database.query(`delete from jobs where kind = 'privacy/remove-exports'`)
  await app.database.query(`insert into jobs (kind, run_at) values ('privacy/remove-exports', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

async function drainAfter(seconds: number): Promise<void> {
  app.clock.advance(seconds)
  await app.service.worker.drain()
}

async function giveUp(): Promise<void> {
  await app.database.query(`insert into jobs (kind, run_at) values ('privacy/give-up-exports', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

const both = [
  ['a person', OF_PERSON],
  ['an organization', OF_ORGANIZATION],
] as const

describe.each(both)('an export of %s', (_, paths) => {
  it('202 and a file that a link leads to, without credentials, until the link or the file has expired', async () => {
    const file = await exported(app, acme.owner, paths)
    const { data } = await acme.owner.get(`${paths.request}/${file.id}`)
    expect(data).toMatchObject({ status: 'completed', requested_by: acme.owner.userId, size: expect.any(Number) })
    expect((await acme.owner.get(paths.request)).data[0]).toEqual(data)
    const link = (await acme.owner.post(paths.link(file.id))).data
    expect((await follow(app, `${link.url.slice(0, -1)}x`)).status).toBe(404)
    app.clock.advance(16 * 60)
    expect((await follow(app, link.url)).status).toBe(404)
    const late = (await acme.owner.post(paths.link(file.id))).data
    const table = paths === OF_PERSON ? 'person_exports' : 'organization_exports'
    for (const [ms, status] of [
      [1, 200],
      [0, 404],
    ] as const) {
      const end = new Date(app.clock.now.getTime() + ms)
      await app.database.query(`update ${table} set expires_at = $1 where id = $2 and status = 'completed'`, [
        end,
        file.id,
      ])
      await removeExpired()
      expect((await follow(app, late.url)).status, `${ms} ms before its end`).toBe(status)
    }
    const gone = await acme.owner.post(paths.link(file.id))
    expect([gone.status, gone.errors?.reason]).toEqual([409, 'status_not_allowed'])
    expect((await acme.owner.get(`${paths.request}/${file.id}`)).data.status).toBe('expired')
  })
  it('ends as failed once its job is a dead letter, and is written when that is restarted', async () => {
    const org = await app.world.organization()
    const files: Files = app.service.ports.files
    const { put } = files
    files.put = () => Promise.reject(new Error('the disk is full'))
    const { data } = await org.owner.post(paths.request)
    for (let attempt = 0; attempt < 10; attempt++) await drainAfter(3600)
    files.put = put
    await giveUp()
    const asked = () => org.owner.get(`${paths.request}/${data.id}`)
    expect((await asked()).data).toMatchObject({ status: 'failed', ended_at: expect.any(String), expires_at: null })
    const again = await org.owner.post(paths.request)
    expect(again.status).toBe(202)
    await giveUp()
    expect((await org.owner.get(`${paths.request}/${again.data.id}`)).data.status).toBe('completed')
    const [letter] = (await org.staff.get('/admin/jobs')).data
    expect((await org.staff.post(`/admin/jobs/${letter.id}/retry`)).status).toBe(200)
    await app.service.worker.drain()
    expect((await asked()).data.status).toBe('completed')
  })
  it('409 while another one is being made, also of two at once', async () => {
    const answers = await Promise.all([other.owner.post(paths.request), other.owner.post(paths.request)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
    const [id] = answers.flatMap(({ status, data }) => (status === 202 ? [data.id] : []))
    expect((await other.owner.post(paths.link(id))).status).toBe(409)
    await app.service.worker.drain()
    expect((await other.owner.post(paths.link(id))).status).toBe(200)
  })
  it('404 for somebody else’s', async () => {
    const { id } = await exported(app, acme.owner, paths)
    for (const path of [`${paths.request}/${id + 100}`, `${paths.request}/${id}`])
      expect((await (path.endsWith(`/${id}`) ? other.owner : acme.owner).get(path)).status).toBe(404)
    expect((await other.owner.post(paths.link(id))).status).toBe(404)
  })
})

describe('the file of an organization', () => {
  it('has its records and nobody else’s, as the owner may see them', async () => {
    const file = await exported(app, acme.owner, OF_ORGANIZATION)
    expect(file.head).toEqual({ export: { organization_id: acme.id, taken_at: expect.any(String), format: 1 } })
    for (const table of ['invoices', 'orders', 'licenses', 'tickets', 'audit_log', 'collaborators'])
      expect(rowsOf(file, table).length, table).toBeGreaterThan(0)
    expect(rowsOf(file, 'organizations').map(({ name }) => name)).toEqual(['Padaria "São João" 🥖'])
    expect(rowsOf(file, 'invoices')[0]?.['total']).toBeDefined()
    expect(file.text).toContain('"total": 100.00')
    const owners = new Set(file.rows.map(({ record }) => record['organization_id'] ?? acme.id))
    expect([...owners]).toEqual([acme.id])
    expect(file.text).not.toContain(other.name)
  })
  it('has no drafts and no internal notes', async () => {
    const before = rowsOf(await exported(app, acme.owner, OF_ORGANIZATION), 'quotes').length
    await app.database.query(
      `insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, line_items, valid_until)
       select organization_id, 'draft', company, currency, subtotal, tax_total, total, line_items, valid_until from quotes where organization_id = $1 limit 1`,
      [acme.id],
    )
    await app.database.query(
      `insert into ticket_comments (organization_id, ticket_id, body, internal, by_staff, author_id, author_name)
       select organization_id, id, 'between us', true, true, created_by, 'Staff' from tickets where organization_id = $1 limit 1`,
      [acme.id],
    )
    await app.database.query(
      `insert into audit_log (organization_id, at, actor_kind, actor, action, resource, resource_id, before, after, request_id)
       values ($1, $2, 'system', 'system', 'finalized', 'invoice', 1, '{"status": "draft", "notes": "ours"}', '{"status": "open"}', 'x')`,
      [acme.id, app.clock.now],
    )
    const file = await exported(app, acme.owner, OF_ORGANIZATION)
    expect(rowsOf(file, 'quotes')).toHaveLength(before)
    expect(rowsOf(file, 'events')).toEqual([])
    const finalized = rowsOf(file, 'audit_log').filter((one) => one['action'] === 'finalized')
    expect(finalized).toMatchObject([{ resource: 'invoice', before: null, after: { status: 'open' } }])
    expect(file.text).not.toContain('between us')
  })
  it('403 for others than the owner, 200 for staff, who get the same', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    expect((await admin.post(OF_ORGANIZATION.request)).status).toBe(403)
    expect((await (await acme.staffAs('support')).post(OF_ORGANIZATION.request)).status).toBe(403)
    const file = await exported(app, acme.staff, OF_ORGANIZATION)
    expect(file.text).not.toContain('between us')
  })
  it('is as of one moment while rows are removed', async () => {
    const count = 3000
    await app.database.query(
      `insert into milestones (organization_id, service_id, title)
       select organization_id, service_id, 'Many' from milestones, generate_series(1, $2::int) where organization_id = $1`,
      [other.id, count],
    )
    const asked = await other.owner.post(OF_ORGANIZATION.request)
    const made = app.service.worker.drain()
    await app.database.query(`delete from milestones where organization_id = $1 and title = 'Many'`, [other.id])
    await made
    const link = await other.owner.post(OF_ORGANIZATION.link(asked.data.id))
    const many = rowsOf(readExport(await follow(app, link.data.url)), 'milestones').filter(
      ({ title }) => title === 'Many',
    )
    expect([0, count]).toContain(many.length)
  })
})

describe('the file of a person', () => {
  it('has what is about them in all their organizations, and of others’ records only which', async () => {
    const member = await acme.member({ scopes: ['tickets'] })
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role) values ($1, $2, $3, 'member')`,
      [other.id, member.userId, member.email],
    )
    await app.database.query(
      `insert into ticket_comments (organization_id, ticket_id, body, internal, by_staff, author_id, author_name)
      select organization_id, id, 'my words', false, false, $2, 'Me' from tickets where organization_id = $1 limit 1`,
      [acme.id, member.userId],
    )
    const file = await exported(app, member, OF_PERSON)
    expect(rowsOf(file, 'users')[0]).toMatchObject({ id: member.userId, email: member.email })
    expect(rowsOf(file, 'collaborators').map((one) => one['organization_id'])).toEqual([acme.id, other.id])
    expect(rowsOf(file, 'ticket_comments').map(({ body }) => body)).toEqual(['my words'])
    expect(rowsOf(file, 'service_audit').map(({ action }) => action)).toContain('export_requested')
    const references = rowsOf(await exported(app, acme.owner, OF_PERSON), 'organizations')
    const reference = { id: acme.id, organization_id: acme.id, owner_id: acme.owner.userId }
    expect(references).toEqual([{ ...reference, created_at: expect.any(String) }])
  })
  it('staff make it for the person, with the scope users', async () => {
    const { userId } = await acme.member()
    const path = `/admin/privacy/users/${userId}/exports`
    const support = await acme.staffAs('support')
    expect((await support.post(path)).status).toBe(403)
    const asked = await acme.staff.post(path)
    expect([asked.status, asked.data.user_id]).toEqual([202, userId])
    await app.service.worker.drain()
    expect((await support.get(`/admin/privacy/exports?user_id=${userId}`)).data).toHaveLength(1)
    const link = await acme.staff.post(`/admin/privacy/exports/${asked.data.id}/link`)
    expect((await follow(app, link.data.url)).status).toBe(200)
    expect((await acme.staff.post('/admin/privacy/users/999999/exports')).status).toBe(404)
    expect((await acme.staff.post('/admin/privacy/exports/999999/link')).status).toBe(404)
  })
})

describe('an export', () => {
  it('never has a secret', async () => {
    const secrets = await app.database.query<{ secret: string }>(`
      select encode(secret_digest, 'hex') as secret from api_keys union select consumer_key from api_keys
      union select encode(token_digest, 'hex') from quote_links union select encode(token_digest, 'hex') from document_shares
      union select storage_key from document_versions union select storage_key from filed_documents
      union select storage_key from ticket_attachments`)
    expect(secrets.length).toBeGreaterThan(5)
    const texts = [
      (await exported(app, acme.owner, OF_ORGANIZATION)).text,
      (await exported(app, acme.owner, OF_PERSON)).text,
    ]
    for (const { secret } of secrets) for (const text of texts) expect(text).not.toContain(secret)
  })
})
