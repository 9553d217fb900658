// `expand` in the lists across organizations: each record's own, by the permissions of staff.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let all: { organization: Organization; records: Records }[]
let boss: Speaker
beforeAll(async () => {
  app = await startApp()
  const [acme, other] = [await app.world.organization(), await app.world.organization({ name: 'Ação "Ltda" 🚀' })]
  all = [
    { organization: acme, records: await createRecords(app, acme) },
    { organization: other, records: await createRecords(app, other) },
  ]
  boss = await app.world.user({ roles: ['customer', 'administrator'] })
})
afterAll(() => app.close())

const withoutExpanded = ({ expanded: _expanded, ...plain }: Record<string, unknown>) => plain

it.each([
  ['/admin/invoices', 'order', '/orders'],
  ['/admin/invoices', 'credit_notes', '/credit-notes'],
  ['/admin/orders', 'quote', '/quotes'],
  ['/admin/refunds', 'payment', '/payments'],
  ['/admin/tax-invoices', 'order', '/orders'],
  ['/admin/environments', 'entitlement', '/entitlements'],
  ['/admin/licenses', 'entitlement', '/entitlements'],
  ['/admin/quotes', 'organization', '/organizations'],
])('%s with %s gives what %s/{id} gives in the organization of each record', async (list, name, own) => {
  const { data, errors } = await boss.get(`${list}?expand=${name}&per_page=100`)
  expect(errors).toBeNull()
  for (const { organization } of all) {
    const found = data.filter((one: { organization_id: number }) => one.organization_id === organization.id)
    expect(found.length).toBeGreaterThan(0)
    for (const one of found)
      for (const related of [one.expanded[name]].flat().filter(Boolean))
        expect(related).toEqual((await organization.staff.get(`${own}/${related.id}`)).data)
  }
})

describe('the lists across organizations with expand', () => {
  it('ask one statement for each relation, and go two hops', async () => {
    const { database } = app.service
    const { read } = database
    let asked = 0
    database.read = (role, statements) => {
      asked += statements.length
      return read(role, statements)
    }
    const { data } = await boss.get('/admin/invoices?expand=order.quote&cursor=first')
    const inAll = asked
    asked = 0
    await boss.get('/admin/invoices?expand=order.quote&cursor=first&per_page=1')
    database.read = read
    expect(asked).toBe(inAll)
    const orders = data.map((one: { expanded: { order: Record<string, unknown> } }) => one.expanded.order)
    expect(orders.map(withoutExpanded)).toMatchObject(
      data.map((one: { organization_id: number; order_id: number }) => ({
        id: one.order_id,
        organization_id: one.organization_id,
      })),
    )
    for (const order of orders) expect(order.expanded.quote.organization_id).toBe(order.organization_id)
  })
  it('give a record of its own organization alone where ids are the same', async () => {
    const [mine, theirs] = all as [(typeof all)[0], (typeof all)[0]]
    const moved = { organization_id: theirs.organization.id, entitlement_id: theirs.records['entitlements'] }
    await app.database.query(
      `insert into environments
       select (jsonb_populate_record(e, $1)).* from environments e where organization_id = $2`,
      [JSON.stringify(moved), mine.organization.id],
    )
    const { data } = await boss.get('/admin/tickets?expand=environment')
    const pairs = data.map((one: Record<'organization_id', number> & { expanded: Record<'environment', object> }) => [
      one.organization_id,
      one.expanded.environment,
    ])
    for (const [organization_id, environment] of pairs) expect(environment).toMatchObject({ organization_id })
    expect(pairs).toHaveLength(2)
  })
  it('403 without the permission for a related record', async () => {
    const [{ organization }] = all as [(typeof all)[0]]
    const support = await organization.staffAs('support')
    expect((await support.get('/admin/entitlements?expand=organization')).status).toBe(200)
    for (const path of ['/admin/entitlements?expand=order', '/admin/tickets?expand=entitlement.quote']) {
      const { status, errors } = await support.get(path)
      expect([status, errors?.reason], path).toEqual([403, 'scope_missing'])
    }
    expect((await organization.owner.get('/admin/orders?expand=quote')).status).toBe(403)
    expect((await boss.get('/admin/orders?expand=nothing')).status).toBe(422)
  })
  it('give a key of some organizations only theirs', async () => {
    const [mine] = all.map(({ organization }) => organization.id)
    const key = await vendorKey(app, { permissions: ['orders:read', 'quotes:read'], organizations: [mine ?? 0] })
    const { data } = await key.get('/admin/orders?expand=quote')
    expect(data).toHaveLength(1)
    expect(data[0].expanded.quote.organization_id).toBe(mine)
    expect((await key.get('/admin/orders?expand=organization')).status).toBe(403)
  })
})

describe('the names of staff', () => {
  it('come with tickets and quotes, to staff and their keys alone, wherever the records are', async () => {
    const [{ organization, records }] = all as [(typeof all)[0]]
    const { data: team } = await boss.post('/admin/teams', { name: 'Hosting', member_ids: [boss.userId] })
    const ticket = `/tickets/${records['tickets']}`
    await organization.staff.patch(ticket, { assignee_id: boss.userId, team_id: team.id })
    await organization.staff.post(`${ticket}/watchers`, { user_id: boss.userId })
    const { data: assignees } = await boss.get('/admin/teams/assignees')
    const him = {
      id: boss.userId,
      name: assignees.find((one: { user_id: number }) => one.user_id === boss.userId).name,
    }
    const names = { assignee: him, team: { id: team.id, name: 'Hosting' }, watchers: expect.arrayContaining([him]) }
    const asked = 'expand=assignee,team,watchers'
    expect((await organization.staff.get(`${ticket}?${asked}`)).data.expanded).toEqual(names)
    const key = await vendorKey(app, { permissions: ['tickets:read'] })
    for (const speaker of [boss, key]) {
      const { data } = await speaker.get(`/admin/tickets?${asked}`)
      const one = data.find(({ team_id }: { team_id: number | null }) => team_id !== null)
      expect(one.expanded).toEqual(names)
      expect(data.find(({ team_id }: { team_id: number | null }) => team_id === null).expanded).toEqual({
        assignee: null,
        team: null,
        watchers: expect.any(Array),
      })
    }
    for (const name of ['assignee', 'team', 'watchers']) {
      const { status, errors } = await organization.owner.get(`/tickets?expand=${name}`)
      expect([status, errors?.reason], name).toEqual([403, 'role_too_low'])
    }
    await app.database.query('update quotes set created_by = $1 where id = $2', [boss.userId, records['quotes']])
    const { data: quotes } = await boss.get('/admin/quotes?expand=author')
    for (const { created_by, expanded } of quotes) expect(expanded.author?.id ?? null).toBe(created_by)
    expect(quotes.filter(({ expanded }: { expanded: { author: object | null } }) => expanded.author)).not.toEqual([])
    expect((await organization.owner.get(`/quotes/${records['quotes']}?expand=author`)).status).toBe(403)
  })
})

describe('the setting staff_entry as reason', () => {
  it('403 for people, whose entries are for one organization; 200 for keys', async () => {
    await setSettings(app, 'vendor', { staff_entry: 'reason' })
    const person = await app.world.user({ roles: ['customer', 'administrator'] })
    const { status, errors } = await person.get('/admin/orders?expand=quote')
    const key = await vendorKey(app, { permissions: ['orders:read', 'quotes:read'] })
    const ofKey = await key.get('/admin/orders?expand=quote')
    const plain = await person.get('/admin/orders')
    const names = await person.get('/admin/tickets?expand=assignee,team')
    await setSettings(app, 'vendor', { staff_entry: null })
    expect([status, errors?.reason, ofKey.status, plain.status]).toEqual([403, 'entry_needed', 200, 200])
    expect(names.status).toBe(200)
  })
})
