// The one search. Terms begin at the words of a value, so a range of the index has what begins as the question does
// (kernel/data/search.ts writes them); each kind is looked up only when the caller holds its scope.
import type { Scope } from '#kernel/access/permissions.ts'
import type { ReadPlan } from '#kernel/http/route.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import { contains, mayRead } from '#kernel/data/search.ts'
import { join, raw, sql, type Statement } from '#kernel/data/sql.ts'
import { type FoundKind, KINDS, type SearchQuery } from './found.ts'

/** Kind → its scope, its table and what people call a record of it. */
const SOURCES: Record<FoundKind, { scope: Scope; table: string; label: string }> = {
  entitlement: { scope: 'entitlements', table: 'entitlements', label: `t.code || ' ' || t.product_name` },
  quote: { scope: 'quotes', table: 'quotes', label: 't.number' },
  order: { scope: 'orders', table: 'orders', label: 't.number' },
  invoice: { scope: 'finances', table: 'invoices', label: 't.number' },
  tax_invoice: { scope: 'finances', table: 'tax_invoices', label: `'NFS-e ' || coalesce(t.nfse_number, t.id::text)` },
  license: { scope: 'licenses', table: 'licenses', label: `t.product_name || ' ' || t.entitlement_code` },
  environment: { scope: 'entitlements', table: 'environments', label: 't.name' },
  service: { scope: 'entitlements', table: 'services', label: 't.name' },
  ticket: { scope: 'entitlements', table: 'tickets', label: `t.number || ' ' || t.title` },
  contract: { scope: 'contracts', table: 'contracts', label: 't.title' },
  collaborator: { scope: 'organization', table: 'collaborators', label: 't.email' },
}

/** Where the range ends: after everything that begins so. */
const END = raw(`chr(1114111)`)

/** A search is no list: of each kind it gives so many at most, those whose terms come first. */
const MOST = 500

function byTerm(org: number, kind: FoundKind, q: string): Statement {
  const { scope, table, label } = SOURCES[kind]
  return sql`
    select ${kind}::text as kind, ${KINDS.indexOf(kind)}::int as position, t.id, ${raw(label)} as label, f.matched, f.is_exact
      from (select few.resource_id, min(few.field) as matched, bool_or(few.term = search_phrase(${q})) as is_exact
              from (select s.resource_id, s.field, s.term from search_terms s
                     where s.organization_id = ${org} and s.term >= search_phrase(${q})
                       and s.term < search_phrase(${q}) || ${END} and search_phrase(${q}) <> ''
                       and s.resource = ${kind} and ${mayRead(scope)}
                     order by s.term limit ${MOST}) few
             group by few.resource_id) f
      join ${raw(table)} t on t.organization_id = ${org} and t.id = f.resource_id`
}

/** A key is found whole or not at all, and is written down nowhere else. */
const byLicenseKey = (org: number, q: string): Statement => sql`
  select 'license' as kind, ${KINDS.indexOf('license')}::int as position, t.id, ${raw(SOURCES.license.label)} as label,
         'license_key' as matched, true as is_exact
    from licenses t where t.organization_id = ${org} and t.license_key = ${q.trim().toUpperCase()} and ${mayRead('licenses')}`

/** Names are the users' own; an organization has few. */
const byUserName = (org: number, q: string): Statement => sql`
  select 'collaborator' as kind, ${KINDS.indexOf('collaborator')}::int as position, t.id,
         u.name || ' ' || u.email as label, 'name' as matched, false as is_exact
    from collaborators t join users u on u.id = t.user_id
   where t.organization_id = ${org} and (${contains('u.name', q)} or ${contains('u.email', q)}) and ${mayRead('organization')}`

function matches(org: number, { q, kind }: SearchQuery): Statement {
  const kinds = kind === undefined ? [...KINDS] : [kind]
  const sources = [
    ...kinds.map((one) => byTerm(org, one, q)),
    ...(kinds.includes('license') ? [byLicenseKey(org, q)] : []),
    ...(kinds.includes('collaborator') ? [byUserName(org, q)] : []),
  ]
  return sql`
    with hits as (
      select kind, position, id, max(label) as label, min(matched) as matched, bool_or(is_exact) as is_exact
        from (${join(sources, ' union all ')}) every_hit group by kind, position, id
    )`
}

/** Exact ones first, then by kind, the newest first. */
export function search(org: number, query: SearchQuery): ReadPlan<never> {
  const { page = 1, per_page = DEFAULT_PER_PAGE } = query
  return {
    kind: 'page',
    page: query,
    rows: sql`${matches(org, query)} select kind, id, label, matched from hits
      order by is_exact desc, position, id desc limit ${per_page} offset ${(page - 1) * per_page}`,
    total: sql<{ total: number }>`${matches(org, query)} select count(*) as total from hits`,
  }
}
