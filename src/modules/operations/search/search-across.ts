// The search of staff, across organizations (docs/interface/operations.md). It reads at most so many matches of each
// kind.
import { DEFAULT_PER_PAGE, type Page } from '#kernel/values/schema.ts'
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import type { ReadPlan } from '#http/route.ts'
import { beginsWith, mayReadWith, MOST_OF_A_KIND, type StaffSearchable } from '#kernel/data/lists/search.ts'
import { join, raw, sql, type Statement } from '#kernel/values/sql.ts'

/** Numbers are stored with their punctuation or without it, so both are looked for. */
function spellingsOf(q: string): string[] {
  const bare = q.replaceAll(/[\s./-]/g, '')
  return bare === '' || bare === q ? [q] : [q, bare]
}

type StaffQuery = Page & { q: string; kind?: string; organization_id?: number }
type StaffSearchOptions = { searchables: readonly StaffSearchable[]; query: StaffQuery; only: Only }

/**
 * Those whose terms begin with the text: a look into the index for each kind and spelling, which a cluster can ask of
 * each node. Labels come later, for the page alone.
 */
const byTerms = ({ searchables, query, only }: StaffSearchOptions): Statement[] =>
  searchables.flatMap((one, position) =>
    'table' in one
      ? spellingsOf(query.q).map(
          (spelling) => sql`
            select ${one.kind}::text as kind, ${position}::int as position, f.id, f.organization_id, null::text as
              label, f.matched, f.is_exact
              from (select s.resource_id as id, s.organization_id, s.field as matched, s.term =
                search_phrase(${spelling}) as is_exact
                      from search_terms s
                     where s.resource = ${one.kind} and ${beginsWith('s.term', sql`search_phrase(${spelling})`)}
                       and search_phrase(${spelling}) <> ''
                       ${inOrganizations('s.organization_id', query, only)}
                     order by s.term limit ${MOST_OF_A_KIND}) f
             where ${mayReadWith(one.scope, one.and)}`,
        )
      : [],
  )

/** Every e-mail address and key begins with a blank text. */
const byOtherWays = ({ searchables, query, only }: StaffSearchOptions): Statement[] =>
  searchables.flatMap((one, position) =>
    'rows' in one && query.q.trim() !== ''
      ? [
          sql`
            select ${one.kind}::text as kind, ${position}::int as position, f.id, f.organization_id, f.label, f.matched,
              f.is_exact
              from (${one.rows(query.q, (column) => inOrganizations(column, query, only))}) f
             where ${mayReadWith(one.scope, one.and)} ${inOrganizations('f.organization_id', query, only)}`,
        ]
      : [],
  )

/** The names of what was found by terms, of the page alone. */
function labelsOf(searchables: readonly StaffSearchable[]): Statement {
  const labels = searchables.flatMap((one) =>
    'table' in one
      ? [
          sql`
            select h.kind, h.id, h.organization_id, ${one.label} as label from shown h join ${raw(one.table.name)} t
                on t.organization_id = h.organization_id and t.id = h.id where h.kind = ${one.kind}`,
        ]
      : [],
  )
  return labels.length === 0 ? sql`select kind, id, organization_id, label from shown` : join(labels, ' union all ')
}

/** Exact matches first, then by kind, newest first; of each kind that the caller may list. */
export function searchAcross(all: readonly StaffSearchable[], query: StaffQuery, only: Only): ReadPlan<never> {
  const { page = 1, per_page = DEFAULT_PER_PAGE } = query
  const searchables = all.filter(({ kind }) => query.kind === undefined || kind === query.kind)
  const asked = { searchables, query, only }
  const found = sql`
    with hits as (
      select kind, min(position) as position, id, organization_id, max(label) as label, min(matched) as matched,
             bool_or(is_exact) as is_exact
        from (${join([...byTerms(asked), ...byOtherWays(asked)], ' union all ')}) every_hit group by kind, id,
          organization_id
    )`
  return {
    kind: 'page',
    page: query,
    rows: sql`${found}, shown as materialized (
        select * from hits order by is_exact desc, position, id desc limit ${per_page} offset ${(page - 1) * per_page})
      select h.kind, h.id, coalesce(h.label, l.label, h.kind || ' ' || h.id) as label, h.matched, h.organization_id,
             (select o.name from organizations o where o.id = h.organization_id) as organization_name
        from shown h left join (${labelsOf(searchables)}) l on l.kind = h.kind and l.id = h.id
             and l.organization_id is not distinct from h.organization_id
       order by h.is_exact desc, h.position, h.id desc`,
    total: sql<{ total: number }>`${found} select count(*) as total from hits`,
  }
}
