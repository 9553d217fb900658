// Thousands of rows for the lists: copies of one record by SQL, with their own ids and times a second apart. Only ids are
// unique in such a database, so that it is good for reading only.
import type { TestDatabase } from '#test/harness/database.ts'

/** The columns that differ in a copy, as SQL with the row `t` and the number `n`. */
const CHANGES: Record<string, Record<string, string>> = {
  // A user is in an organization once.
  collaborators: { user_id: 'null', role: `'pending'`, invite_status: `'pending'`, invite_expires_at: `'2999-12-31'` },
  document_versions: { version: 't.version + n' },
  import_rows: { line: 't.line + n' },
  organizations: { name: `t.name || ' ' || n` },
  // The list is ordered by version.
  releases: { version_key: `t.version_key || '!0' || lpad(n::text, 8, '0')` },
  jobs: { dead_at: 'now()' },
}

/** Drops check constraints too, which tie columns together that copies vary one by one. */
export async function allowAnyValues({ query }: TestDatabase): Promise<void> {
  const checks = await query<{ statement: string }>(`
    select format('alter table %s drop constraint if exists %I', conrelid::regclass, conname) as statement
      from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`)
  for (const { statement } of checks) await query(statement)
}

/** Lets `copyRow` make rows that differ in nothing but what it changes. Copies of records have no external id. */
export async function allowCopies({ query }: TestDatabase): Promise<void> {
  const unique = await query<{ statement: string }>(`
    select case when k.conname is null then format('drop index %I', c.relname)
                else format('alter table %I drop constraint %I cascade', t.relname, k.conname) end as statement
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      left join pg_constraint k on k.conindid = i.indexrelid and k.contype = 'u'
     where i.indisunique and not i.indisprimary and c.relname not like '%_external_id' and t.relnamespace = 'public'::regnamespace`)
  for (const { statement } of unique) await query(statement)
}

export type Copies = { table: string; id: number; count: number }

/** Copies a row without triggers and foreign keys; `further` are changes besides those that each copy needs. */
export async function copyRow(
  { query }: TestDatabase,
  { table, id, count }: Copies,
  further: Record<string, string> = {},
): Promise<void> {
  const columns = await query<{ name: string; type: string; preset: string | null }>(
    `select column_name as name, data_type as type, column_default as preset from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const changes = { ...CHANGES[table], ...further }
  const values = columns.map(({ name, type, preset }) => {
    if (name === 'id') return preset ?? `nextval(pg_get_serial_sequence('${table}', 'id'))`
    const change = changes[name]
    if (change !== undefined) return change
    return type === 'timestamp with time zone' ? `t.${name} + n * interval '1 second'` : `t.${name}`
  })
  const names = columns.map(({ name }) => name).join(', ')
  // Several statements in one query, so that all are on one connection; without foreign keys and triggers. Until a commit
  // is written, VACUUM cannot mark its rows as visible to all, and counting would look each of them up in the table.
  // A cluster copies to all of its nodes what it may not have changed on its own node before.
  await query(`set session_replication_role = replica; set synchronous_commit = on; set citus.enable_local_execution = off;
    insert into ${table} (${names}) overriding system value
      select ${values.join(', ')} from ${table} t, generate_series(1, ${count}) n where t.id = ${id};
    set session_replication_role = origin; set citus.enable_local_execution = on; analyze ${table}`)
}
