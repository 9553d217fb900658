// Searching: filters on text, the terms that `GET /search` finds, and what an area declares to be found. What a user types
// is never a pattern.
import type { Scope } from '#kernel/access/permissions.ts'
import { type Statement, raw, sql } from './sql.ts'
import type { Table } from './table.ts'

/** What the one search finds of a table: the terms of its `search` columns, for whoever holds the scope. */
export type Searchable = {
  scope: Scope
  table: Table
  /** What people call a record, which the statements name `t`. */
  label: Statement
  /** What no term is kept of, with the field that it counts as: `rows` gives `id` and `label`. */
  also?: { matched: string; isExact: boolean; rows: (org: number, q: string) => Statement }
  /** Shown after all other kinds. */
  isLast?: boolean
}

/** `%text%` for LIKE, with the special characters of the text escaped. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Whether the column's value contains the text, ignoring case and accents. `column` must be trusted text. */
export const contains = (column: string, text: string): Statement =>
  sql`fold(${raw(column)}) like fold(${likePattern(text)})`

/**
 * Further parts of the statement that writes a row (changes.ts): they replace the search terms of the columns that
 * differ in `changed` by those of the new row.
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

/** Whether the caller has the scope, which the access check has set: for statements over records of several scopes. */
export const mayRead = (scope: Scope): Statement =>
  sql`string_to_array(current_setting('app.scopes', true), ',') && array['*', ${scope}]`
