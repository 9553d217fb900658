// Searching: filters on text, the terms of `GET /search`, and what an area declares as searchable. Text that a user
// types is never used as a pattern.
import { listed } from '#kernel/data/audit/row-change.ts'
import type { Scope } from '#kernel/values/permissions.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'

/**
 * What `GET /search` and `GET /admin/search` find of a table: the terms of its `search` columns, for callers with the
 * scope.
 */
export type Searchable = {
  scope: Scope
  /** Where the list of the kind needs two scopes, the other one. */
  and?: Scope
  /** What staff need in place of it, where they need another scope to list the records. */
  ofStaff?: StaffScope
  table: Table
  /** The record's name for people; the record is `t` in the statements. */
  label: Statement
  /** A further search without terms: `rows` gives `id` and `label`, and the answer names the field `matched`. */
  also?: { matched: string; isExact: boolean; rows: (org: number, q: string) => Statement }
  /** Listed after all other kinds. */
  isLast?: boolean
}

/** A search of staff reads at most so many of a kind: the first in the order of their terms, with the exact matches. */
export const MOST_OF_A_KIND = 100

/** What `GET /admin/search` finds of a kind of records, for staff with the scope. */
export type StaffSearchable = { scope: StaffScope; and?: StaffScope; kind: string } & (
  | Pick<Searchable, 'table' | 'label'>
  /**
   * `id`, `organization_id` (null where there is none), `label`, `matched` and `is_exact`, of all organizations or of
   * one.
   */
  | { rows: (q: string, inOrganizations: (column: string) => Statement) => Statement }
)

/** `%text%` for LIKE, with the special characters of the text escaped. */
const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Whether the column's value contains the text, ignoring case and accents. `column` must be trusted text. */
export const contains = (column: string, text: string): Statement =>
  sql`fold(${raw(column)}) like fold(${likePattern(text)})`

/** In the order of text behind every term that begins with the text before it: the highest code point. */
export const AFTER_ALL = raw('chr(1114111)')

/** Whether the trusted column, which has an index with the collation `C`, begins with the text. */
export const beginsWith = (column: string, text: Statement): Statement =>
  sql`${raw(`${column} collate "C"`)} >= ${text} and ${raw(`${column} collate "C"`)} < ${text} || ${AFTER_ALL}`

/**
 * The terms of the `search` columns of a row, which is JSON; columns may be lists. What deletes by them takes them from
 * a materialized part: beside the table, the policy would keep them from being used as keys (0.5 s with 1,000,000
 * records). A cluster rewrites `case … when 'array'` of a deletion wrongly.
 */
export const termsOf = (row: string, search: readonly string[]): Statement => sql`
  unnest(array[${listed(search)}]::text[]) as f(field),
  jsonb_array_elements_text(case when jsonb_typeof(${raw(row)} -> f.field) = 'array' then ${raw(row)} -> f.field
    else jsonb_build_array(${raw(row)} -> f.field) end) as v(value),
  search_terms_of(v.value) as t(term)`

/**
 * Further parts of the statement that writes a row (changes.ts): for the columns that differ in `changed`, the search
 * terms of the new row replace those of the old one, which are found by their whole key.
 */
export const searchTermParts = <Row>(organizationId: number, { resource, search }: Table<Row>): Statement => sql`,
    terms as (
      select c.id, f.field, t.term from changed c, ${termsOf('c.now', search)}
       where c.now is not null and (c.lost ? f.field or c.gained ? f.field)
    ), former as materialized (
      select c.id, c.lost, c.gained, array(select t.term from ${termsOf('c.was', search)}) as terms
        from changed c where c.was is not null
    ), removed as (
      delete from search_terms s using former o
       where s.organization_id = ${organizationId} and s.resource = ${resource} and s.term = any(o.terms)
         and s.resource_id = o.id
         and (o.lost ? s.field or o.gained ? s.field)
         and not exists (select 1 from terms n where n.field = s.field and n.term = s.term)
    ), added as (
      insert into search_terms (organization_id, resource, resource_id, field, term)
      select distinct ${organizationId}::bigint, ${resource}::text, n.id, n.field, n.term from terms n
        on conflict do nothing returning resource_id
    )`

/** For a record that stays in its table when it is deleted: the search finds it no more. */
export const removeTerms = <Row>(organizationId: number, { name, resource, search }: Table<Row>, id: number) => sql`
  with former as materialized (
    select array(select t.term from ${termsOf('r.row', search)}) as terms from (
      select to_jsonb(d) as row from ${raw(name)} d where d.organization_id = ${organizationId} and d.id = ${id}) r
  )
  delete from search_terms s using former o
   where s.organization_id = ${organizationId} and s.resource = ${resource} and s.term = any(o.terms)
     and s.resource_id = ${id}`

/**
 * Whether the caller has the scope, for statements over records of several scopes; the access check sets `app.scopes`.
 */
export const mayRead = (scope: StaffScope | ReturnType<typeof raw>): Statement =>
  sql`string_to_array(current_setting('app.scopes', true), ',') && array['*', ${scope}]`
/** The same where a second scope may be needed. */
export const mayReadWith = (scope: StaffScope, and: StaffScope = scope): Statement =>
  and === scope ? mayRead(scope) : sql`${mayRead(scope)} and ${mayRead(and)}`
/** Whether the caller finds the records in an organization. */
export const mayFind = ({ scope, and, ofStaff }: Pick<Searchable, 'scope' | 'and' | 'ofStaff'>): Statement =>
  ofStaff === undefined
    ? mayReadWith(scope, and)
    : sql`case current_setting('app.staff',true) when 'on' then ${mayRead(ofStaff)} else ${mayReadWith(scope, and)} end`
