// Codes are counted with the access check of the request, before its transaction.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const CODE = 'ENV-2026110001'
const counted = async () =>
  (await app.database.query<{ last: number }>(`select last from code_counters where prefix = 'SR'`))[0]?.last ?? 0

it('are counted once for a request that is admitted, and not at all for one that is refused or wrong', async () => {
  const [entitlement] = await app.database.query<{ id: number }>(
    `insert into entitlements (organization_id, code, class, product_name, company)
     values ($1, $2, 'ENV', 'Hosting', 'entity_br') returning id`,
    [acme.id, CODE],
  )
  const ticket = { title: 'Slow', description: 'Since noon', entitlement_id: entitlement?.id, priority: 'normal' }
  expect((await acme.owner.post('/tickets', ticket)).status).toBe(201)
  const before = await counted()
  const member = await acme.member({ scopes: ['quotes'] })
  const nonMember = app.world.inside(await app.world.user(), acme.id)
  for (const [who, status] of [
    [member, 403],
    [nonMember, 403],
    [app.world.inside(acme.owner, 999_999), 404],
  ] as const)
    expect((await who.post('/tickets', ticket)).status).toBe(status)
  expect((await acme.owner.post('/tickets', { ...ticket, priority: 'none' })).status).toBe(422)
  expect(await counted()).toBe(before)
  expect((await acme.staff.post('/tickets', ticket)).status).toBe(201)
  expect(await counted()).toBe(before + 1)
})
