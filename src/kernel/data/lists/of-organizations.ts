// The condition that names the organization of rows: the same statement for one organization and for several.
import { raw, sql, type Statement } from '#kernel/values/sql.ts'

/**
 * The condition on a trusted column that names the organization. `around`: in a subquery, the row that it is about,
 * whose organization is the same.
 */
export type OfOrganizations = (column: string, around?: string) => Statement

export const ofOrganization =
  (org: number): OfOrganizations =>
  (column) =>
    sql`${raw(column)} = ${org}`

/** One of those whose records a list has. */
export const ofOrganizations =
  (all: readonly number[]): OfOrganizations =>
  (column, around) =>
    around === undefined ? sql`${raw(column)} = any(${all}::bigint[])` : ofSameAs(around)(column)

/**
 * That of a row of the statement around it. Where that is one organization, `ofOrganization` says the same, and a
 * cluster finds the one node that has the rows; it does not look for it through a subquery.
 */
export const ofSameAs =
  (record: string): OfOrganizations =>
  (column) =>
    sql`${raw(column)} = ${raw(record)}.organization_id`
