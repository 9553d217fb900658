// Reads PostgreSQL's catalogue for backup and restore: the tables, foreign keys and sequences of the schema public.
import { type Client, escapeIdentifier } from 'pg'
import { OWNER } from './roles.ts'
import { StartupError } from './startup-error.ts'

export type Table = { name: string; columns: string[]; isForced: boolean }
export type ForeignKey = { table: string; name: string; definition: string }
export type Sequence = { name: string; last: string; table: string | null; column: string | null }

const NOT_OF_AN_EXTENSION = `not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

// Generated columns are left out, since they cannot be written.
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, c.relforcerowsecurity as "isForced",
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and ${NOT_OF_AN_EXTENSION}
     order by c.relname collate "C"`,
  )
  return rows
}

// A forced policy would hide rows from the owner silently.
export async function assertSeesAllRows(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity
       and (c.relforcerowsecurity or pg_get_userbyid(c.relowner) <> $1)
       and not exists (
         select 1 from pg_policy p
         where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*' and p.polroles = array[$1::regrole::oid]
           and pg_get_expr(p.polqual, p.polrelid) = 'true')
     order by 1`,
    [OWNER],
  )
  const names = rows.map((row) => row.name).join(', ')
  if (names)
    throw new StartupError(`Row-level security may hide rows of ${names}: it needs a policy to ${OWNER} using (true).`)
}

export async function foreignKeysOf(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.relname as table, o.conname as name, pg_get_constraintdef(o.oid) as definition
     from pg_constraint o join pg_class c on c.oid = o.conrelid
     where c.relnamespace = 'public'::regnamespace and o.contype = 'f' and o.conparentid = 0
     order by 1, 2`,
  )
  return rows
}

export async function sequencesOf(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select c.relname as name, coalesce(pg_sequence_last_value(c.oid), 0)::text as last,
            t.relname as table, a.attname as column
     from pg_class c
     left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     left join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
     order by c.relname collate "C"`,
  )
  return rows
}

export function listOf(columns: string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ')
}
