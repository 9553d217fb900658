// The queue of staff: what waits, for whom, who has it, and that it follows the records.
import { describe, expect, it } from 'vitest'
import { AREAS } from '../../../modules.ts'
import { permissionsOf, STAFF_ROLE_NAMES } from '#kernel/values/staff-roles.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Ação "Ltda" 🚀' })
const records: Records = await createRecords(app, acme)
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
const set = (text: string) => app.database.query(text)
await set(`update tickets set resolution_warned = true, resolution_due_at = now(), clock_stopped_at = null`)
await set(`update environments set provisioning_act = 'suspend', provisioning_state = 'failed'`)
await set(`update organizations set verification_requires = true where id = ${acme.id}`)
await set(`update tax_invoices set status = 'error', nfse_number = null, access_key = null, issued_at = null,
  error_message = 'CNPJ inválido'`)
const endpoint = { url: 'https://hooks.vendor.example/titular', events: ['quote.paid'] }
await boss.post('/admin/webhook-endpoints', endpoint)
await set(`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone'`)
await set(`insert into provider_events (source, company, dedupe_key, type, body, error)
  values ('stripe', 'entity_br', 'evt_unread', 'unknown', '{', 'no JSON')`)
const job = (kind: string) =>
  set(`insert into jobs (organization_id, kind, dead_at, attempts) values (${acme.id}, '${kind}', now(), 10)`)
const invoice = (await acme.staff.post('/invoices', { currency: 'BRL', total: '50.00', status: 'open' })).data
await acme.staff.post(`/invoices/${invoice.id}/pay`, { amount: '20.00' })
await acme.staff.post(`/invoices/${invoice.id}/void`)
await job('quotes/provision')
await job('notifications/mail')

type Item = { kind: string; id: number; assignee_id: number | null; since: string }

const items = async (speaker: Speaker, query = ''): Promise<Item[]> => {
  const answer = await speaker.get(`/admin/queue?per_page=100${query}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const kindsOf = (found: readonly Item[]): string[] => [...new Set(found.map(({ kind }) => kind))].toSorted()
const one = async (kind: string): Promise<Item> => {
  const [item] = await items(boss, `&kind=${kind}`)
  return item ?? { kind, id: 0, assignee_id: null, since: '' }
}
const act = (speaker: Speaker, { kind, id }: Pick<Item, 'kind' | 'id'>, what: string, body: object): Promise<Answer> =>
  speaker.post(`/admin/queue/${kind}/${id}/${what}`, body)

const ALL = [
  'dead-letters',
  'environments',
  'inbound-events',
  'organizations',
  'refunds',
  'refused-mails',
  'tax-invoices',
  'tickets',
  'vendor-webhook-endpoints',
  'void-invoices',
  'webhook-endpoints',
]

describe('GET /admin/queue', () => {
  it('200 with all that waits, the longest waiting first, each with its organization and the request to act with', async () => {
    const found = await items(boss)
    expect(kindsOf(found)).toEqual(ALL)
    expect(found.map(({ since }) => since)).toEqual(found.map(({ since }) => since).toSorted())
    expect(await one('refunds')).toEqual({
      kind: 'refunds',
      id: records['refunds'],
      organization_id: acme.id,
      organization_name: acme.name,
      label: '1.00 BRL',
      since: expect.any(String),
      assignee_id: null,
      assignee_name: null,
      snoozed_until: null,
      act: { method: 'POST', path: `/refunds/${records['refunds']}/approve`, organization_id: acme.id },
    })
    expect(await one('organizations')).toMatchObject({
      label: acme.name,
      act: { method: 'POST', path: `/admin/organizations/${acme.id}/verify`, organization_id: null },
    })
    expect(await one('inbound-events')).toMatchObject({ organization_id: null, act: { method: 'POST' } })
  })
  it('200 by kind and by organization; 422 for another kind', async () => {
    expect(kindsOf(await items(boss, '&kind=tickets'))).toEqual(['tickets'])
    const own = kindsOf(await items(boss, `&organization_id=${acme.id}`))
    expect(own).toEqual(ALL.filter((kind) => !['inbound-events', 'vendor-webhook-endpoints'].includes(kind)))
    expect(await items(boss, '&organization_id=999999')).toEqual([])
    expect((await boss.get('/admin/queue?kind=nonsense')).status).toBe(422)
  })
  it.each([
    ['support', ['environments', 'organizations', 'tickets', 'webhook-endpoints']],
    ['finance', ['environments', 'organizations', 'refunds', 'tax-invoices', 'void-invoices', 'webhook-endpoints']],
    [
      'operations',
      [
        'dead-letters',
        'environments',
        'inbound-events',
        'organizations',
        'refused-mails',
        'tickets',
        'webhook-endpoints',
      ],
    ],
    ['auditor', ALL],
  ] as const)('200 for %s with what the role may read', async (role, kinds) => {
    const person = await acme.staffAs(role)
    expect(kindsOf(await items(person))).toEqual(kinds)
    const { data } = await person.get('/admin/queue/counts')
    expect(data.counts.map(({ kind }: Item) => kind).toSorted()).toEqual(kinds)
  })
  it('403 for customers, 401 without credentials', async () => {
    for (const path of ['/admin/queue', '/admin/queue/counts']) {
      expect((await acme.owner.get(path)).status).toBe(403)
      expect((await app.world.anonymous.get(path)).status).toBe(401)
    }
  })
})

describe('POST /admin/queue/{kind}/{id}/assign', () => {
  it('200 gives the item to a person, and takes it away', async () => {
    const finance = await acme.staffAs('finance')
    const item = await one('refunds')
    const { status, data } = await act(boss, item, 'assign', { assignee_id: finance.userId })
    expect([status, data.assignee_id]).toEqual([200, finance.userId])
    expect(await items(boss, `&assignee_id=${finance.userId}`)).toEqual([data])
    expect(kindsOf(await items(boss, '&assigned=true'))).toEqual(['refunds'])
    expect(kindsOf(await items(boss, '&assigned=false'))).not.toContain('refunds')
    await app.database.query('update users set disabled_at = now() where id = $1', [finance.userId])
    expect((await one('refunds')).assignee_id).toBe(null)
    expect((await act(boss, item, 'assign', { assignee_id: null })).status).toBe(200)
    expect(await items(boss, '&assigned=true')).toEqual([])
  })
  it('422 for who may not change such records: another role, an auditor, a customer, nobody', async () => {
    const item = await one('refunds')
    const others = [await acme.staffAs('support'), await acme.staffAs('auditor'), acme.owner]
    for (const id of [...others.map(({ userId }) => userId), 999_999]) {
      const { status, errors } = await act(boss, item, 'assign', { assignee_id: id })
      expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['assignee_id']])
    }
  })
  it('404 for what does not wait, and for another kind', async () => {
    for (const kind of [...ALL, 'nonsense', 'REFUNDS', 'constructor']) {
      const { status, message } = await act(boss, { kind, id: 999_999 }, 'assign', { assignee_id: null })
      expect([status, message], kind).toEqual([404, 'Not found'])
    }
  })
  it('200 for two at once: one of them has it', async () => {
    const item = await one('tax-invoices')
    const people = await Promise.all([acme.staffAs('finance'), acme.staffAs('finance')])
    const answers = await Promise.all(people.map((who) => act(who, item, 'assign', { assignee_id: who.userId })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(people.map(({ userId }) => userId)).toContain((await one('tax-invoices')).assignee_id)
  })
})

describe('POST /admin/queue/{kind}/{id}/snooze', () => {
  it('200 hides the item until then, and counts it apart', async () => {
    const item = await one('dead-letters')
    const until = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const { status, data } = await act(boss, item, 'snooze', { until })
    expect([status, data.snoozed_until]).toEqual([200, until])
    expect(await items(boss, '&kind=dead-letters')).toEqual([])
    expect(await items(boss, '&snoozed=true')).toEqual([data])
    const counts = async () => (await boss.get('/admin/queue/counts')).data.counts
    expect(await counts()).toContainEqual({ kind: 'dead-letters', open: 0, unassigned: 0, snoozed: 1 })
    expect((await act(boss, item, 'snooze', { until: null })).data.snoozed_until).toBe(null)
    expect(await counts()).toContainEqual({ kind: 'dead-letters', open: 1, unassigned: 1, snoozed: 0 })
    await act(boss, item, 'snooze', { until })
    app.clock.now = new Date(app.clock.now.getTime() + 3_600_001)
    expect(kindsOf(await items(boss, '&kind=dead-letters'))).toEqual(['dead-letters'])
  })
  it('422 for a time that is past or none', async () => {
    const item = await one('dead-letters')
    for (const until of [app.clock.now.toISOString(), 'tomorrow', 1])
      expect((await act(boss, item, 'snooze', { until })).status).toBe(422)
  })
})

describe('POST /admin/queue/{kind}/{id}/assign and /snooze', () => {
  it.each(STAFF_ROLE_NAMES)('403 for %s with each kind whose records the role may not change', async (role) => {
    const person = await acme.staffAs(role)
    for (const { kind, scope } of AREAS.flatMap(({ waiting }) => waiting)) {
      const mayChange = permissionsOf([role]).includes(`${scope}:write`)
      const item = await one(kind)
      for (const [what, body] of Object.entries({ assign: { assignee_id: null }, snooze: { until: null } })) {
        const { status, errors, message } = await act(person, item, what, body)
        const refused = [403, 'scope_missing', `Scope not authorized: ${scope}:write`]
        expect([kind, status, ...(errors ? [errors.reason, message] : [])]).toEqual([
          kind,
          ...(mayChange ? [200] : refused),
        ])
      }
    }
  })
  it('403 for a key of the vendor without the permission, or for some organizations, and for customers', async () => {
    const item = await one('refunds')
    const keys = { jobs: ['jobs:write'], finances: ['finances:write'] } as const
    for (const [scope, permissions] of Object.entries(keys)) {
      const speaker = await vendorKey(app, { permissions: [...permissions], organizations: null })
      const { status } = await act(speaker, item, 'assign', { assignee_id: null })
      expect(status).toBe(scope === 'finances' ? 200 : 403)
    }
    const some = await vendorKey(app, { permissions: ['finances:write'], organizations: [acme.id] })
    expect((await act(some, item, 'assign', { assignee_id: null })).errors?.reason).toBe('key_of_some_organizations')
    expect((await act(acme.owner, item, 'assign', { assignee_id: null })).errors?.reason).toBe('staff_only')
  })
})

describe('an item', () => {
  it('leaves the queue when its record leaves the state, by the request that it names', async () => {
    for (const kind of ['organizations', 'dead-letters']) {
      const { act: request } = (await boss.get(`/admin/queue?kind=${kind}`)).data[0]
      expect((await boss.post(request.path)).status, kind).toBe(200)
      expect(await items(boss, `&kind=${kind}`)).toEqual([])
    }
    const { act: request } = (await boss.get('/admin/queue?kind=inbound-events')).data[0]
    expect((await boss.post(request.path, { reason: 'A test of the provider' })).status).toBe(200)
    expect(await items(boss, '&kind=inbound-events')).toEqual([])
  })
})
