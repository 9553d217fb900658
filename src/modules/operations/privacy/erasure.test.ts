// The erasure of people (docs/interface/operations.md, Privacy): what goes, what stays, and that the audit logs can
// still be verified.
import { describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../audit/verify-audit.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { until } from '#test/harness/until.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { ERASURE_DAYS: '0' } })
const acme = await app.world.organization()
const other = await app.world.organization()

async function run(kind: string): Promise<void> {
  await app.database.query(`delete from jobs where kind = $1`, [kind])
  await app.database.query(`insert into jobs (kind, run_at) values ($1, $2)`, [kind, app.clock.now])
  await app.service.worker.drain()
}
const erase = () => run('privacy/erase-due')
const verify = () => verifyAudit({ ownerUrl: app.database.url })
/** Transactions of other tests on the same server are waited for. */
const seal = () =>
  until(async () => {
    app.clock.advance(61)
    await run('audit-log/seal')
    return (await verify()).unsealed === 0
  })

const erased = (id: number): string => `erased-${id}@erased.invalid`

/** A member of two organizations who has changed something in both. */
async function person(): Promise<Speaker> {
  const who = await acme.member({ role: 'admin', scopes: ['organization'] })
  await app.database.query(
    `insert into collaborators (organization_id, user_id, email, role, can_manage_org) values ($1, $2, $3, 'admin', true)`,
    [other.id, who.userId, who.email],
  )
  for (const { id } of [acme, other])
    expect((await app.world.inside(who, id).put(`/organizations/${id}`, { phone: `+55 ${who.userId}` })).status).toBe(
      200,
    )
  expect((await who.post('/auth/api-keys', { name: 'ERP' })).status).toBe(201)
  expect((await who.post('/privacy/consents', { purpose: 'product_news', version: '1', is_given: true })).status).toBe(
    201,
  )
  return who
}

const dump = async (): Promise<string> => {
  const tables = await app.database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('events', 'jobs', 'rate_limits')`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) =>
      app.database.query<{ row: string }>(`select '${name} ' || to_jsonb(t)::text as row from ${name} t`),
    ),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

describe('POST /privacy/erasure', () => {
  it('202: the person is gone from everywhere but the events, and the audit logs are still verified', async () => {
    const who = await person()
    const { name } = (await who.get('/auth/me')).data
    const provider = `ldap|${who.userId}-zoe`
    expect((await who.put('/auth/me', { provider })).status).toBe(200)
    await seal()
    const before = await verify()
    const asked = await who.post('/privacy/erasure')
    expect([asked.status, asked.data.status, asked.data.user_id]).toEqual([202, 'scheduled', who.userId])
    expect(asked.data.kept.map((one: { legal_basis: string }) => one.legal_basis)).toContain('legal_obligation')
    const years = new Date(asked.data.due_at)
    years.setUTCFullYear(years.getUTCFullYear() + 5)
    expect(asked.data.kept[0].until).toBe(years.toISOString())
    expect(await dump()).toContain(who.email)
    await erase()
    expect((await who.get('/auth/me')).status).toBe(401)
    const left = await dump()
    for (const word of [who.email, name, provider])
      expect(left.split('\n').filter((row) => row.includes(word))).toEqual([])
    expect(left).toContain('person_erased')
    const { data } = await acme.owner.get(`/audit-log?actor_id=${who.userId}`)
    expect(data.length).toBeGreaterThan(0)
    for (const entry of data) expect([entry.actor, entry.ip]).toEqual(['erased', null])
    await seal()
    const after = await verify()
    expect(after.problems).toEqual([])
    expect(after.redacted).toBeGreaterThan(2)
    expect(await verifyAudit({ ownerUrl: app.database.url, checkpoint: before.chains })).toMatchObject({ problems: [] })
  })
  it('what is left of an entry cannot be changed either', async () => {
    const [entry] = await app.database.query<{ organization_id: number; entry_id: number }>(
      'select organization_id, entry_id from audit_redactions order by entry_id limit 1',
    )
    const change = (reason: string | null) =>
      app.database.query('update audit_log set reason = $1 where organization_id = $2 and id = $3', [
        reason,
        entry?.organization_id,
        entry?.entry_id,
      ])
    await change('forged')
    const { problems } = await verify()
    expect(problems).toMatchObject([{ entry_id: Number(entry?.entry_id), finding: 'changed' }])
    await change(null)
    expect((await verify()).problems).toEqual([])
  })
  it('erases a second person from an entry about both', async () => {
    const [first, second] = [await person(), await person()]
    expect(
      (await first.post('/privacy/consents', { purpose: 'privacy_notice', version: '1', is_given: true })).status,
    ).toBe(201)
    await app.database.query(
      `insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, request_id)
       values ($1, $2, 'user', $3, 'One', 'updated', 'collaborator', 1, jsonb_build_object('note', $4::text), 'x')`,
      [acme.id, app.clock.now, first.userId, `${first.email}, ${second.email.toUpperCase()}; x${second.email}`],
    )
    await seal()
    for (const who of [first, second]) expect((await who.post('/privacy/erasure')).status).toBe(202)
    await erase()
    const [row] = await app.database.query<{ after: { note: string } }>(
      `select after from audit_log where request_id = 'x'`,
    )
    expect(row?.after.note).toBe(`${erased(first.userId)}, ${erased(second.userId)}; x${second.email}`)
    expect((await verify()).problems).toEqual([])
  })
  it('409 for one of two at once', async () => {
    const who = await acme.member()
    const answers = await Promise.all([who.post('/privacy/erasure'), who.post('/privacy/erasure')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
    expect((await who.get('/privacy/erasure')).data.status).toBe('scheduled')
    expect((await acme.owner.get('/privacy/erasure')).status).toBe(404)
  })
  it('409 for an owner until the organization is deleted', async () => {
    const mine = await app.world.organization()
    const refused = await mine.owner.post('/privacy/erasure')
    expect([refused.status, refused.errors?.reason]).toEqual([409, 'last_owner'])
    expect((await mine.owner.delete(`/organizations/${mine.id}`)).status).toBe(200)
    expect((await mine.owner.post('/privacy/erasure')).status).toBe(202)
    await erase()
    expect((await mine.owner.get('/auth/me')).status).toBe(401)
  })
  it('409 for the last administrator', async () => {
    const refused = await acme.staff.post('/privacy/erasure')
    expect([refused.status, refused.errors?.reason]).toEqual([409, 'last_administrator'])
  })
  it('waits, and says why, when the person has become an owner since', async () => {
    const mine = await app.world.organization()
    const who = await mine.member({ role: 'admin', scopes: ['organization'] })
    await who.post('/privacy/erasure')
    const give = async (from: Speaker, to: Speaker) => {
      const { data } = await from.get(`/organizations/${mine.id}/collaborators`)
      const { id } = data.find((one: { user_id: number }) => one.user_id === to.userId)
      const answer = await from.post(`/organizations/${mine.id}/transfer-ownership`, { collaborator_id: id })
      expect(answer.status, answer.raw.body).toBe(200)
    }
    await give(mine.owner, who)
    await erase()
    const { data } = await who.get('/privacy/erasure')
    expect(data).toMatchObject({ status: 'scheduled', problem: expect.stringContaining(`organization ${mine.id}`) })
    await give(who, mine.owner)
    const statusOf = async () => (await app.database.query('select status from erasures where id = $1', [data.id]))[0]
    expect(data.due_at).toBe(new Date(app.clock.now.getTime() + 86_400_000).toISOString())
    await erase()
    expect(await statusOf()).toEqual({ status: 'scheduled' })
    await app.database.query('update erasures set due_at = $1 where id = $2', [app.clock.now, data.id])
    await erase()
    expect(await statusOf()).toEqual({ status: 'done' })
  })
})

describe('an erasure', () => {
  it('can be cancelled until it begins, by the person, who got a mail', async () => {
    const who = await (await app.world.organization()).member()
    await who.post('/privacy/erasure')
    await app.database.query(`update erasures set due_at = $1 where user_id = $2`, [
      new Date(app.clock.now.getTime() + 1),
      who.userId,
    ])
    await erase()
    expect((await mailsTo(app, who.email)).map(({ subject }) => subject)).toEqual([
      'Your Titular account will be erased',
    ])
    expect((await who.post('/privacy/erasure/cancel')).data.status).toBe('cancelled')
    const again = await who.post('/privacy/erasure/cancel')
    expect([again.status, again.errors?.reason]).toEqual([409, 'status_not_allowed'])
    app.clock.advance(1)
    await erase()
    expect((await who.get('/auth/me')).status).toBe(200)
    expect((await who.post('/privacy/erasure')).status).toBe(202)
  })
  it('is requested and cancelled by staff with the scope users', async () => {
    const { userId } = await acme.member()
    const path = `/admin/privacy/users/${userId}/erasure`
    const support = await acme.staffAs('support')
    expect((await support.post(path)).status).toBe(403)
    expect((await acme.staff.post(path)).data).toMatchObject({ user_id: userId, status: 'scheduled' })
    expect((await acme.staff.post(path)).status).toBe(409)
    expect((await support.get(`/admin/privacy/erasures?user_id=${userId}`)).data).toHaveLength(1)
    expect((await acme.staff.post(`${path}/cancel`)).data.status).toBe('cancelled')
    expect((await acme.staff.post(`${path}/cancel`)).status).toBe(409)
    expect((await acme.staff.post('/admin/privacy/users/999999/erasure')).status).toBe(404)
  })
  it('goes on while an export of the organization is made', async () => {
    const mine = await app.world.organization()
    const who = await mine.member()
    await mine.owner.post('/privacy/organization-exports')
    await who.post('/privacy/exports')
    await who.post('/privacy/erasure')
    await erase()
    expect((await who.get('/auth/me')).status).toBe(401)
    expect((await mine.owner.get('/privacy/organization-exports')).data[0].status).toBe('completed')
    // Whichever of the two jobs came first, nobody waits for the file.
    await run('privacy/give-up-exports')
    const [file] = await app.database.query('select status from person_exports where user_id = $1', [who.userId])
    expect(file?.['status']).not.toBe('queued')
  })
})

describe('consents', () => {
  it('201: each is added and none changes; the latest counts', async () => {
    const who = await acme.member()
    for (const is_given of [true, false])
      expect(
        (await who.post('/privacy/consents', { purpose: 'terms_of_use', version: '2026-11', is_given })).status,
      ).toBe(201)
    const { data } = await who.get('/privacy/consents')
    expect(data.map((one: { is_given: boolean }) => one.is_given)).toEqual([false, true])
    expect((await acme.owner.get('/privacy/consents')).data).toEqual([])
    const bad = await who.post('/privacy/consents', { purpose: 'other', version: '', is_given: 'yes' })
    expect([bad.status, Object.keys(bad.errors?.fields ?? {})]).toEqual([422, ['purpose', 'version', 'is_given']])
  })
  it('200: the purposes, for anybody, in both languages', async () => {
    const { data, meta } = await app.world.anonymous.get('/privacy/purposes?per_page=100')
    expect(meta).toEqual({ page: 1, per_page: 100, total: data.length, pages: 1 })
    const second = await app.world.anonymous.get('/privacy/purposes?per_page=1&page=2')
    expect(second.data).toEqual([data[1]])
    expect(data.find((one: { purpose: string }) => one.purpose === 'product_news')).toEqual({
      purpose: 'product_news',
      legal_basis: 'consent',
      law: 'LGPD, art. 7, I',
      description: { 'pt-BR': expect.stringContaining('consentimento'), en: expect.stringContaining('consent') },
    })
  })
})
