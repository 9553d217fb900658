import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { MOST_FROM_ALL, MOST_INVITES, MOST_TO_ONE_ADDRESS } from '#modules/messages/mails/stranger-limits.ts'
import { address, admin, at, idOf } from '#test/scenes/collaborators.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()

describe('POST /organizations/{id}/collaborators', () => {
  it('201 with a pending record and a mail in the recipient’s language', async () => {
    const org = await app.world.organization({ name: 'Ação “Ltda.”', country: 'BR' })
    const email = address()
    const answer = await org.owner.post(at(org), { email, role: 'admin', can_manage_quotes: true })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      email,
      role: 'pending',
      invited_role: 'admin',
      status: 'invited',
      invite_status: 'pending',
      user_id: null,
      name: null,
      parent_user_id: org.owner.userId,
      can_manage_quotes: true,
      can_manage_org: false,
    })
    expect(JSON.stringify(answer.data)).not.toMatch(/digest|nonce|token/)
    await app.service.worker.drain()
    const mails = await app.service.sandbox?.mail?.list()
    const mail = mails?.find(({ to }) => to === email)
    expect(mail?.subject).toContain('Ação “Ltda.”')
    expect(mail?.subject).toMatch(/convi/i)
    const read = await app.service.sandbox?.mail?.read(mail?.name ?? '')
    expect(read?.text).toMatch(/\/invites\?token=[\w-]{43}/)
    const token = /token=([\w-]{43})/.exec(read?.text ?? '')?.[1] ?? 'none'
    const traces = await app.database.query(
      `select (select count(*) from audit_log where (before::text || after::text) like $1)
            + (select count(*) from events where data::text like $1)
            + (select count(*) from jobs where payload::text like $1) + (select count(*) from collaborators c where c::text like $1) as found`,
      [`%${token}%`],
    )
    expect(traces).toEqual([{ found: 0 }])
    const events = await app.database.query(`select data from events where organization_id = $1`, [org.id])
    expect(JSON.stringify(events)).not.toMatch(/invite_digest|invite_nonce/)
  })
  it('201 mails in English when the organization is not in Brazil, and in the user’s own language when it is known', async () => {
    const org = await app.world.organization({ country: 'Portugal' })
    const [unknown, known] = [address(), await app.world.user()]
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [known.userId])
    await org.owner.post(at(org), { email: unknown })
    await org.owner.post(at(org), { email: known.email.toUpperCase() })
    await app.service.worker.drain()
    const mails = (await app.service.sandbox?.mail?.list()) ?? []
    expect(mails.find(({ to }) => to === unknown)?.subject).toMatch(/^You are invited/)
    expect(mails.find(({ to }) => to.toLowerCase() === known.email)?.subject).toMatch(/convi/i)
  })
  it('409 for an existing collaborator, however the address is written, and for a pending invite', async () => {
    const org = await app.world.organization()
    const member = await org.member()
    expect((await org.owner.post(at(org), { email: member.email.toUpperCase() })).status).toBe(409)
    const email = address()
    expect((await org.owner.post(at(org), { email })).status).toBe(201)
    expect((await org.owner.post(at(org), { email: email.toUpperCase() })).status).toBe(409)
    await app.database.query(`update users set email = $1 where id = $2`, [address(), member.userId])
    const [moved] = await app.database.query<{ email: string }>(`select email from users where id = $1`, [
      member.userId,
    ])
    expect((await org.owner.post(at(org), { email: moved?.email })).status).toBe(409)
  })
  it('201 for one of many invites to the same address at once', async () => {
    const org = await app.world.organization()
    const email = address()
    const answers = await Promise.all([1, 2, 3, 4].map(() => org.owner.post(at(org), { email })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409])
  })
  it('403 for a role at or above the caller’s own, a scope that the caller lacks, and roles that only staff give', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const invite = (speaker: Speaker, body: object) => speaker.post(at(org), { email: address(), ...body })
    expect((await invite(who, { role: 'admin' })).status).toBe(403)
    const lacking = await invite(who, { can_manage_finances: true })
    expect([lacking.status, lacking.message]).toEqual([403, 'The scope finances is not yours to grant'])
    expect((await invite(who, { can_manage_quotes: true, can_manage_org: true })).status).toBe(201)
    expect((await invite(org.owner, { role: 'guest' })).status).toBe(403)
    expect((await invite(org.owner, { role: 'owner' })).status).toBe(403)
    expect((await invite(org.staff, { role: 'guest' })).status).toBe(201)
    expect((await invite(org.staff, { role: 'owner' })).status).toBe(409)
    expect((await invite(await org.member({ scopes: ['organization'] }), {})).status).toBe(403)
    const withoutScope = await org.member({ role: 'admin', scopes: ['quotes'] })
    expect((await invite(withoutScope, {})).message).toBe('Scope not authorized: organization')
  })
  it('422 for an invalid address, an unknown role and an unknown field', async () => {
    const org = await app.world.organization()
    const { errors } = await org.owner.post(at(org), { email: 'x', role: 'pending', user_id: 1, can_manage_org: 'yes' })
    expect(Object.keys(errors?.fields ?? {}).toSorted()).toEqual(['can_manage_org', 'email', 'role', 'user_id'])
    const backward = { started_at: '2027-01-02T00:00:00.000Z', expired_at: '2027-01-01T00:00:00.000Z' }
    expect((await org.owner.post(at(org), { email: address(), ...backward })).errors?.fields).toHaveProperty(
      'expired_at',
    )
  })
  it('422 for an access that is over already: nobody is mailed', async () => {
    const org = await app.world.organization()
    const email = address()
    const { errors } = await org.owner.post(at(org), { email, expired_at: app.clock.now.toISOString() })
    expect(errors?.fields).toEqual({ expired_at: 'must be in the future' })
    expect(await mailsTo(app, email)).toEqual([])
  })
  it('422 for an owner with an end, which nobody could prolong', async () => {
    const org = await app.world.organization()
    const body = { email: address(), role: 'owner', expired_at: '2030-01-01T00:00:00Z' }
    for (const by of [org.staff, org.owner]) {
      const { errors } = await by.post(at(org), body)
      expect(errors?.fields).toEqual({ expired_at: 'must be null for an owner' })
    }
    expect((await org.staff.post(at(org), { ...body, expired_at: null })).errors?.reason).toBe('owner_exists')
  })
})

describe('POST /organizations/{id}/collaborators/{collaborator_id}/resend-invite', () => {
  it('200 with another token and seven more days; 409 once accepted', async () => {
    const org = await app.world.organization()
    const { data } = await org.owner.post(at(org), { email: address() })
    const digest = async () =>
      (await app.database.query(`select invite_digest, invite_nonce from collaborators where id = $1`, [data.id]))[0]
    const before = await digest()
    app.clock.advance(60)
    const answer = await org.owner.post(`${at(org, data.id)}/resend-invite`)
    expect(answer.status).toBe(200)
    expect(Date.parse(answer.data.invite_expires_at) - app.clock.now.getTime()).toBe(7 * 86_400_000)
    expect(await digest()).not.toEqual(before)
    const member = await idOf(app, org, await org.member())
    expect((await org.owner.post(`${at(org, member)}/resend-invite`)).status).toBe(409)
    const plain = await org.member({ scopes: ['organization'] })
    expect((await plain.post(`${at(org, data.id)}/resend-invite`)).status).toBe(403)
  })
  it('409 for an access that is over by now, until it has a later end: nobody is mailed', async () => {
    const org = await app.world.organization()
    const email = address()
    const inAnHour = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const { data } = await org.owner.post(at(org), { email, expired_at: inAnHour })
    expect(await mailsTo(app, email)).toHaveLength(1)
    app.clock.advance(3600)
    const over = await org.owner.post(`${at(org, data.id)}/resend-invite`)
    expect([over.status, over.errors?.reason]).toEqual([409, 'status_not_allowed'])
    expect(await mailsTo(app, email)).toHaveLength(1)
    await org.owner.put(at(org, data.id), { expired_at: null })
    expect((await org.owner.post(`${at(org, data.id)}/resend-invite`)).status).toBe(200)
    expect(await mailsTo(app, email)).toHaveLength(2)
  })
})

describe('how often invites are mailed', () => {
  it('429 for the eleventh to an address in a day from all organizations, also of two at once, and for no other address', async () => {
    const email = address()
    for (let mailed = 1; mailed < MOST_FROM_ALL; mailed++) {
      const org = await app.world.organization()
      expect((await org.owner.post(at(org), { email: mailed % 2 ? email : email.toUpperCase() })).status).toBe(201)
    }
    const last = [await app.world.organization(), await app.world.organization()]
    const answers = await Promise.all(last.map((org) => org.owner.post(at(org), { email })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect([refused?.errors?.code, refused?.message, refused?.raw.headers['retry-after']]).toEqual([
      'RATE_LIMIT',
      'Too many invites were sent; try again later',
      '3600',
    ])
    for (const org of last) expect((await org.owner.post(at(org), { email: address() })).status).toBe(201)
    expect(await app.database.query('select id from mails where email = $1', [email])).toHaveLength(MOST_FROM_ALL)
    app.clock.advance(86_400)
    const later = await app.world.organization()
    expect((await later.owner.post(at(later), { email })).status).toBe(201)
  })
  it('429 with Retry-After for the same invite within a minute, and for the sixth to an address in a day', async () => {
    const org = await app.world.organization()
    const email = address()
    const invited = await org.owner.post(at(org), { email })
    const early = await org.owner.post(`${at(org, invited.data.id)}/resend-invite`)
    expect([early.status, early.errors?.code, early.raw.headers['retry-after']]).toEqual([429, 'RATE_LIMIT', '60'])
    app.clock.advance(60)
    expect((await org.owner.post(`${at(org, invited.data.id)}/resend-invite`)).status).toBe(200)
    let id: number = invited.data.id
    for (let mailed = 2; mailed < MOST_TO_ONE_ADDRESS; mailed++) {
      expect((await org.owner.delete(at(org, id))).status).toBe(200)
      const again = await org.owner.post(at(org), { email: email.toUpperCase() })
      expect(again.status).toBe(201)
      id = again.data.id
    }
    await org.owner.delete(at(org, id))
    const late = await org.owner.post(at(org), { email })
    expect([late.status, late.raw.headers['retry-after']]).toEqual([429, String(86_400 - 60)])
    expect((await org.owner.get(at(org))).data).toHaveLength(1)
    expect((await org.owner.post(at(org), { email: address() })).status).toBe(201)
    await app.database.query(`update mails set created_at = created_at - interval '1 day' where organization_id = $1`, [
      org.id,
    ])
    expect((await org.owner.post(at(org), { email })).status).toBe(201)
  })
  it('429 beyond the invites of an organization in a day, also of two at once', async () => {
    const org = await app.world.organization()
    await app.database.query(
      `insert into mails (organization_id, kind, resource_id, email, created_at)
       select $1, 'invite', 0, 'x' || n || '@example.org', $2 from generate_series(1, $3::int) n`,
      [org.id, app.clock.now, MOST_INVITES - 1],
    )
    const answers = await Promise.all([address(), address()].map((email) => org.owner.post(at(org), { email })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 429])
    const other = await app.world.organization()
    expect((await other.owner.post(at(other), { email: address() })).status).toBe(201)
  })
})
