// What the commonest changes cost at the database, so that a change of it shows (docs/performance.md).
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { FIXED } from '#test/scenes/commerce.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { startWiretapped, type Wiretapped } from '#test/harness/wiretapped.ts'

/** On a cluster it is more statements, which tell the nodes of the tenant. */
const { isDistributed } = inject('postgres')

/** Round trips and statements include BEGIN, what it sets, and COMMIT. */
type Cost = { trips: number; statements: number; checks: number }

let tapped: Wiretapped
let acme: Organization
const ids = { entitlement: 0, license: 0, ticket: 0, quotes: [] as number[], drafts: [] as number[] }
const CODE = 'ENV-2026110001'
const LINE = { product_name: 'Backup', quantity: 1, unit_price: '1.00', entitlement_class: 'PLG' }
const QUOTE = { currency: 'BRL', valid_until: '2999-12-31', line_items: [LINE] }

beforeAll(async () => {
  tapped = await startWiretapped()
  acme = await tapped.world.organization()
  const { database } = tapped
  const idsOf = async (text: string, values: unknown[]) =>
    (await database.query<{ id: number }>(`${text} returning id`, values)).map(({ id }) => id)
  const [entitlement = 0] = await idsOf(
    `insert into entitlements (organization_id, code, class, product_name, company) values ($1, $2, 'ENV', 'Hosting', 'entity_br')`,
    [acme.id, CODE],
  )
  const [license = 0] = await idsOf(
    `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
     values ($1, '22222-33333-44444-55555-66666', 'Backup', $2, $3, 9)`,
    [acme.id, entitlement, CODE],
  )
  const insertQuotes = `
    insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, valid_until, line_items)
    select $1, 'sent', 'entity_br', 'BRL', 1.00, 0.00, 1.00, '2999-12-31', $2 from generate_series(1, 4)`
  const lines = JSON.stringify([{ ...LINE, ...FIXED, total: '1.00' }])
  ids.quotes = await idsOf(insertQuotes, [acme.id, lines])
  Object.assign(ids, { entitlement, license })
  for (let draft = 0; draft < 2; draft++) ids.drafts.push((await acme.staff.post('/quotes', QUOTE)).data.id)
  ids.ticket = (await newTicket()).data.id
})
afterAll(() => tapped.close())

const sites = ['a.example', 'b.example', 'a.example', 'b.example']
const newTicket = () =>
  acme.owner.post('/tickets', {
    title: 'Slow',
    description: 'Since noon',
    entitlement_id: ids.entitlement,
    priority: 'normal',
  })
const statuses = ['waiting', 'in_progress']
const phones = ['+5511999990001', '+5511999990002']
const site = () => ({ domain: sites.pop() })

const changes: [string, () => Promise<Answer>, Cost][] = [
  ['POST /quotes', () => acme.staff.post('/quotes', QUOTE), { trips: 4, statements: 8, checks: 1 }],
  [
    'POST /quotes/{id}/send',
    () => acme.staff.post(`/quotes/${ids.drafts.pop()}/send`),
    { trips: 3, statements: 8, checks: 1 },
  ],
  [
    'POST /quotes/{id}/accept',
    () => acme.owner.post(`/quotes/${ids.quotes.pop()}/accept`),
    { trips: 5, statements: 17, checks: 2 },
  ],
  [
    'POST /quotes/{id}/reject',
    () => acme.owner.post(`/quotes/${ids.quotes.pop()}/reject`),
    { trips: 3, statements: 6, checks: 1 },
  ],
  ['POST /tickets', newTicket, { trips: 4, statements: 12, checks: 2 }],
  [
    'POST /tickets/{id}/comments',
    () => acme.owner.post(`/tickets/${ids.ticket}/comments`, { body: 'Still' }),
    { trips: 3, statements: 7, checks: 1 },
  ],
  [
    'POST /tickets/{id}/status',
    () => acme.staff.post(`/tickets/${ids.ticket}/status`, { status: statuses.pop() }),
    { trips: 3, statements: 9, checks: 1 },
  ],
  [
    'POST /licenses/{id}/activate',
    () => acme.owner.post(`/licenses/${ids.license}/activate`, site()),
    { trips: 3, statements: 7, checks: 1 },
  ],
  [
    'POST /licenses/{id}/deactivate',
    () => acme.owner.post(`/licenses/${ids.license}/deactivate`, site()),
    { trips: 3, statements: 7, checks: 1 },
  ],
  [
    'PUT /organizations/{id}',
    () => acme.owner.put(`/organizations/${acme.id}`, { phone: phones.pop() }),
    { trips: 5, statements: 8, checks: 1 },
  ],
]

it.skipIf(isDistributed).each(changes)('%s', async (_what, ask, cost) => {
  // The first one prepares the statements.
  expect((await ask()).errors).toBeNull()
  tapped.wiretap.reset()
  expect((await ask()).errors).toBeNull()
  const statements = tapped.wiretap.statements()
  const checks = statements.filter((text) => text.includes(`set_config('app.scopes'`)).length
  expect({ trips: tapped.wiretap.trips(), statements: statements.length, checks }).toEqual(cost)
})

it.skipIf(isDistributed)('enqueue nothing for a CRM or a shop that is not connected', async () => {
  const kinds = await tapped.database.query<{ kind: string }>(`select distinct kind from jobs order by kind`)
  expect(kinds.map(({ kind }) => kind).filter((kind) => /^(crm|commerce)\//.test(kind))).toEqual([])
  expect(kinds.map(({ kind }) => kind)).toContain('payments/open-checkout')
})
