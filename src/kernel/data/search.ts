// Searching: filters on text, the terms of `GET /search`, and what an area declares as searchable. Text that a user types
// is never used as a pattern.
import type { Scope } from '#kernel/access/permissions.ts'
import { type Statement, raw, sql } from './sql.ts'
import type { Table } from './table.ts'

/** What `GET /search` finds of a table: the terms of its `search` columns, for callers with the scope. */
export type Searchable = {
  scope: Scope
  table: Table
  /** The record's name for people; the record is `t` in the statements. */
  label: Statement
  /** A further search without terms: `rows` gives `id` and `label`, and the answer names the field `matched`. */
  also?: { matched: string; isExact: boolean; rows: (org: number, q: string) => Statement }
  /** Listed after all other kinds. */
  isLast?: boolean
}

/** `%text%` for LIKE, with the special characters of the text escaped. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Whether the column's value contains the text, ignoring case and accents. `column` must be trusted text. */
export const contains = (column: string, text: string): Statement =>
  sql`fold(${raw(column)}) like fold(${likePattern(text)})`

/**
 * Further parts of the statement that writes a row (changes.ts): for the columns that differ in `changed`, the search
 * terms of the new row replace those of the old one.
 */
export const searchTermParts = <Row>(organizationId: number, { resource, search }: Table<Row>): Statement => sql`,
    terms as (
      select c.id, f.field, t.term
        from changed c, unnest(${search}::text[]) as f(field),
             jsonb_array_elements_text(case jsonb_typeof(c.now -> f.field) when 'array' then c.now -> f.field
               else jsonb_build_array(c.now -> f.field) end) as v(value),
             search_terms_of(v.value) as t(term)
       where c.now is not null and (c.lost ? f.field or c.gained ? f.field)
    ), removed as (
      delete from search_terms s using changed c
       where s.organization_id = ${organizationId} and s.resource = ${resource} and s.resource_id = c.id
         and (c.lost ? s.field or c.gained ? s.field)
         and not exists (select from terms n where n.field = s.field and n.term = s.term)
    ), added as (
      insert into search_terms (organization_id, resource, resource_id, field, term)
      select distinct ${organizationId}::bigint, ${resource}::text, n.id, n.field, n.term from terms n on conflict do nothing
    )`

/** For a record that stays in its table when it is deleted: the search finds it no more. */
export const removeTerms = <Row>(organizationId: number, { resource }: Table<Row>, id: number): Statement => sql`
  delete from search_terms where organization_id = ${organizationId} and resource = ${resource} and resource_id = ${id}`

/** Whether the caller has the scope, for statements over records of several scopes; the access check sets `app.scopes`. */
export const mayRead = (scope: Scope): Statement =>
  sql`string_to_array(current_setting('app.scopes', true), ',') && array['*', ${scope}]`
