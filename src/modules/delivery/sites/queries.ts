// All SQL of sites.
import { type Only, pageAcross, withTerm } from '#kernel/data/lists/across.ts'
import { type Acting, first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { parentIn, row } from '#http/route.ts'
import { searchPage } from '#kernel/data/lists/search-page.ts'
import { nothing, raw, sql, type Statement, timeInJson, when } from '#kernel/values/sql.ts'
import { PROOF_DNS_NAME, PROOF_FILE_PATH, PROOF_PREFIX } from '#ports/site-proofs.ts'
import {
  type SiteDetail,
  type AdministratorsSiteFilters,
  type SiteFilters,
  siteListing,
  type SiteRow,
  sitesTable,
} from './site.ts'

const rowColumns = raw(sitesTable.visible.join(', '))

/** Of the site's latest report. Scalar, so that counting the sites of a list reads no report. */
const latest = (org: number | Statement, column: string) =>
  sql`(select r.${raw(column)} from site_reports r where r.organization_id = ${org} and r.domain = s.domain
         order by r.last_seen_at desc, r.id desc limit 1)`

const common = (
  org: number | Statement,
) => sql`s.id, s.organization_id, s.domain, s.name, s.status, s.license_ids, s.environment_id, s.created_at,
  s.updated_at,
  ${latest(org, 'version')} as version, ${latest(org, 'last_seen_at')} as last_seen_at,
    ${latest(org, 'platform_version')} as platform_version,
  coalesce(s.platform, ${latest(org, 'platform')}, (select e.platform from environments e
    where e.organization_id = ${org} and e.id = s.environment_id)) as platform`
const verification = raw(`jsonb_build_object('status', s.verification_status, 'method', s.verification_method,
  'verified_at', ${timeInJson('s.verified_at')}, 'checked_at', ${timeInJson('s.proof_checked_at')})`)
const columns = (org: number | Statement) => sql`${common(org)}, ${verification} as verification`

const proof = sql`${PROOF_PREFIX}::text || s.challenge`
const challenge = sql`jsonb_build_object('dns_name', ${PROOF_DNS_NAME}::text || '.' || s.domain, 'dns_value', ${proof},
  'file_path', ${PROOF_FILE_PATH}::text, 'file_content', ${proof})`
const MOST_RUNNING = 100
const running = (org: number) => sql`coalesce((select jsonb_agg(q.one order by q.last_seen_at desc, q.id desc) from (
  select r.id, r.last_seen_at, jsonb_build_object('product_name', l.product_name, 'license_id', r.license_id,
      'is_activated', r.license_id = any(s.license_ids), 'version', r.version, 'platform', r.platform,
      'platform_version', r.platform_version, 'last_seen_at', ${raw(timeInJson('r.last_seen_at'))}) as one
    from site_reports r join licenses l on l.organization_id = r.organization_id and l.id = r.license_id
   where r.organization_id = ${org} and r.domain = s.domain
   order by r.last_seen_at desc, r.id desc limit ${raw(String(MOST_RUNNING))}) q), '[]')`

const detail = (org: number, id: number): Statement<SiteDetail> => sql<SiteDetail>`
  select ${common(org)}, ${verification} || jsonb_build_object('challenge', ${challenge}) as verification,
    ${running(org)} as what_runs
    from sites s where s.organization_id = ${org} and s.id = ${id}`

const filtered = (query: SiteFilters): Statement => sql`
  ${when(query.status, (status) => sql`and s.status = ${status}`)}
  ${when(query.verified, (isVerified) => sql`and (s.verification_status = 'verified') = ${isVerified}`)}
  ${when(query.license_id, (id) => sql`and s.license_ids @> array[${id}::bigint]`)}
  ${when(query.environment_id, (id) => sql`and s.environment_id = ${id}`)}`

/** A domain of a license, with the site if there is one. */
export type LicensedDomain = {
  domain: string
  id: number | null
  license_ids: number[] | null
  environment_id: number | null
  is_wanted: boolean
}
type Runs = { version: string; platform: string | null; platform_version: string | null }
export type SiteReport = Runs & { domain: string; freshSince: Date }
export type SiteChallenge = { organization_id: number; id: number; domain: string; challenge: string }
export type Proof = SiteRow & { proof_seen_at: string | null }

const listed = (org: number, query: SiteFilters, condition: Statement, parent?: ReturnType<typeof parentIn>) =>
  searchPage(query, {
    org,
    tables: [sitesTable],
    columns: columns(org),
    id: 's.id',
    listing: siteListing,
    from: sql`from sites s where s.organization_id = ${org} ${condition} ${filtered(query)}`,
    ...(parent && { parent }),
  })

export const sites = {
  page: (org: number, query: SiteFilters) => listed(org, query, nothing),
  pageOfAll: (query: AdministratorsSiteFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'sites s',
      listing: siteListing,
      columns: columns(sql`s.organization_id`),
      filtered: sql`${filtered(query)} ${withTerm(query.search, sitesTable, query, only)}`,
    }),
  ofEntitlement: (org: number, entitlementId: number, query: SiteFilters) =>
    listed(
      org,
      query,
      sql`and (s.license_ids && array(select l.id from licenses l
                where l.organization_id = ${org} and l.entitlement_id = ${entitlementId})
            or s.environment_id = any(array(select e.id from environments e
                where e.organization_id = ${org} and e.entitlement_id = ${entitlementId})))`,
      parentIn('entitlements', org, entitlementId),
    ),
  byId: (org: number, id: number) => row<SiteDetail>(detail(org, id)),
  /** After a change, in its transaction. */
  detail: (ctx: OrganizationContext, id: number): Promise<SiteDetail> => one(ctx, detail(ctx.organizationId, id)),

  /** The row, locked. */
  find: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<Proof>`select ${rowColumns}, proof_seen_at from sites
        where organization_id = ${ctx.organizationId} and id = ${id} for update`,
    ),
  ofDomain: (ctx: OrganizationContext, domain: string) =>
    first(
      ctx,
      sql<SiteRow>`select ${rowColumns} from sites
        where organization_id = ${ctx.organizationId} and domain = ${domain} for update`,
    ),

  /** Domains on which the license is active and that do not say so, and sites that say so although it is not. */
  outOfStepWith: ({ organizationId: org, ask }: OrganizationContext, licenseId: number, limit: number) =>
    ask<LicensedDomain>(sql`
      with wanted as (
        select distinct unnest(l.activated_domains || l.staging_domains) as domain from licenses l
         where l.organization_id = ${org} and l.id = ${licenseId} and l.status <> 'revoked'),
      known as (
        select s.domain, s.id, s.license_ids, s.environment_id,
          s.license_ids @> array[${licenseId}::bigint] as is_linked
          from sites s where s.organization_id = ${org}
           and (s.license_ids @> array[${licenseId}::bigint] or s.domain in (select domain from wanted)))
      select coalesce(w.domain, k.domain) as domain, k.id, k.license_ids, k.environment_id,
        w.domain is not null as is_wanted
        from wanted w full join known k on k.domain = w.domain
       where (w.domain is not null) is distinct from coalesce(k.is_linked, false) order by 1 limit ${limit}`),
  /** The addresses of the organization's environments, those in production first. */
  addresses: ({ organizationId: org, ask }: OrganizationContext) =>
    ask<{ id: number; url: string }>(sql`
      select id, url from environments where organization_id = ${org} and status <> 'decommissioned' and url is not null
       order by environment_type <> 'production', id`),
  domainsAt: ({ organizationId: org, ask }: OrganizationContext, environmentId: number) =>
    ask<{ domain: string }>(sql`
      select domain from sites where organization_id = ${org} and environment_id = ${environmentId} order by id`),

  challenged: (org: number, id: number) => sql<SiteChallenge>`
    select organization_id, id, domain, challenge from sites where organization_id = ${org} and id = ${id}`,
  /** Of all organizations: proofs that have not been looked at since. A test clock moves no domain's records. */
  toCheck: (before: Date, limit: number) => sql<SiteChallenge>`
    select s.organization_id, s.id, s.domain, s.challenge from sites s
      join organizations o on o.id = s.organization_id and o.deleted_at is null and not o.has_test_clock
     where s.verification_status = 'verified' and s.proof_checked_at <= ${before} order by s.proof_checked_at
       limit ${limit}`,
  domainOf: (org: number, id: number) => sql<{ domain: string }>`
    select domain from sites where organization_id = ${org} and id = ${id}`,
  /** Of all organizations: all proofs of the domain but the latest. */
  earlierProofs: (domain: string) => sql<{ organization_id: number; id: number; verified_at: string }>`
    select organization_id, id, verified_at from sites where domain = ${domain} and verification_status = 'verified'
     order by verified_at desc, organization_id desc offset 1`,
  /** Looking at a proof changes nothing of the site, so it is neither audited nor an event. */
  looked: ({ organizationId: org, ask, now }: OrganizationContext, id: number, isSeen: boolean) =>
    ask(sql`
      update sites set proof_checked_at = ${now}, proof_seen_at = case when ${isSeen} then ${now}::timestamptz
        else proof_seen_at end
       where organization_id = ${org} and id = ${id} returning id`),

  /** Of domains on which the license is active, and of the organization's other sites. */
  keepReport: (
    { ask, now }: Acting,
    { id, organization_id: org }: { id: number; organization_id: number },
    { domain, version, platform, platform_version, freshSince }: SiteReport,
  ) =>
    ask(sql`
      insert into site_reports (organization_id, license_id, domain, version, platform, platform_version, last_seen_at)
      select l.organization_id, l.id, ${domain}, ${version}, ${platform}::text, ${platform_version}::text,
        ${now}::timestamptz from licenses l
       where l.organization_id = ${org} and l.id = ${id}
         and not exists (select 1 from site_reports r
           where r.organization_id = ${org} and r.domain = ${domain} and r.license_id = ${id}
             and r.last_seen_at > ${freshSince}
             and (r.version, r.platform, r.platform_version)
               is not distinct from (${version}, ${platform}::text, ${platform_version}::text))
         and (${domain} = any(l.activated_domains) or ${domain} = any(l.staging_domains)
           or exists (select 1 from sites s where s.organization_id = ${org} and s.domain = ${domain}))
      on conflict (organization_id, domain, license_id) do update set version = excluded.version,
         platform = excluded.platform, platform_version = excluded.platform_version,
           last_seen_at = excluded.last_seen_at
      returning 1`),
  removeReports: ({ organizationId: org, ask }: OrganizationContext, domain: string) =>
    ask(sql`delete from site_reports where organization_id = ${org} and domain = ${domain} returning id`),
}
