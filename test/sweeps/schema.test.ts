// The tables of the code against those of the database: columns, types, nulls, enumerations, digits of currencies,
// roles and scopes; and the generated files against what would be generated now.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { FLAGS, ROLE_NAMES, ROLES, SCOPE_NAMES, SCOPES } from '#kernel/values/permissions.ts'
import { isCurrency, minorDigits } from '#kernel/values/money.ts'
import type { Table } from '#kernel/data/table.ts'
import { heldBy } from './access-matrix.ts'
import { areaExports } from './area-exports.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { goldenFiles, ROOT } from '#test/harness/golden.ts'

type Column = { table: string; name: string; type: string; nullable: boolean; generated: boolean; hasDefault: boolean }
type Property = { type?: string | string[]; enum?: unknown[]; format?: string; anyOf?: Property[] }

let database: TestDatabase
let tables: { table: Table; file: string }[]
let columns: Map<string, Column>
let checks: Map<string, string[]>

beforeAll(async () => {
  database = await cloneDatabase()
  tables = (await areaExports()).flatMap(({ value, file }) => (isTable(value) ? [{ table: value, file }] : []))
  const found = await database.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
           a.attgenerated <> '' as generated, a.atthasdef or a.attidentity <> '' as "hasDefault"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  columns = new Map(found.map((column) => [`${column.table}.${column.name}`, column]))
  checks = await enumerations()
})
afterAll(() => database.drop())

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && 'resource' in value && 'columns' in value && 'schema' in value
}

const propertiesOf = ({ schema }: Table): [string, Property][] =>
  Object.entries((schema as unknown as { properties: Record<string, Property> }).properties)

/** The values of constraints such as `check (status = any (array['a', 'b']))`, by `table.column`. */
async function enumerations(): Promise<Map<string, string[]>> {
  const rows = await database.query<{ table: string; name: string; definition: string }>(`
    select o.conrelid::regclass::text as table, a.attname as name, pg_get_constraintdef(o.oid) as definition
      from pg_constraint o join pg_attribute a on a.attrelid = o.conrelid and a.attnum = o.conkey[1]
     where o.contype = 'c' and cardinality(o.conkey) = 1 and o.connamespace = 'public'::regnamespace`)
  return new Map(
    rows
      .filter(({ definition }) => /= ANY \(\(?ARRAY\[/.test(definition))
      .map(({ table, name, definition }) => [
        `${table}.${name}`,
        [...definition.matchAll(/'([^']*)'::text/g)].map(([, value]) => value ?? '').toSorted(),
      ]),
  )
}

/** The database types that fit a schema. */
const FITS: Record<string, RegExp> = {
  integer: /^(bigint|integer|smallint)$/,
  number: /^(bigint|integer|numeric|double precision)$/,
  boolean: /^boolean$/,
  array: /(\[\]|^jsonb)$/,
  object: /^jsonb$/,
  'date-time': /^timestamp with time zone$/,
  date: /^date$/,
  string: /^(text|character varying|numeric|uuid|character)$/,
}

const typesOf = ({ type, enum: values, anyOf }: Property): string[] =>
  anyOf ? anyOf.flatMap(typesOf) : type !== undefined ? [type].flat() : values ? ['string'] : []

const isNullable = (property: Property): boolean =>
  typesOf(property).includes('null') || (property.enum?.includes(null) ?? false)

function fits(property: Property, column: Column): boolean {
  const format = property.format ?? property.anyOf?.find((one) => one.format)?.format ?? ''
  const kind = FITS[format] ?? FITS[typesOf(property).find((type) => type !== 'null') ?? '']
  return kind?.test(column.type) ?? false
}

describe('the tables of the code', () => {
  it('are found', () => {
    expect(tables.map(({ table }) => table.name)).toContain('entitlements')
    expect(new Set(tables.map(({ table }) => table.name)).size).toBe(tables.length)
  })
  it('have the columns of the database, with fitting types and nulls', () => {
    const problems: string[] = []
    for (const { table, file } of tables) {
      for (const [name, property] of propertiesOf(table)) {
        const about = `${file}: ${table.name}.${name}`
        const column = columns.get(`${table.name}.${name}`)
        if (!column) problems.push(`${about} is no column`)
        else if (column.type === 'bytea' && table.masked.includes(name)) continue
        else if (!fits(property, column))
          problems.push(`${about} is ${JSON.stringify(typesOf(property))}, the column ${column.type}`)
        else if (column.nullable && !column.generated && !isNullable(property))
          problems.push(`${about} is never null, the column may be`)
      }
      for (const name of [...table.columns, ...table.masked])
        if (!columns.has(`${table.name}.${name}`)) problems.push(`${file}: ${table.name}.${name} is no column`)
      for (const name of table.columns)
        if (columns.get(`${table.name}.${name}`)?.generated && name !== 'organization_id')
          problems.push(`${file}: ${table.name}.${name} is computed by the database: name it in "derived"`)
    }
    expect(problems, problems.join('\n')).toEqual([])
  })
  it('declare every time and decimal, so that each has one form in audit entries and events', () => {
    const problems = tables.flatMap(({ table }) =>
      [...columns.values()]
        .filter(({ name, ...column }) => column.table === table.name && !table.masked.includes(name))
        .filter(({ name, type }) =>
          type === 'timestamp with time zone'
            ? !table.times.includes(name)
            : type.startsWith('numeric') && !table.decimals.includes(name),
        )
        .map(({ name }) => `${table.name}.${name}`),
    )
    expect(problems).toEqual([])
  })
  it('write every column that is required and has no default', () => {
    const problems = tables.flatMap(({ table }) =>
      [...columns.values()]
        .filter((column) => column.table === table.name && !column.nullable && !column.hasDefault && !column.generated)
        .filter(({ name }) => !table.columns.includes(name) && name !== 'organization_id')
        .map(({ name }) => `${table.name}.${name}`),
    )
    expect(problems).toEqual([])
  })
  it('have the enumerations of the check constraints', () => {
    const problems: string[] = []
    for (const { table, file } of tables)
      for (const [name, { enum: values, anyOf }] of propertiesOf(table)) {
        const listed = (values ?? anyOf?.find((one) => one.enum)?.enum)
          ?.filter((value) => value !== null)
          .map(String)
          .toSorted()
        const allowed = checks.get(`${table.name}.${name}`)
        if (listed && JSON.stringify(listed) !== JSON.stringify(allowed))
          problems.push(
            `${file}: ${table.name}.${name} is ${listed.join()}, the constraint ${allowed?.join() ?? 'missing'}`,
          )
        if (!listed && allowed)
          problems.push(`${file}: ${table.name}.${name} is free, the constraint has ${allowed.join()}`)
      }
    expect(problems, problems.join('\n')).toEqual([])
  })
})

describe('the database', () => {
  it('counts the minor digits of every currency as kernel/values/money.ts does', async () => {
    const currencies = Intl.supportedValuesOf('currency').filter(isCurrency)
    expect(currencies.length).toBeGreaterThan(150)
    const rows = await database.query<{ currency: string; digits: number }>(
      `select currency, currency_digits(currency) as digits from unnest($1::text[]) currency`,
      [currencies],
    )
    expect(Object.fromEntries(rows.map(({ currency, digits }) => [currency, digits]))).toEqual(
      Object.fromEntries(currencies.map((currency) => [currency, minorDigits(currency)])),
    )
  })
  it('has the weights of roles and the scopes of flags of kernel/values/permissions.ts', async () => {
    expect(checks.get('collaborators.role')).toEqual([...ROLE_NAMES].toSorted())
    const [organization] = await database.query<{ id: number }>(
      `insert into organizations (name) values ('x') returning id`,
    )
    let number = 0
    const given = async (role: string, flags: readonly string[]) => {
      const [row] = await database.query<{ weight: number; scopes: string[] }>(
        `insert into collaborators (organization_id, email, role${flags.map((flag) => `, ${flag}`).join('')})
         values ($1, $2, $3${flags.map(() => ', true').join('')}) returning weight, granted_scopes as scopes`,
        [organization?.id, `${(number += 1)}@example.com`, role],
      )
      // One owner at a time.
      await database.query(`delete from collaborators where organization_id = $1`, [organization?.id])
      return row
    }
    for (const role of ROLE_NAMES) {
      expect((await given(role, []))?.weight, role).toBe(ROLES[role].weight)
      for (const scope of SCOPE_NAMES) {
        const scopes = (await given(role, [SCOPES[scope].flag]))?.scopes.toSorted()
        expect(scopes, `${role} with ${scope}`).toEqual([...heldBy(role, [scope])].toSorted())
        const implied = new Set([scope, ...SCOPES[scope].implies])
        if (role !== 'owner') expect(new Set(scopes), `${scope} implies`).toEqual(implied)
      }
    }
    const columnNames = [...columns.values()].filter(({ table }) => table === 'collaborators').map(({ name }) => name)
    expect(columnNames.filter((name) => name.startsWith('can_manage_')).toSorted()).toEqual([...FLAGS].toSorted())
  })
})

describe('generated files', () => {
  it.skipIf(inject('postgres').isDistributed)('are what `npm run golden` writes now', async () => {
    const stale: string[] = []
    for (const [path, text] of Object.entries(await goldenFiles(database.url))) {
      const committed = await readFile(join(ROOT, path), 'utf8').catch(() => '')
      if (committed !== text) stale.push(path)
    }
    expect(stale, 'stale: run `npm run golden`').toEqual([])
  })
  it('SHA256SUMS has the checksum of every migration', async () => {
    const lines = (await readFile(join(ROOT, 'migrations/SHA256SUMS'), 'utf8')).trim().split('\n')
    for (const line of lines) {
      const [sum, name = ''] = line.split('  ')
      const bytes = await readFile(join(ROOT, 'migrations', name))
      expect(createHash('sha256').update(bytes).digest('hex'), name).toBe(sum)
    }
  })
})
