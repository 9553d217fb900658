// Describes the migrated database as text, for schema.sql. It is SQL sorted by name, so that two databases with the
// same schema give the same text. It is for reading: run in this order it would fail.
import type { Client } from 'pg'
import { asOwner } from './login.ts'
import { MIGRATIONS_TABLE } from './migrate.ts'

export async function dumpSchema(ownerUrl: string): Promise<string> {
  return asOwner(ownerUrl, async (client) => {
    // Names in this path are printed without their schema.
    await client.query('set search_path = public')
    const parts: string[] = []
    for (const [title, sql] of SECTIONS) {
      const text = await section(client, sql)
      if (text) parts.push(`-- ${title}\n\n${text}\n`)
    }
    return parts.join('\n')
  })
}

async function section(client: Client, sql: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(sql, sql.includes('$1') ? [MIGRATIONS_TABLE] : [])
  return rows
    .map((row) => row.text)
    .join('\n')
    .trimEnd()
}

// All objects of the schema except those of extensions and the table of migrations with its dependent objects.
const OURS = `c.relnamespace = 'public'::regnamespace and c.relname <> $1
  and not exists (select 1 from pg_depend d join pg_class m on m.oid = d.refobjid
                  where d.objid = c.oid and d.classid = 'pg_class'::regclass and m.relname = $1)
  and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
const NOT_OF_AN_EXTENSION = (object: string) =>
  `not exists (select 1 from pg_depend d where d.objid = ${object} and d.deptype = 'e')`

// The owner is printed only when it is not titular_owner.
const OWNER_LINE = (kind: string, object: string, name: string) => `
  case when pg_get_userbyid(${object}) = 'titular_owner' then ''
    else format(E'\\nalter ${kind} %s owner to %I;', ${name}, pg_get_userbyid(${object})) end`

// Rights as lines, without those of the owner, whose list differs between versions of PostgreSQL.
const GRANTS = (acl: string, owner: string, on: string, columns = `''`) => `
  coalesce((
    select string_agg(line, '' order by line collate "C") from (
      select format(E'\\ngrant %s on %s to %s%s;', string_agg(lower(privilege_type) || ${columns}, ', '
          order by privilege_type), ${on},
               case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
               case when is_grantable then ' with grant option' else '' end) as line
      from aclexplode(${acl}) where grantee <> ${owner}
      group by grantee, is_grantable) as lines), '')`

const EXTENSIONS = `
  select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql'
  order by extname collate "C"`

const SCHEMA_GRANTS = `
  select ltrim(${GRANTS('nspacl', 'nspowner', `'schema public'`)}, E'\\n') as text
  from pg_namespace where nspname = 'public' and nspacl is not null`

const TYPES = `
  select case t.typtype
    when 'e' then format('create type %I as enum (%s);', t.typname,
      (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
    else format('create domain %I as %s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
      case when t.typnotnull then ' not null' else '' end,
      (select string_agg(' ' || pg_get_constraintdef(o.oid), '' order by o.conname)
       from pg_constraint o where o.contypid = t.oid and o.contype = 'c')) end as text
  from pg_type t
  where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd') and ${NOT_OF_AN_EXTENSION('t.oid')}
  order by t.typname collate "C"`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(p.oid), E'\\n') || ';'
    || ${OWNER_LINE('function', 'p.proowner', 'p.oid::regprocedure')}
    || ${GRANTS(`coalesce(p.proacl, acldefault('f', p.proowner))`, 'p.proowner', `'function ' || p.oid::regprocedure`)}
    || E'\\n' as text
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${NOT_OF_AN_EXTENSION('p.oid')}
  order by p.oid::regprocedure::text collate "C"`

// Only limits that do not follow from the type of the sequence are printed.
const SEQUENCES = `
  select format('create sequence %I%s%s%s%s%s%s%s;', c.relname,
      case when s.seqtypid <> 'bigint'::regtype then ' as ' || format_type(s.seqtypid, null) else '' end,
      case when s.seqincrement <> 1 then ' increment ' || s.seqincrement else '' end,
      case when s.seqstart <> 1 then ' start ' || s.seqstart else '' end,
      case when s.seqmin <> 1 then ' minvalue ' || s.seqmin else '' end,
      case when s.seqmax not in (9223372036854775807, 2147483647, 32767) then ' maxvalue ' || s.seqmax else '' end,
      case when s.seqcache <> 1 then ' cache ' || s.seqcache else '' end,
      case when s.seqcycle then ' cycle' else '' end)
    || coalesce((
      select format(' -- of %s.%s', d.refobjid::regclass, a.attname) from pg_depend d
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')), '')
    || ${OWNER_LINE('sequence', 'c.relowner', 'c.oid::regclass')}
    || ${GRANTS('c.relacl', 'c.relowner', `'sequence ' || c.oid::regclass`)} as text
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where ${OURS} order by c.relname collate "C"`

const COLUMN = `
  format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
    || case when a.attcollation <> t.typcollation
         then format(' collate %I', (select collname from pg_collation where oid = a.attcollation)) else '' end
    || case a.attidentity when 'a' then ' generated always as identity' when 'd'
        then ' generated by default as identity'
         else '' end
    || case when a.attgenerated <> ''
         then format(' generated always as (%s) %s', pg_get_expr(e.adbin, e.adrelid),
                     case a.attgenerated when 's' then 'stored' else 'virtual' end)
         else coalesce(' default ' || pg_get_expr(e.adbin, e.adrelid), '') end
    || case when a.attnotnull then ' not null' else '' end`

// Not-null constraints have names only since PostgreSQL 18, so they are printed with their columns.
const TABLES = `
  select format(E'create %stable %I (\\n%s\\n)%s%s;', case c.relpersistence when 'u' then 'unlogged ' else '' end,
      c.relname,
      concat_ws(E',\\n',
        (select string_agg(${COLUMN}, E',\\n' order by a.attnum)
         from pg_attribute a join pg_type t on t.oid = a.atttypid
         left join pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        (select string_agg(format('  constraint %I %s', o.conname, pg_get_constraintdef(o.oid)), E',\\n'
                           order by o.contype <> 'p', o.conname collate "C")
         from pg_constraint o where o.conrelid = c.oid and o.contype not in ('n', 't'))),
      case c.relkind when 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
      case when c.reloptions is null then ''
        else format(' with (%s)', (select string_agg(o, ', ' order by o) from unnest(c.reloptions) as o)) end)
    || coalesce(E'\\n-- partition of ' || (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid)
         || ' ' || pg_get_expr(c.relpartbound, c.oid), '')
    || ${OWNER_LINE('table', 'c.relowner', 'c.oid::regclass')}
    || coalesce((
      select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', ''
          order by i.indexrelid::regclass::text collate "C")
      from pg_index i
      where i.indrelid = c.oid
        and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid
            and o.contype in ('p', 'u', 'x'))), '')
    || coalesce((
      select string_agg(E'\\n' || pg_get_statisticsobjdef(s.oid) || ';', '' order by s.stxname collate "C")
      from pg_statistic_ext s where s.stxrelid = c.oid), '')
    || coalesce((
      select string_agg(E'\\n' || pg_get_triggerdef(g.oid) || ';', '' order by g.tgname collate "C")
      from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal), '')
    || case when c.relrowsecurity then format(E'\\nalter table %I enable row level security;', c.relname) else '' end
    || case when c.relforcerowsecurity then format(E'\\nalter table %I force row level security;', c.relname)
        else '' end
    || coalesce((
      select string_agg(format(E'\\ncreate policy %I on %I%s for %s to %s%s%s;', p.polname, c.relname,
          case when p.polpermissive then '' else ' as restrictive' end,
          case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
            else 'all' end,
          (select string_agg(case when r = 0 then 'public' else pg_get_userbyid(r)::text end, ', '
                             order by pg_get_userbyid(r)) from unnest(p.polroles) as r),
          coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', ''),
          coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')), ''
          order by p.polname collate "C")
      from pg_policy p where p.polrelid = c.oid), '')
    || ${GRANTS('c.relacl', 'c.relowner', 'c.oid::regclass::text')}
    || coalesce((
      select string_agg(${GRANTS('a.attacl', 'c.relowner', 'c.oid::regclass', `format(' (%I)', a.attname)`)}, ''
                        order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attacl is not null and not a.attisdropped), '')
    || E'\\n' as text
  from pg_class c where c.relkind in ('r', 'p') and ${OURS} order by c.relname collate "C"`

const VIEWS = `
  select format(E'create %sview %I%s as\\n%s', case c.relkind when 'm' then 'materialized ' else '' end, c.relname,
      case when c.reloptions is null then ''
        else format(' with (%s)', (select string_agg(o, ', ' order by o) from unnest(c.reloptions) as o)) end,
      pg_get_viewdef(c.oid))
    || ${OWNER_LINE('view', 'c.relowner', 'c.oid::regclass')}
    || ${GRANTS('c.relacl', 'c.relowner', 'c.oid::regclass::text')}
    || E'\\n' as text
  from pg_class c where c.relkind in ('v', 'm') and ${OURS} order by c.relname collate "C"`

const DEFAULT_GRANTS = `
  select format('alter default privileges for role %I%s on %s:', pg_get_userbyid(f.defaclrole),
      case when f.defaclnamespace = 0 then '' else ' in schema ' || f.defaclnamespace::regnamespace end,
      case f.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else 'types' end)
    || ${GRANTS('f.defaclacl', 'f.defaclrole', `'each'`)} as text
  from pg_default_acl f order by f.defaclrole::regrole::text, f.defaclobjtype`

const SECTIONS: readonly (readonly [title: string, sql: string])[] = [
  ['Extensions', EXTENSIONS],
  ['Rights on the schema', SCHEMA_GRANTS],
  ['Types', TYPES],
  ['Functions', FUNCTIONS],
  ['Sequences', SEQUENCES],
  ['Tables', TABLES],
  ['Views', VIEWS],
  ['Default rights', DEFAULT_GRANTS],
]
