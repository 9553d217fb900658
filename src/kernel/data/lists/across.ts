// Lists of the records of all organizations, made of the declarations of each organization's own list: the same
// filters, the same items with their organization, the same conditions (docs/interface/operations.md).
import { type TObject, type TProperties, Type } from 'typebox'
import { Closed, type Company, Id, Name, type Page } from '#kernel/values/schema.ts'
import { page, type PagePlan, type PageRequest } from './page.ts'
import { beginsWith } from './search.ts'
import { MOST_FOUND } from './search-page.ts'
import { nothing, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'

/** The filters of an organization's list, for the list of all: which organization is one more. */
export const acrossFilters = <Filters extends TProperties>(filters: Filters) =>
  Closed({ ...filters, organization_id: Type.Optional(Id) })

/** An item of an organization's list that names its organization. */
export const acrossItem = <Fields extends TProperties>(item: TObject<Fields>) =>
  Type.Object({ ...item.properties, organization_id: Id, organization_name: Name })

type AcrossQuery = Page & { organization_id?: number; company?: Company }

/** The organizations that the caller may read; null is all (`organizations` of a read). */
export type Only = readonly number[] | null

/**
 * The organizations of which a list across organizations has records, as a further condition on the column: those that
 * the caller may read, or the one of them that is asked for. Every such list takes it from here.
 */
export const inOrganizations = (column: string, query: Pick<AcrossQuery, 'organization_id'>, only: Only): Statement =>
  sql`${when(only, (ids) => sql`and ${raw(column)} = any(${ids}::bigint[])`)}
    ${when(query.organization_id, (id) => sql`and ${raw(column)} = ${id}`)}`

/**
 * As a column of a record that was read by a subquery (page.ts), so that the organizations stay out of the search and
 * of the count.
 */
export const organizationName = (record: string): Statement =>
  sql`(select o.name from organizations o where o.id = ${raw(record)}.organization_id) as organization_name`

/** The name of the organization of a record contains it: a condition beside others on the text of a filter. */
export const ofOrganizationNamed = (record: string, contained: Statement): Statement =>
  sql`${raw(record)}.organization_id in (select o.id from organizations o where ${contained})`

type Across = Omit<PageRequest, 'from' | 'foundColumns' | 'id' | 'parent' | 'keptFor'> & {
  table: string
  /** The conditions of the organization's list. */
  filtered?: Statement
}

/** The list of a table's records of all organizations; to be read as the system. */
export const pageAcross = (
  query: AcrossQuery,
  only: Only,
  { table, columns, filtered = nothing, ...rest }: Across,
): PagePlan =>
  page(query, {
    ...rest,
    columns,
    foundColumns: organizationName('found'),
    from: sql`from ${raw(table)} where true ${inOrganizations('organization_id', query, only)}
      ${when(query.company, (company) => sql`and company = ${company}`)} ${filtered}`,
  })

/** Only records of which a term begins with the text: the first `MOST_FOUND` in the order of the terms. */
export const withTerm = (
  text: string | undefined,
  { resource }: Pick<Table, 'resource'>,
  query: AcrossQuery,
  only: Only,
): Statement =>
  text === undefined || text.trim() === ''
    ? nothing
    : sql`and id = any(array(
        select s.resource_id from search_terms s
         where s.resource = ${resource} and ${beginsWith('s.term', sql`nullif(search_phrase(${text}), '')`)}
             ${inOrganizations('s.organization_id', query, only)}
         order by s.term limit ${MOST_FOUND}))`
