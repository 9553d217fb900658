// One answer names every bad field, by the name that was sent, including errors that no schema expresses (a password
// that is too common, a CNPJ with wrong digits, dates in the wrong order). Messages use the words of the interface.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { guarded, key, pathOf, send } from './sweep.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const customer = await app.world.user()

const namesOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {}).toSorted()]

const LINE = { product_name: 'Backup', quantity: 1, unit_price: '10.00', entitlement_class: 'PLG' }
const PAST = '2001-01-01T00:00:00.000Z'
const AHEAD = '2999-01-01T00:00:00.000Z'
const BROKEN_CNPJ = '11.222.333/0001-82'

/** Path, body and bad fields: one that the schema finds, and others that it does not. */
const STAFF: [string, object, string[]][] = [
  [
    'POST /quotes',
    { currency: 'ZZZ', valid_until: '2001-01-01', line_items: [LINE], x: 1 },
    ['currency', 'valid_until', 'x'],
  ],
  [
    'POST /quotes',
    { currency: 'JPY', valid_until: 'soon', line_items: [LINE, { quantity: 1 }, { ...LINE, unit_price: '1.5' }] },
    [
      'line_items.0.unit_price',
      'line_items.1.entitlement_class',
      'line_items.1.product_name',
      'line_items.1.unit_price',
      'line_items.2.unit_price',
      'valid_until',
    ],
  ],
  [
    'POST /invoices',
    {
      currency: 'BRL',
      number: 'BR-000001',
      origin: 'order',
      issue_date: '2026-02-01',
      due_date: '2026-01-01',
      link: 'x',
    },
    ['due_date', 'link', 'number', 'origin', 'total'],
  ],
  [
    'POST /invoices',
    { currency: 'JPY', total: '1.50', status: 'paid', organization_id: 999_999 },
    ['organization_id', 'status', 'total'],
  ],
  [
    'POST /invoices',
    { currency: 'BRL', total: '5.00', line_items: [LINE], notes: 1 },
    ['line_items.0.entitlement_class', 'notes'],
  ],
  ['POST /contracts', { start_date: '2026-02-01', end_date: '2026-01-01' }, ['end_date', 'title']],
  ['PATCH /contracts/{id}', { start_date: '2026-02-01', end_date: '2026-01-01', x: 1 }, ['end_date', 'x']],
  ['POST /contracts/{id}/renew', { start_date: '2026-02-01', end_date: '2026-01-01', x: 1 }, ['end_date', 'x']],
  [
    'POST /entitlements',
    { metadata: '{', class: 'PLG', company: 'mars' },
    ['company', 'metadata', 'organization_id', 'product_name'],
  ],
  ['POST /entitlements/{id}/renew', { expires_at: PAST, x: 1 }, ['expires_at', 'x']],
  [
    'POST /environments',
    { metadata: 'x', name: 'A', platform: 'none' },
    ['entitlement_id', 'environment_type', 'metadata', 'platform'],
  ],
  ['POST /services', { metadata: 'x' }, ['entitlement_id', 'lifecycle', 'metadata', 'name']],
  ['POST /services/{id}/milestones', { done_at: AHEAD }, ['done_at', 'title']],
  ['POST /environments/{id}/maintenance-windows', { starts_at: AHEAD, ends_at: PAST, note: 1 }, ['ends_at', 'note']],
  ['POST /environments/{id}/maintenance-windows', { ends_at: PAST }, ['ends_at', 'starts_at']],
  ['POST /licenses', { expires_at: PAST }, ['entitlement_id', 'expires_at']],
  ['POST /invoices/{id}/pay', { paid_at: AHEAD, payment_method: 1 }, ['paid_at', 'payment_method']],
  ['POST /tax-invoices/{id}/cancel', { reason: 'short', reason_code: '7' }, ['reason', 'reason_code']],
  ['POST /admin/products/{id}/prices', { currency: 'JPY', unit_price: '1.5' }, ['company', 'unit_price']],
  ['POST /admin/products/{id}/prices', { currency: 'ZZZ', company: 'mars' }, ['company', 'currency', 'unit_price']],
  ['POST /admin/organizations', { cnpj: BROKEN_CNPJ, owner_email: 'x' }, ['cnpj', 'name', 'owner_email']],
]

const CUSTOMERS: [string, object, string[]][] = [
  ['POST /auth/register', { email: 'ana@acme.example', password: 'short' }, ['name', 'password']],
  ['POST /auth/register', { email: 'x', password: 'password', name: 'Ana' }, ['email', 'password']],
  ['POST /auth/reset-password', { email: 'ana@acme.example', password: '12345678' }, ['key', 'password']],
  ['PUT /auth/me', { name: '', password: 'short' }, ['current_password', 'name', 'password']],
  ['POST /organizations', { cnpj: BROKEN_CNPJ, status: 'draft', x: 1 }, ['cnpj', 'name', 'status', 'x']],
  [
    'POST /organizations',
    { org_name: 'A', name: 'B', org_documentnumber1: BROKEN_CNPJ, org_email: 'x' },
    ['name', 'org_documentnumber1', 'org_email', 'org_name'],
  ],
  ['POST /organizations', { org_name: '', parent_id: 1 }, ['org_name', 'parent_id']],
  [
    'PUT /organizations/{id}',
    { org_documentnumber1: BROKEN_CNPJ, org_type: 'club', verification_requires: true },
    ['org_documentnumber1', 'org_type', 'verification_requires'],
  ],
  [
    'POST /organizations/{id}/collaborators',
    { email: 'x', started_at: AHEAD, expired_at: PAST },
    ['email', 'expired_at'],
  ],
  ['POST /licenses/{id}/activate', { domain: 'no host', x: 1 }, ['domain', 'x']],
  ['POST /licenses/validate', { domain: 'no host' }, ['domain', 'license_key']],
  ['POST /sites/report', { domain: 'no host' }, ['domain', 'license_key', 'version']],
]

const ask = (speaker: Speaker, name: string, body: object): Promise<Answer> => {
  const route = routes.find((one) => key(one) === name)
  if (!route) throw new Error(`no ${name}`)
  return send(speaker, route, pathOf(route), body, {})
}

describe('422 names every bad field at once', () => {
  it.each(STAFF)('%s %j', async (name, body, fields) => {
    expect(namesOf(await ask(acme.staff, name, body))).toEqual([422, fields])
  })
  it.each(CUSTOMERS)('%s %j', async (name, body, fields) => {
    const speaker = name.includes('{id}') ? acme.owner : customer
    expect(namesOf(await ask(speaker, name, body))).toEqual([422, fields])
  })
  it('422 says what is wrong in words, not with patterns', async () => {
    const body = { currency: 'brl', valid_until: 'soon', line_items: [{ ...LINE, unit_price: '1,50' }], company: 'x' }
    expect((await acme.staff.post('/quotes', body)).errors?.fields).toEqual({
      currency: 'is not a currency in use (ISO 4217)',
      valid_until: 'must be a date such as 2026-12-31',
      'line_items.0.unit_price': 'must have the form of 150.00',
      company: 'must be one of entity_br, entity_global',
    })
    const name = (await customer.post('/organizations', { name: ' ', email: 'x' })).errors?.fields
    expect(name).toEqual({
      name: 'must not be blank, nor hold invisible characters or marks that turn its direction',
      email: 'must be an e-mail address',
    })
  })
})

describe('the messages of refusals', () => {
  it('404 names the record, for every route with one in its path', async () => {
    const surprises: string[] = []
    const withId = guarded.filter(({ path }) => path.includes('{') && !path.startsWith('/organizations/{id}'))
    for (const route of withId.filter(({ method, features }) => method === 'GET' && !features.file)) {
      const speaker = route.access.kind === 'vendor' ? acme.staff : acme.owner
      const { status, message } = await speaker.get(pathOf(route))
      if (status === 404 && !/^[A-Z][A-Za-z -]+ not found$/.test(message ?? ''))
        surprises.push(`${key(route)}: ${message}`)
    }
    expect(surprises).toEqual([])
    for (const [path, message] of [
      ['/quotes/999999', 'Quote not found'],
      ['/quotes/x', 'Quote not found'],
      ['/tax-invoices/999999/pdf', 'Tax invoice not found'],
      ['/invoices/order/999999', 'Order not found'],
      ['/entitlements/code/PLG-1999010001', 'Entitlement not found'],
      ['/environments/999999/history', 'Environment not found'],
      ['/tickets/999999/comments', 'Ticket not found'],
      ['/orders/999999/subscription', 'Order not found'],
      ['/no/such/path', 'Not found'],
    ])
      expect((await acme.owner.get(path ?? '')).message).toBe(message)
    expect((await acme.staff.post('/quotes/999999/send')).message).toBe('Quote not found')
    expect((await acme.owner.delete('/auth/api-keys/999999')).message).toBe('API key not found')
    for (const id of ['x', '999999'])
      expect((await acme.staff.post(`/admin/jobs/${id}/retry`)).message).toBe('Job not found')
  })
  it('409 names states, never the internal name of a move', async () => {
    const { data: quote } = await acme.staff.post('/quotes', {
      currency: 'BRL',
      valid_until: '2999-01-01',
      line_items: [LINE],
    })
    await acme.staff.post(`/quotes/${quote.id}/cancel`)
    expect((await acme.staff.post(`/quotes/${quote.id}/send`)).message).toBe(
      'A quote that is cancelled cannot become sent',
    )
  })
  it('403 names what an API key lacks', async () => {
    const reads = app.world.speaker(await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] }), acme.owner)
    const writes = app.world.speaker(await apiKey(app, acme, { permission: 'write', scopes: ['quotes'] }), acme.owner)
    expect((await reads.post('/quotes/1/accept')).message).toBe('The API key lacks the permission write')
    expect((await writes.get('/quotes')).message).toBe('The API key lacks the permission read')
    expect((await reads.get('/orders')).message).toBe('Scope not authorized: orders')
    expect((await writes.put(`/organizations/${acme.id}`, {})).message).toBe(
      'An API key acts as a member; this needs a higher role',
    )
    const other = await app.world.organization()
    const elsewhere = await reads.get('/quotes', { 'x-service-organization': String(other.id) })
    expect(elsewhere.message).toBe('The API key belongs to another organization')
  })
})
