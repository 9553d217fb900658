// The statements of the search. A stored term begins at a word of a value (search.ts), so the matches of a
// query are one range of the index. Each kind is searched only if the caller has its scope.
import type { ReadPlan } from '#http/route.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import { AFTER_ALL, mayFind, type Searchable } from '#kernel/data/lists/search.ts'
import { join, raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { SearchQuery } from './search-schemas.ts'

/** The search takes at most so many terms of each kind, the first in the order of the index. */
const MOST = 500

type RankedSearchable = { searchable: Searchable; position: number }

function byTerm(org: number, { searchable, position }: RankedSearchable, q: string): Statement {
  const { table, label } = searchable
  return sql`
    select ${table.resource}::text as kind, ${position}::int as position, t.id, ${label} as label, f.matched, f.is_exact
      from (select few.resource_id, min(few.field) as matched, bool_or(few.term = search_phrase(${q})) as is_exact
              from (select s.resource_id, s.field, s.term from search_terms s
                     where s.organization_id = ${org} and s.term >= search_phrase(${q})
                       and s.term < search_phrase(${q}) || ${AFTER_ALL} and search_phrase(${q}) <> ''
                       and s.resource = ${table.resource} and ${mayFind(searchable)}
                     order by s.term limit ${MOST}) few
             group by few.resource_id) f
      join ${raw(table.name)} t on t.organization_id = ${org} and t.id = f.resource_id`
}

function byItsOwnWay(org: number, { searchable, position }: RankedSearchable, q: string): Statement[] {
  const { table, also } = searchable
  if (!also) return []
  return [
    sql`
      select ${table.resource}::text as kind, ${position}::int as position, f.id, f.label,
        ${also.matched}::text as matched,
             ${also.isExact}::boolean as is_exact
        from (${also.rows(org, q)}) f where ${mayFind(searchable)}`,
  ]
}

function matches(searchables: readonly Searchable[], org: number, { q, kind }: SearchQuery): Statement {
  const sources = searchables
    .map((searchable, position) => ({ searchable, position }))
    .filter(({ searchable }) => kind === undefined || kind === searchable.table.resource)
    .flatMap((ranked) => [byTerm(org, ranked, q), ...byItsOwnWay(org, ranked, q)])
  return sql`
    with hits as (
      select kind, position, id, max(label) as label, min(matched) as matched, bool_or(is_exact) as is_exact
        from (${join(sources, ' union all ')}) every_hit group by kind, position, id
    )`
}

/** Exact matches first, then by kind, newest first. */
export function search(searchables: readonly Searchable[], org: number, query: SearchQuery): ReadPlan<never> {
  const { page = 1, per_page = DEFAULT_PER_PAGE } = query
  const found = matches(searchables, org, query)
  return {
    kind: 'page',
    page: query,
    rows: sql`${found} select kind, id, label, matched from hits
      order by is_exact desc, position, id desc limit ${per_page} offset ${(page - 1) * per_page}`,
    total: sql<{ total: number }>`${found} select count(*) as total from hits`,
  }
}
