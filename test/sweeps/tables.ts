// The tables and their rights, for the tests of the catalogue: each table has tenant policies,
// or is listed here with a reason.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { areaExports } from './area-exports.ts'
import type { TestDatabase } from '#test/harness/database.ts'

type Global = {
  why: string
  /** The rights of the service's two roles, in alphabetical order; `select(a,b)` is on columns only. */
  app: string
  system: string
  /** Customers' requests read what was published, and staff's write (docs/decisions/0038). */
  isPublished?: true
}

/** The only tables without tenant policies. */
export const GLOBAL: Readonly<Record<string, Global>> = {
  address_undos: { why: 'of a user', app: '', system: 'delete insert select update' },
  audit_beginning: { why: 'where the logs begin', app: 'select(removed_before)', system: 'select(removed_before)' },
  audit_sealing: { why: 'how far each log is sealed', app: '', system: 'select update' },
  business_hours: { why: 'of a legal entity', app: 'select', system: 'select update' },
  canned_replies: { why: 'of the vendor', app: 'select', system: 'delete insert select update' },
  code_attempts: { why: 'of a user', app: '', system: 'delete insert select update' },
  code_counters: { why: 'codes count over all', app: 'insert select update', system: 'insert select update' },
  company_settings: { why: 'of a legal entity', app: 'select', system: 'select update' },
  company_settings_history: { why: 'of a legal entity', app: '', system: 'insert select update(changed_by_name)' },
  consents: { why: 'of a user', app: '', system: 'insert select update(ip)' },
  device_sign_ins: { why: 'of a user, or of none yet', app: '', system: 'delete insert select update' },
  dunning_schedules: { why: 'of a legal entity', app: 'select', system: 'select update' },
  erasures: { why: 'of a user', app: '', system: 'insert select update' },
  event_positions: { why: 'one order of the events of all', app: '', system: 'select update' },
  exports: { why: 'of the vendor’s people', app: '', system: 'insert select update' },
  import_rows: { why: 'of the vendor’s imports', app: 'insert', system: 'delete insert select' },
  imports: { why: 'of the vendor', app: '', system: 'insert select update' },
  job_turns: { why: 'one order of the jobs of all', app: '', system: 'select update' },
  known_addresses: { why: 'of a user', app: '', system: 'delete insert select update' },
  municipal_parameters: { why: 'of a municipality', app: 'select', system: 'insert select' },
  municipal_questions: { why: 'of a municipality', app: '', system: 'insert select update' },
  number_series: { why: 'numbers of a legal entity', app: 'insert select update', system: 'insert select update' },
  passkey_challenges: { why: 'of a user, or of none yet', app: '', system: 'delete insert select' },
  passkeys: { why: 'of a user', app: 'select(user_id)', system: 'delete insert select update' },
  person_exports: { why: 'of a user', app: '', system: 'insert select update' },
  price_index_rates: { why: 'published for all', app: 'select', system: 'delete insert select update' },
  prices: { why: 'the vendor’s catalogue', app: 'select', system: 'insert select update' },
  products: { why: 'the vendor’s catalogue', app: 'select', system: 'insert select update' },
  provider_events: {
    why: 'stored before the organization is known',
    app: '',
    system: 'delete insert select update(set_aside_at,set_aside_reason)',
  },
  queue_assignments: { why: 'of the vendor', app: '', system: 'insert select update' },
  rate_limits: { why: 'of addresses and accounts', app: '', system: 'delete insert select update' },
  recovery_codes: { why: 'of a user', app: '', system: 'delete insert select update' },
  refresh_tokens: { why: 'of a user', app: '', system: 'delete insert select update' },
  release_files: { why: 'the vendor’s releases', app: 'delete insert select', system: 'select', isPublished: true },
  releases: { why: 'the vendor’s releases', app: 'delete insert select update', system: 'select', isPublished: true },
  schema_migrations: { why: 'of the schema', app: '', system: '' },
  service_audit: { why: 'of the service', app: 'insert', system: 'insert select' },
  service_audit_redactions: { why: 'of the service', app: '', system: 'insert select update' },
  service_audit_seals: { why: 'of the service', app: '', system: 'insert select' },
  sessions: {
    why: 'of a user',
    app: 'select(authenticated_at,ended_at,expires_at,id,second_factor,secret_digest,sso_organization_id,sso_second_factor,user_id)',
    system: 'delete insert select update',
  },
  sign_in_challenges: { why: 'of a user', app: '', system: 'delete insert select update' },
  sso_identities: { why: 'of a user', app: '', system: 'delete insert select update' },
  sso_sign_ins: { why: 'of a user who is not known yet', app: '', system: 'delete insert select' },
  team_members: { why: 'of the vendor’s staff', app: 'select', system: 'delete insert select' },
  teams: { why: 'of the vendor’s staff', app: 'select', system: 'insert select update' },
  totp_factors: { why: 'of a user', app: 'select(confirmed_at,user_id)', system: 'delete insert select update' },
  user_tokens: { why: 'of a user', app: '', system: 'delete insert select update' },
  users: {
    why: 'a user may belong to several organizations',
    app: 'select(appointed_at,avatar,disabled_at,email,id,language,login,name,roles,status)',
    system: 'insert select update',
  },
  vendor_keys: { why: 'of the vendor', app: '', system: 'insert select update' },
}

/** Tenant tables with other rights than usual (`expectedRights`). */
const FEWER: Readonly<Record<string, Omit<Global, 'why'>>> = {
  // The vendor's order is given after the commit, and old events are removed.
  events: { app: 'insert select', system: 'delete insert select update(position)' },
  // Written by jobs in the organization, read by the person over all of theirs.
  inbox_entries: { app: 'insert select', system: 'delete select update' },
  // The link of a mail is followed outside of any organization.
  contact_confirmations: { app: 'insert select update', system: 'delete insert select update' },
  muted_addresses: { app: 'select', system: 'delete insert select' },
  mails: { app: 'insert select update', system: 'delete insert select update' },
  claims: { app: 'delete insert select', system: 'delete insert select' },
  issue_references: { app: 'delete insert select', system: 'insert select' },
  payment_references: { app: 'insert select', system: 'insert select update' },
  // Final, but for what other systems keep with them.
  credit_notes: { app: 'insert select update(external_id,metadata,updated_at)', system: 'insert select' },
  payments: { app: 'insert select update(external_id,metadata,moved_at,updated_at)', system: 'insert select' },
  organization_erasures: { app: '', system: 'insert select update' },
  // The organization's exports have the hashes.
  audit_seals: { app: 'select', system: 'insert select' },
  // A second person may be erased from the same entry.
  audit_redactions: { app: 'select', system: 'insert select update' },
  // Written under /admin; the access check reads a view of it.
  staff_entries: { app: '', system: 'insert select update(ended_at,reason,updated_at,user_name)' },
  // Staff move it; the organization's own requests learn its time from the access check and the lock.
  test_clocks: { app: '', system: 'delete insert select update' },
}

/** Copies of a person's name and address in rows that are final otherwise: an erasure clears them. */
const CLEARED: Readonly<Record<string, string>> = {
  contract_history: 'update(changed_by_name)',
  document_accesses: 'update(ip,reader)',
  environment_history: 'update(changed_by_name)',
  company_settings_history: 'update(changed_by_name)',
  service_history: 'update(changed_by_name)',
  ticket_history: 'update(changed_by_name)',
}
export const isCleared = (table: string): boolean => table in CLEARED

/** Append-only tables: histories, and other rows that are final. */
export const isAppendOnly = (table: string): boolean =>
  table.endsWith('_history') ||
  [
    'affiliate_entries',
    'audit_log',
    'audit_seals',
    'credit_balance_entries',
    'document_accesses',
    'filed_documents',
    'imported_records',
    'service_audit',
    'service_audit_seals',
    'tax_invoice_documents',
    'ticket_issue_comments',
  ].includes(table)

/** All tables, and the tenant tables among them. */
export async function tablesOf(database: TestDatabase): Promise<{ all: string[]; tenantTables: string[] }> {
  const rows = await database.query<{ name: string }>(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f') order by 1`)
  const all = rows.map(({ name }) => name)
  return { all, tenantTables: all.filter((table) => !(table in GLOBAL)) }
}

export type Rights = { titular_app: string; titular_system: string }

/** The rights that the roles should have on a table; `delete` only where the code deletes rows. */
export function expectedRights(table: string, removed: ReadonlySet<string>): Rights {
  const given = GLOBAL[table] ?? FEWER[table]
  if (given) return { titular_app: given.app, titular_system: given.system }
  const rights = isAppendOnly(table) ? 'insert select' : `${removed.has(table) ? 'delete ' : ''}insert select update`
  const cleared = CLEARED[table]
  return { titular_app: rights, titular_system: cleared === undefined ? rights : `${rights} ${cleared}` }
}

const ROOT = join(import.meta.dirname, '../..')

/** The tables whose rows the code deletes, in SQL or with `remove` of kernel/data/changes.ts. */
export async function removedTables(): Promise<Set<string>> {
  const names = new Map((await areaExports()).map(({ name, value }) => [name, nameOf(value)]))
  const removed = new Set<string>()
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
    if (path.endsWith('.test.ts')) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const [, table = ''] of text.matchAll(/\bdelete from (\w+)/g)) removed.add(table)
    for (const [, name = ''] of text.matchAll(/\bremove\(ctx, (\w+),/g)) removed.add(names.get(name) ?? name)
  }
  return removed
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : undefined
