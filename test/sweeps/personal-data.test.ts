// Where personal data is kept, against the database: each column that refers to an account is declared, each copy of a name or
// of an address is cleared by an erasure, and nothing secret is exported.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declarations } from '../../src/modules.ts'
import { exportedTables, NOT_OF_THE_ORGANIZATION } from '#modules/operations/privacy/organization-records.ts'
import { personalTables, SECRET_COLUMN } from '#modules/operations/privacy/personal-data.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { tablesOf } from './tables.ts'

const { people } = declarations.erasure

/** Columns that refer to an account and hold nothing that lasts, with the reason. */
const NOT_PERSONAL: Readonly<Record<string, string>> = {
  'user_tokens.user_id': 'mailed tokens, which end within days',
  'refresh_tokens.session_id': 'tokens of sessions',
  'sign_in_challenges.user_id': 'ends within minutes',
  'passkey_challenges.user_id': 'ends within minutes',
  'device_sign_ins.session_id': 'ends within minutes',
  'code_attempts.user_id': 'a counter of minutes',
}

/** Copies of what a person is called or where they are that an erasure leaves where they are, and why. */
const LEFT: Readonly<Record<string, string>> = {
  'address_undos.email': 'the row is removed',
  'mails.email': 'the row is removed',
  'organization_contacts.email': 'the row is removed',
  'muted_addresses.email': 'the row is removed',
  'contact_confirmations.email': 'the row is removed',
  'audit_log.ip': 'erased by a function of the database',
  'service_audit.ip': 'erased by a function of the database',
  'collaborators.email': 'the row is removed',
  'orders.billing_email': 'on fiscal documents',
  'orders.billing_name': 'on fiscal documents',
  'organizations.email': 'the organization’s',
  'organizations.phone': 'the organization’s',
  'organizations.tax_email': 'the organization’s',
  'device_sign_ins.ip': 'the row is removed within a day',
  'sessions.ip': 'the row is removed',
  'sessions.user_agent': 'the row is removed',
  'sso_connections.trusts_email': 'no address: whether those of the provider count',
  'user_tokens.email': 'the row is removed',
  'users.email': 'the account is erased',
  'users.phone': 'the account is erased',
}
const COPY = /(^|_)(email|phone|ip|user_agent)$|^(author|user|changed_by|created_by|requested_by)_name$|^reader$/

/** Columns that sound like secrets and are none to their organization. */
const OPEN = [
  'licenses.license_key',
  'licenses.key_last_four',
  'tax_invoices.access_key',
  'ticket_issues.key',
  'tickets.tracker_key',
]

let database: TestDatabase
let columns: { table: string; name: string; type: string }[]
beforeAll(async () => {
  database = await cloneDatabase()
  columns = await database.query(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, a.attnum`)
})
afterAll(() => database.drop())

const known = () => new Set(columns.map(({ table, name }) => `${table}.${name}`))

describe('personal data', () => {
  it('is declared for each column that refers to an account', async () => {
    const referring = await database.query<{ name: string }>(`
      select o.conrelid::regclass || '.' || a.attname as name from pg_constraint o
        join pg_attribute a on a.attrelid = o.conrelid and a.attnum = any(o.conkey)
       where o.contype = 'f' and o.confrelid = 'users'::regclass order by 1`)
    const declared = [...Object.keys(people), ...Object.keys(NOT_PERSONAL)]
    expect(referring.map(({ name }) => name).filter((name) => !declared.includes(name))).toEqual([])
    expect(declared.filter((name) => !known().has(name))).toEqual([])
  })
  it('has no copy that an erasure forgets', () => {
    const cleared = Object.entries(people).flatMap(([key, { erased = {} }]) =>
      Object.keys(erased).map((column) => `${key.split('.')[0]}.${column}`),
    )
    const copies = columns.flatMap(({ table, name }) => (COPY.test(name) ? [`${table}.${name}`] : []))
    const decided = [...cleared, ...Object.keys(LEFT)]
    expect(copies.filter((name) => !decided.includes(name))).toEqual([])
    expect(decided.filter((name) => !known().has(name))).toEqual([])
  })
})

describe('an export of an organization', () => {
  const exported = exportedTables(declarations)
  it('has each tenant table that an area lists, or says why not', async () => {
    const { tenantTables } = await tablesOf(database)
    const listed = declarations.tables
    expect(exported.map(({ name }) => name).filter((name) => !tenantTables.includes(name))).toEqual([])
    expect(Object.keys(NOT_OF_THE_ORGANIZATION).filter((name) => !listed.includes(name))).toEqual([])
  })
})

describe('no export', () => {
  it('has columns of secrets: keys, hashes and bytes are open only where a line says so', () => {
    const exported = exportedTables(declarations)
    const shown = [...exported, ...personalTables(people)].flatMap(({ name, columnsOf }) =>
      columnsOf(columns.filter(({ table }) => table === name).map((column) => column.name)).map((column) => ({
        key: `${name}.${column}`,
        type: columns.find((one) => one.table === name && one.name === column)?.type,
      })),
    )
    const doubtful = shown.filter(({ key, type }) => type === 'bytea' || /(_|\.)(key|hash)(_|s?$)/.test(key))
    expect([...new Set(doubtful.map(({ key }) => key))].filter((key) => !OPEN.includes(key))).toEqual([])
    expect(shown.filter(({ key }) => SECRET_COLUMN.test(key.split('.')[1] ?? ''))).toEqual([])
  })
})
