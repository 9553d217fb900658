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
  business_hours: { why: 'of a legal entity', app: 'select', system: 'select update' },
  code_counters: { why: 'codes count over all', app: 'insert select update', system: 'insert select update' },
  dunning_schedules: { why: 'of a legal entity', app: 'select', system: 'select update' },
  event_positions: { why: 'one order of the events of all', app: '', system: 'select update' },
  known_addresses: { why: 'of a user', app: '', system: 'delete insert select update' },
  municipal_parameters: { why: 'of a municipality', app: 'select', system: 'insert select' },
  municipal_questions: { why: 'of a municipality', app: '', system: 'insert select update' },
  number_series: { why: 'numbers of a legal entity', app: 'insert select update', system: 'insert select update' },
  prices: { why: 'the vendor’s catalogue', app: 'select', system: 'insert select update' },
  products: { why: 'the vendor’s catalogue', app: 'select', system: 'insert select update' },
  provider_events: { why: 'stored before the organization is known', app: '', system: 'delete insert select' },
  rate_limits: { why: 'of addresses and accounts', app: '', system: 'delete insert select update' },
  refresh_tokens: { why: 'of a user', app: '', system: 'delete insert select update' },
  release_files: { why: 'the vendor’s releases', app: 'delete insert select', system: 'select', isPublished: true },
  releases: { why: 'the vendor’s releases', app: 'delete insert select update', system: 'select', isPublished: true },
  schema_migrations: { why: 'of the schema', app: '', system: '' },
  service_audit: { why: 'of the service', app: 'insert', system: 'insert select' },
  sessions: {
    why: 'of a user',
    app: 'select(ended_at,expires_at,id,secret_digest,user_id)',
    system: 'delete insert select update',
  },
  user_tokens: { why: 'of a user', app: '', system: 'delete insert select update' },
  users: {
    why: 'a user may belong to several organizations',
    app: 'select(avatar,disabled_at,email,id,language,login,name,roles,status)',
    system: 'insert select update',
  },
}

/** Tenant tables with other rights than usual (`expectedRights`). */
const FEWER: Readonly<Record<string, Omit<Global, 'why'>>> = {
  // The vendor's order is given after the commit, and old events are removed.
  events: { app: 'insert select', system: 'delete insert select update(position)' },
  claims: { app: 'delete insert select', system: 'delete insert select' },
  payment_references: { app: 'insert select', system: 'insert select update' },
  // Staff move it; the organization's own requests learn its time from the access check and the lock.
  test_clocks: { app: '', system: 'insert select update' },
}

/** Append-only tables: histories, and other rows that are final. */
export const isAppendOnly = (table: string): boolean =>
  table.endsWith('_history') ||
  [
    'affiliate_entries',
    'audit_log',
    'credit_balance_entries',
    'credit_notes',
    'document_accesses',
    'filed_documents',
    'issue_references',
    'payments',
    'service_audit',
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
  return { titular_app: rights, titular_system: rights }
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
