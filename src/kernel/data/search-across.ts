// The search of staff, across organizations (docs/decisions/0087). It reads at most so many matches of each kind.
import { DEFAULT_PER_PAGE, type Page } from '#kernel/values/schema.ts'
import { inOrganizations, type Only, organizationName } from './across.ts'
import type { PagePlan } from './page.ts'
import { AFTER_ALL, mayReadScope, mayReadWith, type StaffSearchable } from './search.ts'
import { join, raw, sql, type Statement } from './sql.ts'

/** The first in the order of their terms, so that exact matches are among them. */
export const MOST_OF_A_KIND = 100

/** Numbers are stored with their punctuation or without it, so both are looked for. */
function spellingsOf(q: string): string[] {
  const bare = q.replaceAll(/[\s./-]/g, '')
  return bare === '' || bare === q ? [q] : [q, bare]
}

type StaffQuery = Page & { q: string; kind?: string; organization_id?: number }
type Asked = { searchables: readonly StaffSearchable[]; query: StaffQuery; only: Only }

/**
 * Those whose terms begin with the text: one look into the index for each kind. Labels come later, for the page alone: a join with
 * each table took PostgreSQL longer to plan than to run.
 */
function byTerms({ searchables, query, only }: Asked): Statement {
  const termed = searchables.map((one, position) => ({ ...one, position })).filter((one) => 'table' in one)
  return sql`
    select k.kind, k.position, f.id, f.organization_id, null::text as label, f.matched, f.is_exact
      from unnest(${termed.map(({ kind }) => kind)}::text[], ${termed.map(({ scope }) => scope)}::text[],
                  ${termed.map(({ scope, and }) => and ?? scope)}::text[],
                  ${termed.map(({ position }) => position)}::int[]) as k(kind, scope, other_scope, position),
           (select nullif(search_phrase(one), '') as phrase from unnest(${spellingsOf(query.q)}::text[]) one offset 0) p,
           lateral (
             select s.resource_id as id, s.organization_id, s.field as matched, s.term = p.phrase as is_exact
               from search_terms s
              where s.resource = k.kind and s.term >= p.phrase and s.term < p.phrase || ${AFTER_ALL}
                    ${inOrganizations('s.organization_id', query, only)}
              order by s.term limit ${MOST_OF_A_KIND}) f
     where ${mayReadScope(raw('k.scope'))} and ${mayReadScope(raw('k.other_scope'))}`
}

/** Every e-mail address and key begins with a blank text. */
const byOtherWays = ({ searchables, query, only }: Asked): Statement[] =>
  searchables.flatMap((one, position) =>
    'rows' in one && query.q.trim() !== ''
      ? [
          sql`
            select ${one.kind}::text as kind, ${position}::int as position, f.id, f.organization_id, f.label, f.matched, f.is_exact
              from (${one.rows(query.q, (column) => inOrganizations(column, query, only))}) f
             where ${mayReadWith(one.scope, one.and)} ${inOrganizations('f.organization_id', query, only)}`,
        ]
      : [],
  )

function labelOf(searchables: readonly StaffSearchable[]): Statement {
  const cases = searchables.flatMap((one) =>
    'table' in one
      ? [
          sql`when ${one.kind} then (
            select ${one.label} from ${raw(one.table.name)} t where t.organization_id = h.organization_id and t.id = h.id)`,
        ]
      : [],
  )
  const ofTable = cases.length === 0 ? sql`null` : sql`case h.kind ${join(cases, ' ')} end`
  return sql`coalesce(h.label, ${ofTable}, h.kind || ' ' || h.id) as label`
}

/** Exact matches first, then by kind, newest first; of each kind that the caller may list. */
export function searchAcross(all: readonly StaffSearchable[], query: StaffQuery, only: Only): PagePlan {
  const { page = 1, per_page = DEFAULT_PER_PAGE } = query
  const searchables = all.filter(({ kind }) => query.kind === undefined || kind === query.kind)
  const asked = { searchables, query, only }
  const found = sql`
    with hits as (
      select kind, min(position) as position, id, organization_id, max(label) as label, min(matched) as matched,
             bool_or(is_exact) as is_exact
        from (${join([byTerms(asked), ...byOtherWays(asked)], ' union all ')}) every_hit group by kind, id, organization_id
    )`
  return {
    kind: 'page',
    page: query,
    rows: sql`${found}
      select h.kind, h.id, ${labelOf(searchables)}, h.matched, h.organization_id, ${organizationName('h')}
        from (select * from hits order by is_exact desc, position, id desc
               limit ${per_page} offset ${(page - 1) * per_page}) h
       order by h.is_exact desc, h.position, h.id desc`,
    total: sql<{ total: number }>`${found} select count(*) as total from hits`,
  }
}
