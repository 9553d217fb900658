// A page of a list and its total where the list is searched: the records of which a stored term begins with the text
// (docs/performance.md). Its cost does not grow with the list.
import { DEFAULT_PER_PAGE, type Page } from '#kernel/values/schema.ts'
import { aliasOf, rangesOf } from './listing.ts'
import { page, type PagePlan, type PageRequest } from './page.ts'
import { AFTER_ALL } from './search.ts'
import { nothing, raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'

/** A search lists the newest so many, and its total is at most that. */
export const MOST_FOUND = 5000

/** 2^14 ids make a segment; search_terms.segment is made alike (migrations/0002-machinery.sql). */
const SEGMENT_BITS = raw('14')

/** From about so many on, reading all ids of a segment is cheaper than looking the matches up. */
const FEW = 500

type SearchPageOptions = Omit<PageRequest, 'oldestFirst'> & {
  org: number
  /** The tables that the list consists of; their ids are of one sequence. */
  tables: readonly Pick<Table, 'resource'>[]
}

/** The list of `page`, of the records in whose `search` columns a word begins with the text. */
export function searchPage(query: Page & { search?: string | undefined }, searched: SearchPageOptions): PagePlan {
  const { search = '', page: number = 1, per_page: size = DEFAULT_PER_PAGE } = query
  if (search.trim() === '') return page(query, searched)
  const { columns, id = 'id', parent } = searched
  const ranges = searched.listing ? rangesOf(query, { listing: searched.listing, alias: aliasOf(id) }) : nothing
  const from = sql`${searched.from} ${ranges}`
  const offset = (number - 1) * size
  const segments = segmentsOf(searched, search)
  const found = sql`ranges g, lateral (${foundIn({ ...searched, from })}) f`
  return {
    kind: 'page',
    page: query,
    ...(parent && { parent }),
    rows: sql`${segments}
      select one.* from ${found}, lateral (select ${columns} ${from} and ${raw(id)} = f.id limit 1) one
       limit ${Math.max(Math.min(size, MOST_FOUND - offset), 0)} offset ${offset}`,
    total: sql<{ total: number }>`${segments}
      select count(*) as total from (select f.id from ${found} limit ${MOST_FOUND}) counted`,
  }
}

/**
 * The segments that have terms, newest first, each found by a look into the index when the one before was not enough;
 * with the ranges of ids and terms, computed here, because beside a table its policy would keep `<<` from an index
 * before PostgreSQL 18. A text without letters and digits has none.
 */
function segmentsOf({ org, tables }: SearchPageOptions, text: string): Statement {
  const next = (condition: Statement) => sql`
    select max(newest.segment) from unnest(${tables.map(({ resource }) => resource)}::text[]) r(resource), lateral (
      select s.segment from search_terms s
       where s.organization_id = ${org} and s.resource = r.resource ${condition} order by s.segment desc
         limit 1) newest`
  return sql`
    with recursive segments as (
      select (${next(sql``)}) as segment, p.phrase as first, p.phrase || ${AFTER_ALL} as last
        from (select nullif(search_phrase(${text}), '') as phrase) p
       where p.phrase is not null
      union all
      select (${next(sql`and s.segment < g.segment`)}), g.first, g.last from segments g where g.segment is not null
    ), ranges as materialized (
      select segment, segment << ${SEGMENT_BITS} as low, ((segment + 1) << ${SEGMENT_BITS}) - 1 as high, first, last
        from segments
    )`
}

/**
 * The ids of the segment `g` that match and are in the list, newest first: few are looked up in the list, and more are
 * intersected with its ids between them. Neither depends on what the planner expects. With many organizations it
 * expects one row on either side, and a join would compare each with each. The bounds are joined: as scalar subqueries,
 * PostgreSQL 15 and 18 computed them for the newest segment only in some plans, and larger ones lost theirs.
 */
function foundIn({ org, tables, from, id = 'id' }: SearchPageOptions): Statement {
  const key = raw(id)
  return sql`
    with matching as materialized (
      select distinct s.resource_id as id from search_terms s
       where s.organization_id = ${org} and s.resource = any(${tables.map(({ resource }) => resource)}::text[])
         and s.segment = g.segment and s.term >= g.first and s.term < g.last
         and (select ${key} ${from} and ${key} >= g.low and ${key} <= g.high order by ${key} desc limit 1) is not null
    ), bounds as materialized (select count(*) as n, min(id) as low, max(id) as high from matching)
    select id from (
      select one.id from bounds b, matching m, lateral (select ${key} ${from} and ${key} = m.id limit 1) one
        where b.n <= ${FEW}
      union all
      select many.id from bounds b, lateral (
        select id from matching intersect select ${key} ${from} and ${key} >= b.low and ${key} <= b.high) many
          where b.n > ${FEW}
    ) ids order by id desc`
}
