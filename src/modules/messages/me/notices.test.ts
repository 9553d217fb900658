// The inbox, preferences and what waits for somebody: by the announcements of the areas, over HTTP.
import { describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { apiKey } from '#test/scenes/records.ts'
import { subjects } from '#test/scenes/tickets.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const inboxOf = async (who: Speaker, query = ''): Promise<Answer['data']> => {
  await app.service.worker.drain()
  const answer = await who.get(`/me/inbox${query}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const kindsOf = async (who: Speaker) =>
  (await who.get('/me/notice-preferences')).data.preferences.map(({ kind }: Answer['data']) => kind)
const setPreference = (who: Speaker, kind: string, channels: object) =>
  who.put('/me/notice-preferences', { preferences: [{ kind, ...channels }] })

describe('GET /me/inbox', () => {
  it('200 with the notices of all organizations, in the language of the reader, without links that let somebody in', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    const quote = await sentQuote(acme)
    const [entry, ...others] = await inboxOf(member)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      organization_id: acme.id,
      kind: 'quote-sent',
      record: 'quote',
      record_id: quote,
      url: `http://127.0.0.1:3000/app/o/${acme.id}/quotes/${quote}`,
      read_at: null,
    })
    const [stored] = await app.database.query('select content from inbox_entries where id = $1', [entry.id])
    expect(stored).toMatchObject({ content: { link: null } })
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [member.userId])
    const [translated] = await inboxOf(member)
    expect(translated.title).not.toBe(entry.title)
  })
  it('200 without what the reader may not read any more, and 404 to mark it', async () => {
    for (const change of [
      'update collaborators set can_manage_quotes = false where user_id = $1',
      `update collaborators set expired_at = '2020-01-01' where user_id = $1`,
      `update organizations o set require_mfa = true from collaborators c where c.organization_id = o.id and c.user_id = $1`,
      `update organizations o set deleted_at = now() from collaborators c where c.organization_id = o.id and c.user_id = $1`,
    ]) {
      const org = await app.world.organization()
      const member = await org.member({ scopes: ['quotes'] })
      await sentQuote(org)
      const [entry] = await inboxOf(member)
      await app.database.query(change, [member.userId])
      expect(await inboxOf(member), change).toEqual([])
      expect((await member.get('/me/inbox/count')).data).toEqual({ unread: 0, organizations: [] })
      expect((await member.put(`/me/inbox/${entry.id}`, { read: true })).status).toBe(404)
    }
  })
  it('200 with tickets only of their own for a member who sees no others', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['entitlements'] })
    await app.database.query(
      `insert into inbox_entries (organization_id, user_id, kind, content, record, record_id, weight, scope, staff_scope, created_at)
       values ($1, $2, 'ticket-opened', '{}', 'ticket', 1, 50, 'entitlements', 'tickets', now())`,
      [org.id, member.userId],
    )
    expect((await member.get('/me/inbox/count')).data.unread).toBe(1)
    await app.database.query(`update collaborators set ticket_visibility = 'own' where user_id = $1`, [member.userId])
    expect((await member.get('/me/inbox/count')).data.unread).toBe(0)
  })
  it('200 with tickets of others only while a member watches them, who sees no others', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['tickets'] })
    const { hosting } = await subjects(app, org)
    const opened = await org.owner.post('/tickets', { title: 'Slow', entitlement_id: hosting })
    const watchers = `/tickets/${opened.data.id}/watchers`
    expect((await org.owner.post(watchers, { user_id: member.userId })).status).toBeLessThan(300)
    await app.database.query(
      `insert into inbox_entries (organization_id, user_id, kind, content, record, record_id, weight, scope,
         staff_scope, created_at)
       values ($1, $2, 'ticket-opened', '{}', 'ticket', $3, 50, 'entitlements', 'tickets', now())`,
      [org.id, member.userId, opened.data.id],
    )
    await app.database.query(`update collaborators set ticket_visibility = 'watched' where user_id = $1`, [
      member.userId,
    ])
    expect((await member.get('/me/inbox/count')).data.unread).toBe(1)
    await org.owner.delete(`${watchers}/${member.userId}`)
    expect((await member.get(`/tickets/${opened.data.id}`)).status).toBe(404)
    expect((await member.get('/me/inbox/count')).data.unread).toBe(0)
  })
  it('200 filtered, and with a cursor', async () => {
    const org = await app.world.organization()
    for (let count = 0; count < 3; count++) await sentQuote(org)
    const all = await inboxOf(org.owner)
    expect(all.map(({ kind }: Answer['data']) => kind)).toEqual(['quote-sent', 'quote-sent', 'quote-sent'])
    await org.owner.put(`/me/inbox/${all[0].id}`, { read: true })
    expect(await inboxOf(org.owner, '?unread=true')).toHaveLength(2)
    expect(await inboxOf(org.owner, '?unread=false')).toHaveLength(1)
    expect(await inboxOf(org.owner, '?kind=invoice-open')).toEqual([])
    expect(await inboxOf(org.owner, `?organization_id=${acme.id}`)).toEqual([])
    const first = await org.owner.get('/me/inbox?cursor=first&per_page=2')
    const next = await org.owner.get(`/me/inbox?per_page=2&cursor=${first.meta?.['next_cursor']}`)
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(all.map(({ id }: Answer['data']) => id))
  })
})

describe('PUT /me/inbox/{id} and POST /me/inbox/read-all', () => {
  it('200 marks as read and unread; all at once; never those of somebody else', async () => {
    const org = await app.world.organization()
    const [one, two] = [await org.member({ scopes: ['quotes'] }), await org.member({ scopes: ['quotes'] })]
    await sentQuote(org)
    await sentQuote(org)
    const [entry] = await inboxOf(one)
    expect((await two.put(`/me/inbox/${entry.id}`, { read: true })).status).toBe(404)
    const read = await one.put(`/me/inbox/${entry.id}`, { read: true })
    expect(read.data).toEqual({ ...entry, read_at: app.clock.now.toISOString() })
    expect((await one.put(`/me/inbox/${entry.id}`, { read: false })).data).toEqual(entry)
    expect((await one.post('/me/inbox/read-all', { organization_id: acme.id })).data).toEqual({ marked: 0 })
    expect((await one.post('/me/inbox/read-all', {})).data).toEqual({ marked: 2 })
    expect((await one.get('/me/inbox/count')).data).toEqual({ unread: 0, organizations: [] })
    expect((await two.get('/me/inbox/count')).data).toEqual({
      unread: 2,
      organizations: [{ organization_id: org.id, unread: 2 }],
    })
    expect((await one.put('/me/inbox/0', { read: true })).status).toBe(404)
    expect((await one.put(`/me/inbox/${entry.id}`, {})).status).toBe(422)
  })
})

describe('PUT /me/notice-preferences', () => {
  it('200 and the mail or the entry is left out, in this organization alone', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['quotes'] })
    const saved = await setPreference(member, 'quote-sent', { mail: false })
    expect(saved.data.preferences).toContainEqual({
      kind: 'quote-sent',
      name: 'New quotes',
      mandatory: false,
      mail: false,
      inbox: true,
    })
    await sentQuote(org)
    expect(await mailsTo(app, member.email)).toEqual([])
    expect(await inboxOf(member)).toHaveLength(1)
    await setPreference(member, 'quote-sent', { mail: true, inbox: false })
    await sentQuote(org)
    expect(await mailsTo(app, member.email)).toHaveLength(1)
    expect(await inboxOf(member)).toHaveLength(1)
    expect((await member.get('/me/notice-preferences')).data.preferences).toContainEqual({
      kind: 'quote-sent',
      name: 'New quotes',
      mandatory: false,
      mail: true,
      inbox: false,
    })
  })
  it('200 offers the kinds of the caller’s scopes alone', async () => {
    const member = await acme.member({ scopes: ['contracts'] })
    expect(await kindsOf(member)).toEqual(['membership-expiring', 'contract-ending', 'contract-notice'])
    expect(await kindsOf(acme.owner)).toContain('webhook-endpoint-disabled')
    expect(await kindsOf(acme.owner)).not.toContain('ticket-sla-warning')
    expect(await kindsOf(acme.staff)).toContain('ticket-sla-warning')
  })
  it('422 for a mandatory mail, a kind of staff, an unknown one, and a kind twice; nothing is saved', async () => {
    const org = await app.world.organization()
    const answer = await org.owner.put('/me/notice-preferences', {
      preferences: [
        { kind: 'quote-sent', mail: false },
        { kind: 'invoice-open', mail: false },
        { kind: 'ticket-sla-warning' },
        { kind: 'quote-sent' },
      ],
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual([
      'preferences.1.mail',
      'preferences.2.kind',
      'preferences.3.kind',
    ])
    const unknown = await setPreference(org.owner, 'x', { mail: false })
    expect(Object.keys(unknown.errors?.fields ?? {})).toEqual(['preferences.0.kind'])
    const saved = (await org.owner.get('/me/notice-preferences')).data.preferences
    expect(saved.filter(({ mail }: Answer['data']) => !mail)).toEqual([])
  })
  it('403 for every API key, which would decide for its creator', async () => {
    const ofVendor = app.world.inside(await vendorKey(app, { permissions: ['organization:write'] }), acme.id)
    const ofMember = app.world.speaker(
      await apiKey(app, acme, { permission: 'read_write', scopes: ['quotes'] }),
      acme.owner,
    )
    for (const key of [ofVendor, ofMember])
      expect(await setPreference(key, 'quote-sent', { mail: false })).toMatchObject({
        status: 403,
        errors: { reason: 'person_needed' },
      })
    expect((await ofMember.get('/me/notice-preferences')).status).toBe(200)
  })
  it('200 with two at once', async () => {
    const org = await app.world.organization()
    const answers = await Promise.all([
      setPreference(org.owner, 'quote-sent', { mail: false }),
      setPreference(org.owner, 'quote-sent', { inbox: false }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await org.owner.get('/me/notice-preferences')).data.preferences).toContainEqual({
      kind: 'quote-sent',
      name: 'New quotes',
      mandatory: false,
      mail: false,
      inbox: false,
    })
  })
})

describe('GET /me/actions', () => {
  it('200 with what waits, each kind with its scope, until it is done', async () => {
    const org = await app.world.organization()
    const quote = await sentQuote(org)
    const seller = await org.member({ scopes: ['quotes'] })
    const [waiting, ...others] = (await seller.get('/me/actions')).data.actions
    expect(others).toEqual([])
    expect(waiting).toMatchObject({ kind: 'quote_to_accept', resource: 'quote', count: 1, has_more: false })
    expect(waiting.items).toMatchObject([{ id: quote }])
    const payer = await org.member({ scopes: ['finances'] })
    expect((await payer.get('/me/actions')).data.actions).toEqual([])
    await seller.post(`/quotes/${quote}/accept`, {})
    expect((await seller.get('/me/actions')).data.actions).toEqual([])
    expect((await payer.get('/me/actions')).data.actions).toMatchObject([{ kind: 'invoice_to_pay', count: 1 }])
    await app.database.query(`update invoices set due_date = '2020-01-01' where organization_id = $1`, [org.id])
    expect((await payer.get('/me/actions')).data.actions).toMatchObject([{ kind: 'invoice_overdue', count: 1 }])
    expect((await (await app.world.organization()).owner.get('/me/actions')).data.actions).toEqual([])
  })
  it('200 with tickets that wait only for staff who may read tickets', async () => {
    const org = await app.world.organization()
    const body = { class: 'ENV', product_name: 'Hosting', organization_id: org.id, company: 'entity_br' }
    const { id: entitlement_id } = (await org.staff.post('/entitlements', body)).data
    const { id } = (await org.staff.post('/tickets', { title: 'Outage', entitlement_id })).data
    await org.staff.post(`/tickets/${id}/status`, { status: 'waiting' })
    const seen = { kind: 'ticket_to_answer', count: 1 }
    for (const [role, actions] of [
      ['finance', []],
      ['sales', [seen]],
    ] as const) {
      const staff = app.world.inside(await app.world.user({ roles: ['customer', role] }), org.id)
      expect((await staff.get('/me/actions')).data.actions).toMatchObject(actions)
    }
    expect((await org.owner.get('/me/actions')).data.actions).toMatchObject([seen])
  })
  it('200 counts a hundred of a kind at most, and lists the five oldest', async () => {
    const org = await app.world.organization()
    const body = { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' }
    const { id } = (await org.staff.post('/invoices', body)).data
    await allowCopies(app.database)
    await copyRow(app.database, { table: 'invoices', id, count: 104 }, {})
    const [open] = (await org.owner.get('/me/actions')).data.actions
    expect(open).toMatchObject({ kind: 'invoice_to_pay', count: 100, has_more: true })
    expect(open.items).toHaveLength(5)
    expect(open.items[0].id).toBe(id)
  })
})
