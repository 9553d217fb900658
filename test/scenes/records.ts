// One real record of every kind in an organization, written into the tables, for the sweeps that request another
// organization's records. A new area has a file in records/, or test/sweeps/tenancy.test.ts fails.
import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Scope } from '#kernel/values/permissions.ts'
import { digest } from '#kernel/keys/secrets.ts'
import type { TestApp } from '#test/harness/app.ts'
import { FIXED } from './commerce.ts'
import { nfseXml } from './nfse-note.ts'
import { basic } from './vendor-keys.ts'
import type { Headers, Organization } from '#test/harness/world.ts'

/** Path segment before the parameter → the id. */
export type Records = Record<string, number | string>

type Values = Record<string, unknown>

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

export async function createRecords(app: TestApp, organization: Organization): Promise<Records> {
  const { id: organization_id, owner } = organization
  const add = (table: string, values: Values) => addRow(app, table, { organization_id, ...values })
  const company = 'entity_br'
  const money = { currency: 'BRL', total: '100.00' }
  const line = { product_name: 'Backup', quantity: 1, unit_price: '100.00', entitlement_class: 'PLG' }
  const counted = { subtotal: '100.00', discount: '0.00', tax_rate: null, tax: '0.00', total: '100.00' }
  const origin = { entitlement_code: null, product_id: null, sku: null }
  const lines = JSON.stringify([{ ...line, ...counted, ...origin, description: null, term_months: 12 }])
  const quote = {
    ...money,
    subtotal: '100.00',
    tax_total: '0.00',
    company,
    line_items: JSON.stringify(JSON.parse(lines).map((one: object) => ({ ...one, ...FIXED }))),
    valid_until: '2999-12-31',
  }
  const quotes = await add('quotes', { ...quote, status: 'accepted' })
  const order = { ...money, subtotal: '100.00', tax_total: '0.00', company, line_items: lines, quote_id: quotes }
  const charged = {
    subscription_status: 'active',
    subscription_collection_method: 'charge_automatically',
    subscription_requested_at: app.clock.now,
    subscription_amount: '100.00',
    subscription_failed_attempt: 'in_1 1',
  }
  const orders = await add('orders', { ...order, ...charged, number: `T-${quotes}` })
  await app.database.query('update quotes set order_id = $1 where id = $2', [orders, quotes])
  const dates = { issue_date: '2026-01-01', due_date: '2026-01-31' }
  const invoice = { ...money, ...dates, company, line_items: lines, order_id: orders, status: 'open' }
  const invoices = await add('invoices', { ...invoice, number: `T-${orders}` })
  const declared = { invoice_id: invoices, order_id: orders, total: '100.00', line_items: lines, recipient: '{}' }
  const noted = { series: '1', rps_number: orders, competence: '2026-01-01', description: 'Backup' }
  const issued = { status: 'issued', nfse_number: `${orders}`, access_key: `KEY-${orders}` }
  const taxInvoices = await add('tax_invoices', { ...declared, ...noted, ...issued, issued_at: app.clock.now })
  const signed = { tax_invoice_id: taxInvoices, kind: 'invoice', xml: nfseXml() }
  await add('tax_invoice_documents', { ...signed, sha256: sha256Of(signed.xml) })
  const refunds = await add('refunds', { order_id: orders, invoice_id: invoices, amount: '1.00', currency: 'BRL' })
  const corrected = { company, series: 'BRC', number: `C-${orders}`, invoice_id: invoices, issue_date: '2026-01-02' }
  const creditNotes = await add('credit_notes', { ...corrected, currency: 'BRL', total: '1.00', line_items: '[]' })
  const entitlement_code = `PLG-190001${String(quotes).padStart(4, '0')}`
  const entitled = { code: entitlement_code, class: 'PLG', product_name: 'Backup', company, order_id: orders }
  const entitlements = await add('entitlements', entitled)
  const hangs = { entitlement_id: entitlements, entitlement_code }
  const license_key = randomBytes(12).toString('hex')
  const licenses = await add('licenses', { ...hangs, license_key, product_name: 'Backup', activations_limit: 1 })
  const place = { name: 'Portal', platform: 'custom', environment_type: 'production' }
  const environments = await add('environments', { ...hangs, ...place })
  const step = activated(app)
  await add('environment_history', { environment_id: environments, ...step })
  const times = { starts_at: '2999-12-01', ends_at: '2999-12-02' }
  const windows = await add('maintenance_windows', { environment_id: environments, ...times })
  const services = await add('services', { ...hangs, name: 'Migration', lifecycle: 'project' })
  await add('service_history', { service_id: services, ...step, to_status: 'approved' })
  const milestones = await add('milestones', { service_id: services, title: 'Courses migrated' })
  const storage_key = `${organization_id}/${randomBytes(16).toString('hex')}`
  await app.service.ports.files.put(storage_key, Readable.from([Buffer.from('bytes')]))
  const bytes = { size: 5, sha256: sha256Of('bytes'), storage_key }
  const document = {
    resource: 'invoice',
    resource_id: invoices,
    version: 'paid',
    language: 'en',
    file_name: 'Invoice.pdf',
  }
  await add('filed_documents', { ...document, ...bytes })
  const apiKeys = await apiKeyPair(app, organization, { permission: 'read', scopes: ['quotes'] })
  await addUnique(app, organization_id, invoices)
  await addAudit(app, organization)
  const [collaborator] = await app.database.query<{ id: number }>(
    `select id from collaborators where organization_id = $1 and user_id = $2`,
    [organization_id, owner.userId],
  )
  const records: Records = {
    organizations: organization_id,
    collaborators: collaborator?.id ?? 0,
    'api-keys': apiKeys.id,
    code: entitlement_code,
    order: orders,
    quotes,
    orders,
    invoices,
    'tax-invoices': taxInvoices,
    refunds,
    'credit-notes': creditNotes,
    entitlements,
    licenses,
    environments,
    'maintenance-windows': windows,
    services,
    milestones,
  }
  for (const addRecords of await addersOfAreas())
    Object.assign(records, await addRecords({ app, organization, add, records }))
  return records
}

/** A step of a history. */
export const activated = (app: TestApp) => ({
  to_status: 'active',
  changed_at: app.clock.now,
  changed_by_name: 'system',
})

export type AddRecords = (scene: {
  app: TestApp
  organization: Organization
  add: (table: string, values: Values) => Promise<number>
  /** The records so far: the chain from quote to entitlement, and those of the areas before in the alphabet. */
  records: Records
}) => Promise<Records>

/** The `addRecords` of each file in records/, which has its area's name. */
async function addersOfAreas(): Promise<AddRecords[]> {
  const files = globSync('*.ts', { cwd: join(import.meta.dirname, 'records') }).toSorted()
  const modules = await Promise.all(files.map((file) => import(`./records/${file}`)))
  return modules.map(({ addRecords }: { addRecords: AddRecords }) => addRecords)
}

/** Unique over all organizations. */
async function addUnique(app: TestApp, organization: number, invoice: number): Promise<void> {
  const reference = randomBytes(8).toString('hex')
  await app.database.query(
    `with claim as (insert into claims (kind, value, organization_id) values ('crm_company_id_br', $1, $2))
     insert into payment_references (company, provider, reference, organization_id, resource, resource_id)
     values ('entity_br', 'sandbox', $1, $2, 'invoice', $3)`,
    [reference, organization, invoice],
  )
}

async function addAudit(app: TestApp, { id: organization_id, owner }: Organization): Promise<void> {
  const at = app.clock.now
  const about = { organization_id, resource: 'quote', resource_id: 1, at }
  await addRow(app, 'events', { ...about, sequence: 1_000_000, type: 'titular/quote/sent', data: '{}' })
  const actor = { actor_kind: 'user', actor: 'somebody', actor_id: owner.userId }
  await addRow(app, 'audit_log', { ...about, ...actor, action: 'viewed', request_id: 'test' })
  // Far ahead, so that no worker claims it.
  await addRow(app, 'jobs', { organization_id, kind: 'test/never', run_at: '2999-01-01' })
  const answer = { body_digest: Buffer.alloc(32), status: 200, answer: '{}', created_at: at }
  await app.database.query(
    `insert into idempotency_keys (digest, organization_id, body_digest, status, answer, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [randomBytes(32), organization_id, answer.body_digest, answer.status, answer.answer, answer.created_at],
  )
}

export async function addRow(app: TestApp, table: string, values: Values): Promise<number> {
  const columns = Object.keys(values)
  const places = columns.map((_, index) => `$${index + 1}`)
  const [row] = await app.database.query<{ id: number }>(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(values),
  )
  return row?.id ?? 0
}

type KeyOptions = { permission: 'read' | 'write' | 'read_write'; scopes: Scope[] }

/** The headers with an API key of the organization's owner. */
export async function apiKey(app: TestApp, organization: Organization, options: KeyOptions): Promise<Headers> {
  const { consumerKey, secret } = await apiKeyPair(app, organization, options)
  return { authorization: basic(consumerKey, secret) }
}

export async function apiKeyPair(app: TestApp, { id, owner }: Organization, { permission, scopes }: KeyOptions) {
  const consumerKey = `ck_${randomBytes(16).toString('hex')}`
  const secret = `cs_${randomBytes(16).toString('hex')}`
  const who = { organization_id: id, user_id: owner.userId, name: 'test' }
  const row = { ...who, consumer_key: consumerKey, secret_digest: digest(secret), permission, scopes }
  return { id: await addRow(app, 'api_keys', { ...row, last_four: secret.slice(-4) }), consumerKey, secret }
}
