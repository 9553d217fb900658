// The manifests of the areas (src/modules.ts): whose folder, whose path, whose table.
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { AREAS, MODULES, ORDER } from '../../src/modules.ts'
import { ROOT } from '#test/harness/golden.ts'
import { areaExports } from './area-exports.ts'

const isListed = (area: unknown, module: string): boolean =>
  MODULES.some(({ name, areas }) => name === module && areas.some((one) => one === area))

describe('src/modules.ts', () => {
  it('has every area, of the module in whose folder it is, each under a name of its own', async () => {
    const names = AREAS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const folders = await readdir(join(ROOT, 'src/modules'))
    expect(MODULES.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
    const areas = (await areaExports()).filter(({ file }) => file.endsWith('/area.ts'))
    expect(areas.filter(({ file, value }) => !isListed(value, file.split('/')[2] ?? ''))).toEqual([])
    expect(names).toHaveLength(areas.length)
    expect(ORDER.filter((name) => !names.includes(name))).toEqual([])
  })
  it('calls each as its folder, but for what a folder has beside', async () => {
    const folders: string[] = []
    for await (const file of glob('src/modules/*/*/area.ts', { cwd: ROOT })) folders.push(file.split('/')[3] ?? '')
    expect(AREAS.map(({ name }) => name).filter((name) => !folders.includes(name))).toEqual(['invites', 'roles'])
  })
  it('has one handler for the events of each sender', () => {
    const senders = MODULES.flatMap(({ inboundSources = [] }) => inboundSources.flatMap(({ names }) => names))
    expect(new Set(senders).size).toBe(senders.length)
  })
  it('says in one sentence what each is', () => {
    expect(AREAS.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
  })
})

/** Acts on a record of another area that are more than that area knows of, and the area that declares them. */
const ELSEWHERE = [
  // Of no record: it fills the address of an organization.
  'organizations: GET /postal-codes/{zipcode}',
  // What is paid is settled with them, or refunded.
  'payments: POST /quotes/{id}/cancel',
  'payments: POST /orders/{id}/cancel',
  'payments: POST /orders/{id}/status',
  'payments: POST /invoices/{id}/pay',
  'payments: POST /invoices/{id}/apply-credit-balance',
  // An order has one subscription, so its path is in the singular.
  'subscriptions: POST /orders/{id}/subscription',
  'subscriptions: GET /orders/{id}/subscription',
  'subscriptions: PATCH /orders/{id}/subscription',
  'subscriptions: POST /orders/{id}/subscription/cancel',
  'subscriptions: DELETE /orders/{id}/subscription/cancel',
  'subscriptions: POST /orders/{id}/subscription/pause',
  'subscriptions: POST /orders/{id}/subscription/resume',
  // The acts that make a refund.
  'refunds: POST /orders/{id}/refund',
  'refunds: POST /invoices/{id}/refund',
  'refunds: POST /credit-balances/{id}/refund',
  // Fine and interest come from the schedule.
  'dunning: GET /invoices/{id}/pdf',
  'dunning: GET /invoices/{id}/late-charges',
  'dunning: POST /invoices/{id}/late-charges',
  // A ticket has one issue, so its path is in the singular.
  'issue-tracker: GET /tickets/{id}/issue',
  'issue-tracker: POST /tickets/{id}/issue',
  'issue-tracker: DELETE /tickets/{id}/issue',
  'issue-tracker: POST /tickets/{id}/issue/sync',
  // What there can be in the feed of events.
  'events: GET /event-types',
  // Without an account, so not under /me.
  'me: GET /public/notices/{token}',
  'me: PUT /public/notices/{token}',
  'staff: POST /admin/organizations/{id}/entries',
  'staff: GET /admin/entries',
  'staff: POST /admin/entries/{id}/end',
  'vendor-keys: GET /admin/api-keys',
  'vendor-keys: GET /admin/api-keys/{id}',
  'vendor-keys: POST /admin/api-keys',
  'vendor-keys: PATCH /admin/api-keys/{id}',
  'vendor-keys: POST /admin/api-keys/{id}/rotate',
  'vendor-keys: DELETE /admin/api-keys/{id}',
  // Links lead to files of all areas below.
  'exports: GET /files/{token}',
  // What the settings make of a legal entity, for everybody.
  'settings: GET /brand',
  'settings: GET /brand/logo',
]

describe('a path', () => {
  it('is declared by the area that it begins with, or whose records hang on that one’s', () => {
    const elsewhere = AREAS.flatMap(({ name, routes }) =>
      routes
        .filter(({ path }) => !path.split('/').includes(name))
        .map(({ method, path }) => `${name}: ${method} ${path}`),
    )
    expect(elsewhere).toEqual(ELSEWHERE)
  })
})

/** Of the machinery in src/kernel: every area may name them. */
const OF_THE_KERNEL = [
  'audit_beginning',
  'audit_log',
  'audit_redactions',
  'audit_sealing',
  'audit_seals',
  'code_counters',
  'event_positions',
  'event_sequences',
  'events',
  'idempotency_keys',
  'job_turns',
  'jobs',
  'rate_limits',
  'search_terms',
  'service_audit',
  'service_audit_redactions',
  'service_audit_seals',
  'test_clocks',
]

/** Table → the areas besides its own whose statements name it; another one is a decision. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  // Whose name, address and tax id go on mails, documents and requests to others, and whether it is deleted.
  organizations: [
    'affiliates',
    'audit-log',
    'auth',
    'collaborators',
    'commerce',
    'contacts',
    'contracts',
    'credit-balances',
    'crm',
    'customers',
    'documents',
    'documents-of-record',
    'downloads',
    'dunning',
    'environments',
    'imports',
    'invoices',
    'issue-tracker',
    'licenses',
    'me',
    'notifications',
    'orders',
    'payments',
    'privacy',
    'quotes',
    'reports',
    'search',
    'sites',
    'sso',
    'staff',
    'subscriptions',
    'tax-invoices',
    'tax-withholding',
    'tickets',
    'webhook-endpoints',
  ],
  // Who belongs where and may be told: a membership is joined with its user in the statement that needs both.
  collaborators: [
    'admin',
    'auth',
    'commerce',
    'contacts',
    'documents',
    'imports',
    'mails',
    'me',
    'notifications',
    'organizations',
    'quotes',
    'webhook-endpoints',
  ],
  users: [
    'admin',
    'collaborators',
    'commerce',
    'contacts',
    'exports',
    'mails',
    'me',
    'notifications',
    'organizations',
    'privacy',
    'queue',
    'quotes',
    'reports',
    'staff',
    'teams',
    'tickets',
    'vendor-keys',
    'webhook-endpoints',
  ],
  // What is bought hangs on an entitlement: lists of one entitlement, its code and name beside a record, whether it is active.
  entitlements: [
    'commerce',
    'contracts',
    'documents',
    'downloads',
    'dunning',
    'environments',
    'invoices',
    'licenses',
    'lineage',
    'notifications',
    'orders',
    'quotes',
    'refunds',
    'reports',
    'services',
    'sites',
    'tickets',
  ],
  // Money is one chain of order, invoice, payment, credit note and refund, and each shows the sums and numbers of its
  // neighbours; the statement of account has all that changed what is owed.
  orders: [
    'affiliates',
    'commerce',
    'invoices',
    'lineage',
    'quotes',
    'refunds',
    'subscriptions',
    'tax-invoices',
    'tickets',
  ],
  invoices: [
    'account-statement',
    'affiliates',
    'commerce',
    'credit-notes',
    'disputes',
    'dunning',
    'lineage',
    'payments',
    'quotes',
    'refunds',
    'reports',
    'tax-invoices',
    'tickets',
  ],
  credit_notes: ['account-statement', 'invoices', 'refunds', 'reports'],
  refunds: ['account-statement', 'commerce', 'disputes', 'payments'],
  // What was paid to another system has its tax invoice there.
  payments: ['account-statement', 'refunds', 'tax-invoices'],
  credit_balances: ['account-statement'],
  credit_balance_entries: ['account-statement', 'payments'],
  // A dispute is asked about until it has ended.
  disputes: ['payments'],
  // Lineage finds an entitlement by the number of whatever came of it; an entitlement by hand may name its quote.
  // A sent quote is a deal of the CRM.
  quotes: ['crm', 'entitlements', 'lineage', 'reports'],
  // The steps of a refund are those of the records that it touches.
  tax_invoices: ['lineage', 'refunds', 'reports'],
  // Where a license is active there is a site.
  licenses: ['lineage', 'refunds', 'reports', 'sites'],
  // A team that has open tickets is not deleted.
  tickets: ['issue-tracker', 'lineage', 'me', 'reports', 'satisfaction', 'teams'],
  ticket_ratings: ['reports'],
  // What of a ticket travels to its issue.
  ticket_comments: ['issue-tracker'],
  ticket_history: ['issue-tracker'],
  // A ticket may be about one of these; the address of an environment takes no slot of a license, and is a site.
  environments: ['licenses', 'sites', 'tickets'],
  services: ['tickets'],
  // What the areas of two modules must know of a customer.
  claims: ['customers'],
  // Each area that handles inbound events reads them by what all of them import.
  provider_events: ['inbound'],
  // A release is of a product, and what is entitled to it is found by it; a check finds entitlements by its name.
  products: ['downloads', 'entitlements'],
  // Who looks after the members sees which of them have a second factor.
  passkeys: ['collaborators'],
  totp_factors: ['collaborators'],
  // How much room the uploads and exports of an organization take.
  ticket_attachments: ['files'],
  document_versions: ['files'],
  organization_exports: ['files'],
  audit_exports: ['files'],
  // A contract without business hours has those of its legal entity.
  business_hours: ['contracts'],
  // The list of documents has the archived ones and the entitlement of a contract.
  filed_documents: ['documents'],
  contracts: ['documents', 'reports'],
  // A registration brings consents.
  consents: ['auth'],
  // What staff wrote about a person is cleared with them.
  staff_entries: ['privacy'],
  // An erasure removes what is a person's own.
  inbox_entries: ['privacy'],
  mails: ['privacy'],
  muted_addresses: ['privacy'],
  contact_confirmations: ['privacy'],
  organization_contacts: ['privacy'],
  // By which role somebody may what they may.
  organization_roles: ['me'],
  sso_identities: ['privacy'],
  // A session's second factor decides about the inbox as about requests.
  sessions: ['me'],
}

const ownerOf = new Map(AREAS.flatMap(({ name, tables }) => tables.map((table) => [table, folderOf(name)] as const)))

function folderOf(area: string): string {
  return area === 'invites' ? 'collaborators' : area
}

describe('a table', () => {
  it('belongs to one area, or to the kernel', async () => {
    const schema = await readFile(join(ROOT, 'schema.sql'), 'utf8')
    const all = [...schema.matchAll(/^create table (\w+) \(/gm)].map(([, table = '']) => table)
    const owned = AREAS.flatMap(({ tables }) => tables)
    expect([...owned, ...OF_THE_KERNEL].toSorted()).toEqual(all.toSorted())
  })
  it('is named by statements of its own area, and of those that the list knows', async () => {
    const found: Record<string, string[]> = {}
    for await (const file of glob('src/modules/*/*/**/*.ts', { cwd: ROOT })) {
      if (file.endsWith('.test.ts')) continue
      const area = file.split('/')[3] ?? ''
      const text = await readFile(join(ROOT, file), 'utf8')
      for (const table of tablesNamedIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)))
        if (ownerOf.has(table) && ownerOf.get(table) !== area && !found[table]?.includes(area))
          found[table] = [...(found[table] ?? []), area]
    }
    const sorted = Object.entries(found).map(([table, areas]) => [table, areas.toSorted()])
    expect(Object.fromEntries(sorted)).toEqual(NAMED_BY)
  })
})

/** In sql`…` after from, join, update and into; what `parentIn` looks for; and what data calls a `table`. */
function tablesNamedIn(node: ts.Node): string[] {
  const found: string[] = []
  if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql')
    for (const [, table = ''] of sqlOf(node.template).matchAll(/\b(?:from|join|update|into)\s+(\w+)/g))
      found.push(table)
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'parentIn')
    found.push(...node.arguments.filter((one) => ts.isStringLiteral(one)).map(({ text }) => text))
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'table')
    if (ts.isStringLiteral(node.initializer)) found.push(node.initializer.text)
  node.forEachChild((child) => {
    found.push(...tablesNamedIn(child))
  })
  return found
}

/** Without what is put in: that is looked at by itself. */
const sqlOf = (template: ts.TemplateLiteral): string =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ? ')
