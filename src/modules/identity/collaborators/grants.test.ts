// Callers cannot grant what they lack, whether newly, again, for longer or from an earlier date.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { address, admin, at, idOf } from '#test/scenes/collaborators.ts'
import { mailedInvite, mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'

const app = await appOfFile()

const hours = (count: number) => new Date(app.clock.now.getTime() + count * 3_600_000)
const FOREIGN = { status: 403, message: 'The scope finances is not yours to grant' }

async function ended(org: Organization, scopes: 'finances' | 'quotes') {
  const member = await org.member({ scopes: [scopes], expiredAt: hours(-1) })
  return { member, id: await idOf(app, org, member) }
}

describe('PUT /organizations/{id}/collaborators/{collaborator_id}', () => {
  it('403 for an admin who reopens a membership with a scope that they lack, by either date', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const { member, id } = await ended(org, 'finances')
    for (const dates of [
      { expired_at: null },
      { expired_at: hours(1).toISOString() },
      { started_at: null, expired_at: null },
      { started_at: hours(2).toISOString(), expired_at: hours(3).toISOString() },
      { expired_at: null, can_manage_quotes: true },
      { expired_at: null, role: 'member' },
    ])
      expect(await who.put(at(org, id), dates)).toMatchObject(FOREIGN)
    expect((await member.get('/invoices')).status).toBe(403)
    expect((await org.owner.put(at(org, id), { expired_at: null })).status).toBe(200)
    expect((await member.get('/invoices')).status).toBe(200)
  })
  it('200 for an admin who reopens a membership with their own scopes, or removes the others in the same request', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const [own, foreign] = [await ended(org, 'quotes'), await ended(org, 'finances')]
    expect((await who.put(at(org, own.id), { expired_at: null })).data.status).toBe('active')
    const less = { expired_at: null, can_manage_finances: false }
    expect((await who.put(at(org, foreign.id), less)).data).toMatchObject({
      status: 'active',
      can_manage_finances: false,
    })
  })
  it('403 for a later end and an earlier start with a scope that the admin lacks; 200 for an earlier end', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const member = await org.member({ scopes: ['finances'], expiredAt: hours(5) })
    const id = await idOf(app, org, member)
    expect(await who.put(at(org, id), { expired_at: hours(6).toISOString() })).toMatchObject(FOREIGN)
    expect((await who.put(at(org, id), { expired_at: hours(4).toISOString() })).status).toBe(200)
    expect((await who.put(at(org, id), { started_at: hours(2).toISOString() })).status).toBe(200)
    expect(await who.put(at(org, id), { started_at: hours(1).toISOString() })).toMatchObject(FOREIGN)
    expect((await who.put(at(org, id), { can_manage_quotes: true })).status).toBe(200)
  })
  it('403 for an admin who reopens the membership of a guest, which only staff may', async () => {
    const org = await app.world.organization()
    const guest = await org.member({ role: 'guest', expiredAt: hours(-1) })
    const id = await idOf(app, org, guest)
    const answer = await (await admin(org)).put(at(org, id), { expired_at: null })
    expect([answer.status, answer.message]).toEqual([403, 'Only staff may give the role guest'])
    expect((await org.staff.put(at(org, id), { expired_at: null })).status).toBe(200)
  })
  it('200 reopens the membership, but not the API keys that ended with it', async () => {
    const org = await app.world.organization()
    const who = await org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    const { data } = await who.post('/auth/api-keys', { name: 'Portal', scopes: ['quotes'] })
    const key = { consumer_key: data.consumer_key, consumer_secret: data.consumer_secret }
    const asKey = () =>
      app.world.anonymous.get(`/quotes?${new URLSearchParams(key).toString()}`, {
        'x-service-organization': String(org.id),
      })
    expect((await asKey()).status).toBe(200)
    const id = await idOf(app, org, who)
    await org.owner.put(at(org, id), { expired_at: hours(-1).toISOString() })
    expect((await asKey()).status).toBe(401)
    await org.owner.put(at(org, id), { expired_at: null })
    expect((await who.get('/quotes')).status).toBe(200)
    expect((await asKey()).status).toBe(401)
  })
})

describe('POST /organizations/{id}/collaborators/{collaborator_id}/resend-invite', () => {
  it('403 for an admin who lacks a scope of the invite, whether pending, rejected or expired', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const guest = await app.world.user({ email: address() })
    const { data } = await org.owner.post(at(org), { email: guest.email, can_manage_finances: true })
    const resend = (by = who) => by.post(`${at(org, data.id)}/resend-invite`)
    expect(await resend()).toMatchObject(FOREIGN)
    await guest.post('/invites/reject', { token: await mailedInvite(app, guest.email) })
    expect(await resend()).toMatchObject(FOREIGN)
    await app.database.query(`update collaborators set invite_status = 'expired' where id = $1`, [data.id])
    expect(await resend()).toMatchObject(FOREIGN)
    expect((await org.owner.get(at(org, data.id))).data.invite_status).toBe('expired')
    app.clock.advance(61)
    expect((await resend(org.owner)).data.invite_status).toBe('pending')
  })
  it('200 for an admin who holds all its scopes; 403 for anybody but staff when the invite is for a guest', async () => {
    const org = await app.world.organization()
    const { data } = await org.owner.post(at(org), { email: address(), can_manage_quotes: true })
    app.clock.advance(61)
    expect((await (await admin(org)).post(`${at(org, data.id)}/resend-invite`)).status).toBe(200)
    const guest = await org.staff.post(at(org), { email: address(), role: 'guest' })
    expect((await org.owner.post(`${at(org, guest.data.id)}/resend-invite`)).status).toBe(403)
    app.clock.advance(61)
    expect((await org.staff.post(`${at(org, guest.data.id)}/resend-invite`)).status).toBe(200)
  })
})

describe('an account with an unproven address', () => {
  it('403 for inviting and resending, with what to do; 201 once the address is proven', async () => {
    const nobody = app.world.anonymous
    const email = address()
    const registered = await nobody.post('/auth/register', { email, password: 'vento-Lilás 7', name: 'Ana' })
    const token = { authorization: `Bearer ${registered.data.access_token}` }
    const { data } = await nobody.post('/organizations', { name: 'Loja da Ana' }, token)
    const as = { ...token, 'x-service-organization': String(data.id) }
    const guest = address()
    const path = `/organizations/${data.id}/collaborators`
    const refused = await nobody.post(path, { email: guest }, as)
    expect([refused.status, refused.errors?.code]).toEqual([403, 'AUTHORIZATION_ERROR'])
    expect(refused.message).toMatch(/^Confirm your e-mail address.*by the link that was mailed, or by another one$/)
    expect((await nobody.get(path, as)).meta?.total).toBe(1)
    expect(await mailsTo(app, guest)).toEqual([])
    await app.database.query(`update users set status = 'ACTIVE' where email = $1`, [email])
    const invited = await nobody.post(path, { email: guest }, as)
    expect(invited.status).toBe(201)
    await app.database.query(`update users set status = 'PENDING' where email = $1`, [email])
    expect((await nobody.post(`${path}/${invited.data.id}/resend-invite`, {}, as)).status).toBe(403)
  })
})
