// Times are told in the time zone of the legal entity of the record, else of the one that bills the organization.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { enqueueMail, mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'
import { draftQuote } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { acceptedWith, linkOf } from '#test/scenes/quote-links.ts'

const app = await appOfFile()

/** Half past one of the day in UTC is still the evening before in São Paulo. */
const MOMENT = '2038-03-10T01:30:00.000Z'
const IN_BRAZIL = /March 9, 2038 at 10:30\sPM GMT-3/
const ABROAD = /March 10, 2038 at 1:30\sAM UTC/

/** The newest mail, and the newest entry of the inbox. */
async function told(org: Organization, mail: string, resource_id: number): Promise<[mail: string, entry: string]> {
  await enqueueMail(app, org.id, { mail, resource_id, user_id: org.owner.userId })
  await app.database.query(
    `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'notifications/fill-inboxes', $2, $3)`,
    [org.id, JSON.stringify({ mail, resource_id, user_ids: [org.owner.userId] }), app.clock.now],
  )
  const [newest] = await mailsTo(app, org.owner.email)
  const { data } = await org.owner.get(`/me/inbox?kind=${mail}`)
  return [newest?.text ?? '', JSON.stringify(data[0])]
}

async function endingMembership(org: Organization): Promise<number> {
  const [own] = await app.database.query<{ id: number }>(
    `update collaborators set expired_at = $2, end_warned_for = $2 where organization_id = $1 returning id`,
    [org.id, MOMENT],
  )
  return own?.id ?? 0
}

async function endingEntitlement(org: Organization, company: string): Promise<number> {
  const { id } = await entitlement(org, { company })
  await app.database.query('update entitlements set expires_at = $2, expiry_warned_for = $2 where id = $1', [
    id,
    MOMENT,
  ])
  return id
}

describe('a time in a mail and in the inbox', () => {
  it.each([
    ['Brasil', IN_BRAZIL],
    ['US', ABROAD],
  ])('is that of the legal entity that bills an organization in %s', async (country, expected) => {
    const org = await app.world.organization({ country })
    for (const text of await told(org, 'membership-expiring', await endingMembership(org)))
      expect(text).toMatch(expected)
  })
  it.each([
    ['BR', 'entity_global', ABROAD],
    ['US', 'entity_br', IN_BRAZIL],
  ])('of a record is that of its own legal entity (%s, %s)', async (country, company, expected) => {
    const org = await app.world.organization({ country })
    for (const text of await told(org, 'entitlement-expiring', await endingEntitlement(org, company)))
      expect(text).toMatch(expected)
  })
  it('stays readable in an entry that names no legal entity', async () => {
    const org = await app.world.organization({ country: 'US' })
    await told(org, 'entitlement-expiring', await endingEntitlement(org, 'entity_br'))
    await app.database.query(`update inbox_entries set content = content - 'company' where organization_id = $1`, [
      org.id,
    ])
    const { data } = await org.owner.get('/me/inbox')
    expect(JSON.stringify(data)).toMatch(ABROAD)
    const marked = await org.owner.put(`/me/inbox/${data[0].id}`, { read: true })
    expect(JSON.stringify(marked.data)).toMatch(ABROAD)
  })
})

describe('a time in a mail about an account', () => {
  it.each([
    ['BR', 'GMT-3'],
    ['US', 'UTC'],
  ])('is that of the person’s organization (%s)', async (country, zone) => {
    const { owner } = await app.world.organization({ country })
    expect((await app.world.anonymous.post('/auth/forgot-password', { email: owner.email })).status).toBe(202)
    const [mail] = await mailsTo(app, owner.email)
    expect(mail?.text).toContain(zone)
  })
  it('is that of the organization that the person works in', async () => {
    const { owner } = await app.world.organization({ country: 'BR' })
    const { id } = await app.world.organization({ country: 'US' })
    await app.database.query('update collaborators set user_id = $2 where organization_id = $1', [id, owner.userId])
    await app.database.query('update users set active_team_id = $2 where id = $1', [owner.userId, id])
    await app.world.anonymous.post('/auth/forgot-password', { email: owner.email })
    expect((await mailsTo(app, owner.email))[0]?.text).toContain('UTC')
  })
})

describe('the page of a quote', () => {
  it.each([
    ['entity_br', 'GMT-3'],
    ['entity_global', 'UTC'],
  ])('says when it was accepted in the time zone of %s', async (company, zone) => {
    const org = await app.world.organization()
    const { id } = await draftQuote(org, { company })
    expect((await org.staff.post(`/quotes/${id}/send`, {})).status).toBe(200)
    const link = await linkOf(org, id)
    expect((await acceptedWith(app, link)).status).toBe(200)
    const page = await app.service.app.inject({ url: `/quotes/${link.token}`, headers: { 'accept-language': 'en' } })
    expect(page.body).toMatch(new RegExp(`M ${zone}`))
  })
})
