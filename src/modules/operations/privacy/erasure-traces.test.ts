// What an erasure leaves of a person who has changed their name or address, and of others whom it must not touch.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { ERASURE_DAYS: '0' } })
const acme = await app.world.organization()

const query = <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.query<Row>(text, values)

async function eraseDue(): Promise<void> {
  await query(`delete from jobs where kind = 'privacy/erase-due'`)
  await query(`insert into jobs (kind, run_at) values ('privacy/erase-due', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

async function erase(who: Speaker): Promise<string> {
  expect((await who.post('/privacy/erasure')).status).toBe(202)
  await eraseDue()
  const [row] = await query<{ status: string }>('select status from erasures where user_id = $1 order by id desc', [
    who.userId,
  ])
  return row?.status ?? ''
}

/** An entry of somebody else in the organization's log. */
const write = (id: string, after: object, reason: string | null = null) =>
  query(
    `insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, reason, request_id)
     values ($1, $2, 'user', $3, 'Owner', 'updated', 'organization_contact', 1, $4, $5, $6)`,
    [acme.id, app.clock.now, acme.owner.userId, after, reason, id],
  )
const written = async (id: string) =>
  (
    await query<{ after: object; reason: string | null }>(`select after, reason from audit_log where request_id = $1`, [
      id,
    ])
  )[0]

async function renamed(name: string): Promise<Speaker> {
  const who = await acme.member()
  expect((await who.put('/auth/me', { name })).status).toBe(200)
  return who
}

describe('consents at registration', () => {
  const password = 'um cavalo correto'
  const consents = [
    { purpose: 'terms_of_use', version: '2026-11' },
    { purpose: 'privacy_notice', version: 'v3' },
  ]
  it('201: are recorded with the account, as given and from where', async () => {
    const body = { email: 'agrees@agrees.example', password, name: 'A', consents }
    const { data } = await app.world.anonymous.post('/auth/register', body)
    const listed = await app.world.anonymous.get('/privacy/consents', { authorization: `Bearer ${data.access_token}` })
    const expected = consents.map((one) => ({ ...one, is_given: true, source: 'registration', ip: '127.0.0.1' }))
    expect(listed.data.toReversed()).toMatchObject(expected)
  })
  it('202: by an address alone too, and only for a new account', async () => {
    const email = 'mails@agrees.example'
    for (const given of [consents.slice(1), consents])
      expect((await app.world.anonymous.post('/auth/register-email', { email, consents: given })).status).toBe(202)
    const rows = await query('select purpose from consents c join users u on u.id = c.user_id where u.email = $1', [
      email,
    ])
    expect(rows).toEqual([{ purpose: 'privacy_notice' }])
  })
  it('422 with each wrong field, and no account', async () => {
    const email = 'wrong@agrees.example'
    for (const wrong of [
      [consents[0], consents[0]],
      [{ purpose: 'other', version: '1' }],
      [{ purpose: 'terms_of_use' }],
      [{ ...consents[0], is_given: false }],
      'terms_of_use',
      Array.from({ length: 4 }, () => consents[0]),
    ]) {
      const answer = await app.world.anonymous.post('/auth/register', { email, password, name: 'A', consents: wrong })
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})[0]?.split(/[./[]/)[0]]).toEqual([422, 'consents'])
    }
    expect(await query('select id from users where email = $1', [email])).toEqual([])
  })
})

describe('an erasure of a person', () => {
  it('finds names and numbers that the account had before', async () => {
    const who = await renamed('Zoraide Antes')
    await who.put('/auth/me', { phone: '+55 11 90000-0001', avatar: 'https://zoraide.example/a.png' })
    await who.put('/auth/me', { name: 'Zoraide "Depois"', phone: null })
    await who.post('/auth/api-keys', { name: 'ERP of Zoraide "Depois"' })
    expect(await erase(who)).toBe('done')
    const rows = await query<{ row: string }>(
      `select to_jsonb(t)::text as row from service_audit t union all select to_jsonb(t)::text from audit_log t
        union all select to_jsonb(t)::text from users t union all select to_jsonb(t)::text from api_keys t`,
    )
    expect(rows.map(({ row }) => row).filter((row) => /zoraide|90000-0001/i.test(row))).toEqual([])
  })
  it('finds addresses that the account had before, unless another account has them now', async () => {
    const who = await acme.member()
    const changed = (from: string) =>
      query(
        `insert into service_audit (at, actor_kind, actor_id, actor, action, resource, resource_id, details)
         values ($1, 'user', $2, 'x', 'email_changed', 'user', $2, jsonb_build_object('from', $3::text, 'to', 'y@y.example', 'undo_id', 1))`,
        [app.clock.now, who.userId, from],
      )
    const other = await acme.member()
    await changed('old.zoe@zoe.example')
    await changed(other.email)
    await write('earlier', { email: 'Old.Zoe@zoe.example', other: other.email, name: 'Zoe' })
    await acme.owner.post(`/organizations/${acme.id}/contacts`, {
      role: 'legal',
      email: 'old.zoe@zoe.example',
      name: 'Zoe',
    })
    for (const email of ['old.zoe@zoe.example', other.email.toLowerCase()])
      await query(
        `insert into muted_addresses (organization_id, email, kind, created_at) values ($1, $2, 'refund-succeeded', now())`,
        [acme.id, email],
      )
    for (const email of ['old.zoe@zoe.example', other.email.toLowerCase()])
      await query(
        `insert into contact_confirmations (organization_id, email, asked_at) values ($1, $2, now())
         on conflict do nothing`,
        [acme.id, email],
      )
    expect(await erase(who)).toBe('done')
    expect(await query('select email from contact_confirmations')).toEqual([{ email: other.email.toLowerCase() }])
    expect(await query('select email from muted_addresses')).toEqual([{ email: other.email.toLowerCase() }])
    expect((await written('earlier'))?.after).toMatchObject({
      email: `erased-${who.userId}@erased.invalid`,
      other: other.email,
    })
    expect((await acme.owner.get(`/organizations/${acme.id}/contacts`)).data.contacts).toEqual([])
    expect(await query('select addresses from erasures where addresses is not null')).toEqual([])
  })
  it('leaves longer addresses and other people with the same name', async () => {
    const who = await renamed('Ivo Prado')
    const longer = `${who.email}.br`
    await write('longer', { email: longer, name: 'Ivo Prado' })
    await write(
      'named',
      { email: who.email, name: 'Ivo Prado', note: 'Sent to Ivo Prado.' },
      `Ivo Prado <${who.email}> asked`,
    )
    expect(await erase(who)).toBe('done')
    const gone = `erased-${who.userId}@erased.invalid`
    expect(await written('longer')).toEqual({ after: { email: longer, name: 'Ivo Prado' }, reason: null })
    expect(await written('named')).toEqual({
      after: { email: gone, name: 'erased', note: 'Sent to erased.' },
      reason: `erased <${gone}> asked`,
    })
  })
  it('changes no other value that is equal to the name', async () => {
    const who = await renamed('active')
    await write('status', { user_id: who.userId, status: 'active', author_name: 'active' })
    expect(await erase(who)).toBe('done')
    expect((await written('status'))?.after).toEqual({ user_id: who.userId, status: 'active', author_name: 'erased' })
  })
  it('who never proved the address leaves what others have of its owner', async () => {
    const email = 'victim@victim.example'
    await acme.owner.post(`/organizations/${acme.id}/collaborators`, { email, role: 'member' })
    await acme.owner.post(`/organizations/${acme.id}/contacts`, { role: 'legal', email, name: 'Vic' })
    await write('victim', { email })
    const body = { email, password: 'um cavalo correto', name: 'Not Vic' }
    const { data } = await app.world.anonymous.post('/auth/register', body)
    const authorization = `Bearer ${data.access_token}`
    expect((await app.world.anonymous.post('/privacy/erasure', undefined, { authorization })).status).toBe(202)
    await eraseDue()
    expect((await query(`select id from users where email = $1`, [email])).length).toBe(0)
    expect((await query(`select id from collaborators where lower(email) = $1`, [email])).length).toBe(1)
    expect((await acme.owner.get(`/organizations/${acme.id}/contacts`)).data.contacts).toMatchObject([
      { email, name: 'Vic' },
    ])
    expect((await written('victim'))?.after).toEqual({ email })
    expect((await query(`select id from mails where email = $1 and organization_id is null`, [email])).length).toBe(0)
  })
  it('is not held up by an account that took the login or the address of an erased one', async () => {
    const who = await acme.member()
    for (const email of [`erased-${who.userId}@erased.invalid`, `erased-${who.userId}@taken.example`])
      expect(
        (await app.world.anonymous.post('/auth/register', { email, password: 'um cavalo correto', name: 'x' })).status,
      ).toBe(201)
    expect(await erase(who)).toBe('done')
  })
  it('waits for what the person began before', async () => {
    const who = await renamed('Last Word')
    const open = new Client({ connectionString: app.database.url })
    await open.connect()
    await open.query('begin')
    await open.query(
      `insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, request_id)
       values ($1, now(), 'user', $2, 'Last Word', 'updated', 'organization', $1, 'late')`,
      [acme.id, who.userId],
    )
    const erasing = erase(who)
    await until(
      async () =>
        (await query('select 1 from users where id = $1 and disabled_at is not null', [who.userId])).length === 1,
    )
    expect(await query(`select id from erasures where user_id = $1 and status = 'running'`, [who.userId])).toHaveLength(
      1,
    )
    await open.query('commit')
    await open.end()
    expect(await erasing).toBe('done')
    expect(await query(`select actor from audit_log where request_id = 'late'`)).toEqual([{ actor: 'erased' }])
  })
  it('409 for a person who was erased: again, an export, and enabling the account', async () => {
    const who = await acme.member()
    expect(await erase(who)).toBe('done')
    const paths = [`/admin/privacy/users/${who.userId}/erasure`, `/admin/privacy/users/${who.userId}/exports`]
    for (const path of [...paths, `/admin/users/${who.userId}/enable`]) {
      const refused = await acme.staff.post(path)
      expect([refused.status, refused.errors?.reason], path).toEqual([409, 'status_not_allowed'])
    }
  })
})

describe('what the person has said of a ticket', () => {
  it('goes from the log with the comment of the rating; what others said stays', async () => {
    const [who, other] = [await acme.member(), await acme.member()]
    const rated = (by: Speaker) =>
      query(
        `insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, before,
           after, request_id)
         values ($1, $2, 'user', $3, 'Member', 'rated', 'ticket_rating', 1, $4, $5, $6)`,
        [
          acme.id,
          app.clock.now,
          by.userId,
          { rating: null, comment: null },
          { rating: 'bad', comment: 'Nobody called' },
          `rating-${by.userId}`,
        ],
      )
    for (const by of [who, other]) await rated(by)
    expect(await erase(who)).toBe('done')
    expect((await written(`rating-${who.userId}`))?.after).toEqual({ rating: 'bad', comment: null })
    expect((await written(`rating-${other.userId}`))?.after).toEqual({ rating: 'bad', comment: 'Nobody called' })
  })
})
