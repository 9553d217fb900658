// What the vendor hides from an organization: who sets it, what counts without a list of its own, what members are
// told, and what does not reach them meanwhile.
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPE_NAMES, type Scope } from '#kernel/values/permissions.ts'
import { sql } from '#kernel/values/sql.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { until } from '#test/harness/until.ts'
import { confirmed } from '#test/scenes/contacts.ts'
import { imported } from '#test/scenes/imports.ts'
import { manyEvents } from '#test/scenes/events.ts'
import { webhookReceiver } from '#test/stand-ins/webhook-receiver.ts'
import { users } from '../auth/users.ts'
import { readConfig } from '../../../config/config.ts'

const app = await appOfFile({
  listens: true,
  environment: { HIDDEN_SCOPES: 'downloads' },
})
const acme = await app.world.organization({ name: 'Padaria “São João” 🥖' })

const pathOf = ({ id }: Organization) => `/organizations/${id}`
const hide = (at: Organization, hidden_scopes: readonly Scope[] | null): Promise<Answer> =>
  at.staff.put(pathOf(at), { hidden_scopes })
const scopesOf = async (who: Speaker): Promise<Scope[]> => (await who.get('/me/access')).data.scopes
const without = (...hidden: Scope[]): Scope[] => SCOPE_NAMES.filter((scope) => !hidden.includes(scope))

describe('hidden_scopes of an organization', () => {
  it('422 for customers, the owner too, and for `organization`, a scope twice, or one that is none', async () => {
    const own = await acme.owner.put(pathOf(acme), { hidden_scopes: [] })
    expect([own.status, own.errors?.fields]).toEqual([422, { hidden_scopes: 'only staff may set this' }])
    for (const wrong of [['organization'], ['contracts', 'contracts'], ['x'], 'contracts', [null]])
      expect((await acme.staff.put(pathOf(acme), { hidden_scopes: wrong })).status, JSON.stringify(wrong)).toBe(422)
  })
  it('200 for staff, and the members find who did it in the audit log', async () => {
    const { status, data } = await hide(acme, ['orders'])
    expect([status, data.hidden_scopes]).toEqual([200, ['orders']])
    expect((await acme.owner.get(pathOf(acme))).data.hidden_scopes).toEqual(['orders'])
    const [entry] = (await acme.owner.get('/audit-log?resource=organization')).data
    expect(entry).toMatchObject({
      actor: 'Staff',
      changes: { before: { hidden_scopes: null }, after: { hidden_scopes: ['orders'] } },
    })
  })
  it('403 for staff who show what they may not change themselves; they may hide it', async () => {
    await hide(acme, ['finances'])
    const sales = await acme.staffAs('sales')
    const put = (hidden_scopes: Scope[] | null) => sales.put(pathOf(acme), { hidden_scopes })
    expect((await put(['finances', 'quotes'])).status).toBe(200)
    expect((await put(['finances'])).status).toBe(200)
    for (const shown of [[], null]) {
      const answer = await put(shown)
      expect([answer.status, answer.errors?.reason]).toEqual([403, 'more_than_own'])
    }
    expect((await acme.owner.get(pathOf(acme))).data.hidden_scopes).toEqual(['finances'])
  })
  it('403 for staff who show it to an organization that they make, by hand or by an import', async () => {
    const sales = await app.world.user({ roles: ['customer', 'sales'] })
    const body = { name: 'Beta', hidden_scopes: [] }
    const made = [
      await sales.post('/admin/organizations', { ...body, owner_email: 'beta@beta.example' }),
      await sales.post('/organizations', body),
    ]
    for (const { status, errors } of made) expect([status, errors?.reason]).toEqual([403, 'more_than_own'])
    const done = await imported(app, sales, { kind: 'organizations' }, [{ external_id: '1', ...body }])
    expect(done.lines[0].errors).toEqual({ row: 'The scope downloads is not yours to show' })
    expect((await sales.post('/organizations', { name: 'Beta', hidden_scopes: ['downloads'] })).status).toBe(201)
  })
})

describe('what the setting hides', () => {
  it('is hidden from an organization without a list, and a list of its own counts in its place', async () => {
    await hide(acme, null)
    expect(await scopesOf(acme.owner)).toEqual(without('downloads'))
    await hide(acme, [])
    expect(await scopesOf(acme.owner)).toEqual([...SCOPE_NAMES])
    await hide(acme, ['contracts'])
    expect(await scopesOf(acme.owner)).toEqual(without('contracts'))
  })
  it('stops the start when it is no scope, or the one that governs people', () => {
    for (const wrong of ['organization', 'contract', 'none,contracts'])
      expect(() => readConfig({ HIDDEN_SCOPES: wrong }), wrong).toThrow(/HIDDEN_SCOPES/)
    expect(readConfig({ HIDDEN_SCOPES: 'quotes, documents' }).hiddenScopes).toEqual(['quotes', 'documents'])
  })
})

describe('a hidden scope', () => {
  it('is in no scopes, capabilities or token of the owner, who is told that nobody can grant it', async () => {
    await hide(acme, ['contracts'])
    const [mine] = (await acme.owner.get('/auth/me')).data.organizations
    expect(mine.scopes).toEqual(without('contracts'))
    expect(mine.capabilities).not.toContain('titular_manage_contracts')
    const member = await acme.member({ scopes: ['quotes'] })
    const { missing } = (await member.get('/me/access')).data
    const about = (scope: Scope) => missing.find((one: Answer['data']) => one.scope === scope)
    expect(about('contracts')).toMatchObject({ is_hidden: true, granted_by: [] })
    expect(about('orders')).toMatchObject({ is_hidden: false, granted_by: [{ role: 'owner' }] })
    expect((await acme.owner.get('/me/access?scope=contracts')).data.missing).toMatchObject([{ is_hidden: true }])
    const refused = await acme.owner.get('/contracts')
    expect([refused.status, refused.errors]).toMatchObject([403, { missing: { scopes: ['contracts'] } }])
  })
  it('is in no access token of who only owns organizations from which something is hidden', async () => {
    const grants = async () =>
      (
        await app.service.transactions.read(
          null,
          users.grants(acme.owner.userId, app.clock.now, sql`'{downloads}'::text[]`),
        )
      )[0]
    await hide(acme, ['contracts'])
    expect(await grants()).toMatchObject({ owns: false, scopes: without('contracts').toSorted() })
    await hide(acme, [])
    expect(await grants()).toMatchObject({ owns: true })
    await hide(acme, null)
    expect(await grants()).toMatchObject({ owns: false, scopes: without('downloads').toSorted() })
  })
  it('can be granted by flag, named role and API key, and counts once it is shown', async () => {
    await hide(acme, ['contracts', 'entitlements'])
    const at = `${pathOf(acme)}/collaborators`
    const [member, other] = [await acme.member({ scopes: [] }), await acme.member({ scopes: [] })]
    const idOf = async ({ email }: Speaker) => (await acme.owner.get(`${at}?search=${email}`)).data[0].id
    const given = await acme.owner.put(`${at}/${await idOf(member)}`, { can_manage_contracts: true })
    expect([given.status, given.data.can_manage_contracts]).toEqual([200, true])
    const role = await acme.owner.post('/roles', { name: 'Legal', scopes: ['contracts'] })
    expect(role.status, role.raw.body).toBe(201)
    const named = await acme.owner.put(`${at}/${await idOf(other)}`, { named_role_id: role.data.id })
    expect(named.status, named.raw.body).toBe(200)
    const made = (await acme.owner.post('/auth/api-keys', { name: 'ERP' })).data
    expect(made.scopes).toEqual(expect.arrayContaining(['contracts', 'entitlements']))
    const basic = Buffer.from(`${made.consumer_key}:${made.consumer_secret}`).toString('base64')
    const headers = { authorization: `Basic ${basic}`, 'x-service-organization': String(acme.id) }
    const all = () =>
      Promise.all([
        member.get('/contracts'),
        other.get('/contracts'),
        app.world.anonymous.get('/contracts', headers),
        app.world.anonymous.get('/entitlements', headers),
      ])
    expect((await all()).map(({ status }) => status)).toEqual([403, 403, 403, 403])
    await hide(acme, [])
    expect((await all()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
  it('keeps from members what it implies only when that is hidden itself', async () => {
    const member = await acme.member({ scopes: ['licenses'] })
    await hide(acme, ['licenses'])
    expect(await scopesOf(member)).toEqual(['entitlements'])
    await hide(acme, ['entitlements'])
    expect(await scopesOf(member)).toEqual(['licenses'])
  })
})

const subjects = async (email: string) => (await mailsTo(app, email)).map(({ subject }) => subject)
const unpublished = async (who: Speaker) => (await who.get('/audit-log?resource=unpublished')).data.length

describe('while quotes and finances are hidden', () => {
  let org: Organization
  let member: Speaker
  beforeAll(async () => {
    org = await app.world.organization()
    member = await org.member({ scopes: ['quotes', 'finances'] })
    await hide(org, [])
  })
  const inbox = async () => (await member.get('/me/inbox')).data.length

  it('members get no mails and no notices about them, and notices of before are not listed', async () => {
    await sentQuote(org)
    expect([(await subjects(member.email)).length, (await subjects(org.owner.email)).length]).toEqual([1, 1])
    expect(await inbox()).toBe(1)
    await hide(org, ['quotes', 'finances'])
    expect(await inbox()).toBe(0)
    expect((await member.get('/me/inbox/count')).data.unread).toBe(0)
    const { id } = await draftQuote(org)
    const named = await org.staff.post(`/quotes/${id}/send`, { recipients: ['buyer@cliente.example'] })
    expect(named.status, named.raw.body).toBe(200)
    expect([(await subjects(member.email)).length, (await subjects(org.owner.email)).length]).toEqual([1, 1])
    // Staff have named this address for the quote.
    expect(await subjects('buyer@cliente.example')).toHaveLength(1)
    await hide(org, [])
    expect(await inbox()).toBe(1)
  })
  it('billing contacts get the mails about invoices all the same', async () => {
    await hide(org, ['quotes', 'finances'])
    expect((await org.staff.post(`/admin/organizations/${org.id}/verify`)).status).toBe(200)
    const contact = { role: 'billing', email: 'contas@cliente.example' }
    expect((await org.owner.post(`${pathOf(org)}/contacts`, contact)).status).toBe(403)
    expect((await org.staff.post(`${pathOf(org)}/contacts`, contact)).status).toBe(201)
    await confirmed(app, contact.email)
    const before = (await subjects(contact.email)).length
    const line_items = [{ product_name: 'Backup', quantity: 1, unit_price: '10.00' }]
    const invoice = { company: 'entity_br', currency: 'BRL', due_date: '2999-01-31', line_items }
    const made = await org.staff.post('/invoices', invoice)
    expect(made.status, made.raw.body).toBe(201)
    const finalized = await org.staff.post(`/invoices/${made.data.id}/finalize`)
    expect(finalized.status, finalized.raw.body).toBe(200)
    expect(await subjects(contact.email)).toHaveLength(before + 1)
    expect(await subjects(member.email)).toHaveLength(1)
  })
  it('webhooks leave out their events, and bring those of what is shown', async () => {
    await hide(org, ['quotes'])
    const receiver = await webhookReceiver()
    try {
      const made = await org.owner.post('/webhook-endpoints', { url: receiver.url, events: ['*'] })
      expect(made.status, made.raw.body).toBe(201)
      await sentQuote(org)
      const { data } = await org.staff.post('/contracts', { title: 'Acordo', start_date: '2026-01-01' })
      await org.staff.post(`/contracts/${data.id}/status`, { status: 'active' })
      await app.service.deliverer.drain()
      const types = () => receiver.received.map(({ type }) => type.split('.')[0])
      expect(new Set(types())).toEqual(new Set(['contract']))
      await hide(org, [])
      await sentQuote(org)
      await app.service.deliverer.drain()
      expect(types()).toContain('quote')
    } finally {
      await receiver.close()
    }
  })
  it('a wait for events that began before brings none of them', async () => {
    await hide(org, [])
    const { next } = (await org.owner.get('/events')).data
    const waiting = org.owner.get(`/events?after=${next}&wait=30`)
    await until(
      () => app.service.metrics.text(),
      (text) => text.split('\n').includes('titular_long_polls 1'),
    )
    await app.database.query(`update organizations set hidden_scopes = '{quotes}' where id = $1`, [org.id])
    await sentQuote(org)
    await manyEvents(app, org.id, { type: 'titular/contract/activated', data: { status: 'active' } })
    const types = (await waiting).data.events.map(({ type }: { type: string }) => type)
    expect(types).toEqual(['contract.activated'])
  })
  it('403 for exports of the whole organization, which staff make', async () => {
    for (const path of ['/privacy/organization-exports', '/audit-log/sealed-exports']) {
      await hide(org, ['quotes'])
      const body = path.startsWith('/audit') ? { format: 'csv' } : undefined
      const refused = await org.owner.post(path, body)
      expect([refused.status, refused.errors?.reason], path).toEqual([403, 'scope_missing'])
      expect((await org.owner.get(path)).status, path).toBe(403)
      expect((await org.staff.post(path, body)).status, path).toBe(202)
      await hide(org, [])
      expect((await org.owner.get(path)).status, path).toBe(200)
    }
  })
  it('the audit log lists no entries about them', async () => {
    await hide(org, [])
    const id = await sentQuote(org)
    const seen = async (who: Speaker) => (await who.get(`/audit-log?resource=quote&resource_id=${id}`)).data.length
    expect(await seen(org.owner)).toBeGreaterThan(0)
    await hide(org, ['quotes'])
    expect(await seen(org.owner)).toBe(0)
    expect(await seen(org.staff)).toBeGreaterThan(0)
  })
  it('the owner sees no entries of the audit log about records without events, and staff do', async () => {
    await hide(org, [])
    await app.database.query(
      `insert into audit_log (organization_id, resource, resource_id, at, actor_kind, actor, action, request_id)
       values ($1, 'unpublished', 1, $2, 'system', 'system', 'updated', 'test')`,
      [org.id, app.clock.now],
    )
    expect(await unpublished(org.owner)).toBe(1)
    await hide(org, ['contracts'])
    expect([await unpublished(org.owner), await unpublished(org.staff)]).toEqual([0, 1])
  })
})
