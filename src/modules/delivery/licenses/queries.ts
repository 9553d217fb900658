// All SQL of licenses.
import type { Configured } from '#ports/ports.ts'
import { numberIn } from '#ports/settings-in-force.ts'
import type { Due } from '#kernel/jobs/sweep.ts'
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { clockOfOrganization } from '#kernel/access/access-check.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import { isOneOf, raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { EnvironmentUrl } from './license-domain.ts'
import { type AdministratorsLicenseFilters, License, type LicenseFilters, licenseListing } from './license.ts'

const columns = sql`${raw(Object.keys(License.properties).join(', '))}`

/** The URLs of the organization's environments. */
const hosted = (organization: ReturnType<typeof sql>) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('url', e.url, 'production', e.environment_type = 'production')), '[]')
     from environments e where e.organization_id = ${organization} and e.status <> 'decommissioned'
       and e.url is not null)`

/** The license, locked, with the data that the rules for changes need. */
export type LicenseForChange = License & { replaced_key_digests: string[]; hosted: EnvironmentUrl[] }

/** The data that decides whether a key is valid on a domain. */
export type ValidatedLicense = Pick<
  License,
  | 'id'
  | 'organization_id'
  | 'entitlement_id'
  | 'product_name'
  | 'status'
  | 'expires_at'
  | 'renews'
  | 'activated_domains'
> & {
  is_current: boolean
  /** The time of the organization, if it has a test clock. */
  test_clock: string | null
  hosted: EnvironmentUrl[]
}

export type Issuable = {
  id: number
  code: string
  class: string
  status: string
  product_name: string
  expires_at: string | null
  renews: boolean
}

const filtered = (query: LicenseFilters): Statement => sql`${withExternalId(query)} ${isOneOf('status', query.status)}`

export const licenses = {
  page: (org: number, query: LicenseFilters) =>
    page(query, {
      listing: licenseListing,
      keptFor: org,
      columns,
      from: sql`from licenses where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsLicenseFilters, only: Only) =>
    pageAcross(query, only, { table: 'licenses', listing: licenseListing, columns, filtered: filtered(query) }),
  ofEntitlement: (org: number, entitlementId: number, query: LicenseFilters) =>
    page(query, {
      listing: licenseListing,
      columns,
      from: sql`from licenses where organization_id = ${org} and entitlement_id = ${entitlementId} ${filtered(query)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) =>
    row<License>(sql`select ${columns} from licenses where organization_id = ${org} and id = ${id}`),

  /** The license for its file, with the URLs of the organization's environments. */
  forFile: (settings: Configured, org: number, id: number) => sql<
    License & { hosted: EnvironmentUrl[]; file_days: number }
  >`
    select ${columns}, ${hosted(sql`${org}`)} as hosted, ${numberIn(settings, 'license_file_days')} as file_days
      from licenses where organization_id = ${org} and id = ${id}`,

  locked: (org: number, id: number) => sql<LicenseForChange>`
    select ${columns}, replaced_key_digests, ${hosted(sql`${org}`)} as hosted
      from licenses where organization_id = ${org} and id = ${id} for update`,
  /** The license, locked, or 404. */
  async forChange(ctx: OrganizationContext, id: number): Promise<LicenseForChange> {
    const license = await first(ctx, licenses.locked(ctx.organizationId, id))
    if (!license) throw notFound()
    return license
  },

  /** The entitlement for a new license. */
  issuable: (ctx: OrganizationContext, entitlementId: number) =>
    first(
      ctx,
      sql<Issuable>`select id, code, class, status, product_name, expires_at, renews from entitlements
                     where organization_id = ${ctx.organizationId} and id = ${entitlementId}`,
    ),
  /** The entitlement of a license, or 404. */
  async entitlementOf(ctx: OrganizationContext, id: number): Promise<Issuable> {
    const entitlement = await first(
      ctx,
      sql<Issuable>`
        select e.id, e.code, e.class, e.status, e.product_name, e.expires_at, e.renews from licenses l
          join entitlements e on e.organization_id = ${ctx.organizationId} and e.id = l.entitlement_id
         where l.organization_id = ${ctx.organizationId} and l.id = ${id}`,
    )
    if (!entitlement) throw notFound()
    return entitlement
  },

  /**
   * Of an entitlement, in the given states; with `along` only those that were suspended or expired together with it.
   */
  idsOf: (ctx: OrganizationContext, entitlementId: number, states: readonly string[], along: boolean) =>
    ctx.ask<{ id: number }>(sql`
      select id from licenses where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
        and status = any(${states}::text[]) ${along ? sql`and suspended_with_entitlement` : sql``} order by id`),
  /** Those that have the limit, and those that have more than it but less than the new one. */
  limitedTo: (ctx: OrganizationContext, entitlementId: number, { from, to }: { from: number; to: number }) =>
    ctx.ask<{ id: number; activations_count: number }>(sql`
      select id, activations_count from licenses
       where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
         and (activations_limit = ${from} or activations_limit > ${from} and activations_limit < ${to})
         and status <> 'revoked' order by id for update`),
  /** Licenses that end or have ended with the entitlement, or would outlive its new end. */
  endingWith: (ctx: OrganizationContext, entitlementId: number, end: string | null) =>
    ctx.ask<Pick<License, 'id' | 'status'>>(sql`
      select l.id, l.status from licenses l
        join entitlements e on e.organization_id = ${ctx.organizationId} and e.id = l.entitlement_id
       where l.organization_id = ${ctx.organizationId} and l.entitlement_id = ${entitlementId}
         and (l.status in ('active', 'suspended') or l.status = 'expired' and l.suspended_with_entitlement)
         and (l.expires_at is not distinct from e.expires_at
           or coalesce(l.expires_at, 'infinity') > coalesce(${end}::timestamptz, 'infinity'))
       order by l.id for update of l`),

  /** Those that end with the entitlement, or are marked although they do not, or are revoked. */
  idsToMark: (ctx: OrganizationContext, entitlementId: number, renews: boolean) =>
    ctx.ask<{ id: number }>(sql`
      select l.id from licenses l
        join entitlements e on e.organization_id = ${ctx.organizationId} and e.id = l.entitlement_id
       where l.organization_id = ${ctx.organizationId} and l.entitlement_id = ${entitlementId}
         and l.renews <> (${renews} and l.status <> 'revoked' and l.expires_at is not distinct from e.expires_at)
       order by l.id`),

  /** Of all organizations: licenses whose end has passed. */
  due: (now: Date) => sql<Due>`
    select organization_id, id, expires_at as due_at from licenses
     where expires_at <= ${now} and not renews and status in ('active', 'suspended')`,
  isDue: (org: number, id: number, now: Date) => sql`
    select id from licenses where organization_id = ${org} and id = ${id} and expires_at <= ${now} and not renews
       and status in ('active', 'suspended') for update`,
  /**
   * Whether it ends with its entitlement, and staff have not suspended it separately; it is then renewed with it too.
   */
  endsAlong: async (ctx: OrganizationContext, id: number): Promise<boolean> =>
    (await first(
      ctx,
      sql`
        select l.id from licenses l
          join entitlements e on e.organization_id = ${ctx.organizationId} and e.id = l.entitlement_id
         where l.organization_id = ${ctx.organizationId} and l.id = ${id}
           and l.expires_at is not distinct from e.expires_at
             and (l.status = 'active' or l.suspended_with_entitlement)`,
    )) !== undefined,

  /** Finds a key over all organizations; the digest finds replaced keys. */
  byKey: (key: string, digest: string) => sql<ValidatedLicense>`
    with found as materialized (
      select l.id, l.organization_id, l.entitlement_id, l.product_name, l.status, l.expires_at, l.renews,
        l.activated_domains,
             l.license_key = ${key} as is_current, ${hosted(sql`l.organization_id`)} as hosted
        from licenses l
       where l.license_key = ${key} or (l.replaced_key_digests <> '{}'
         and l.replaced_key_digests @> array[${digest}]::text[])
    )
    select l.*, ${clockOfOrganization} as test_clock
      from found l join organizations o on o.id = l.organization_id and o.deleted_at is null
     order by l.is_current desc limit 1`,

  /** Whether a license of any organization has or had the key. */
  ofKey: (key: string, digest: string) => sql<{ id: number }>`
    select id from licenses
     where license_key = ${key} or (replaced_key_digests <> '{}' and replaced_key_digests @> array[${digest}]::text[])
       limit 1`,

  /** The audit log's entries about a license, oldest first. */
  history: (org: number, id: number, query: { page?: number; per_page?: number }) =>
    page(query, {
      columns: sql`id, at as changed_at, actor_id as changed_by, actor as changed_by_name, action, reason as note,
        ${changedDomain} as domain,
        before ->> 'status' as from_status, after ->> 'status' as to_status,
        (before ->> 'activations_limit')::integer as from_limit, (after ->> 'activations_limit')::integer as to_limit,
        after ->> 'key_last_four' as key_last_four`,
      from: sql`from audit_log where organization_id = ${org} and resource = 'license' and resource_id = ${id}`,
      oldestFirst: true,
      parent: parentIn('licenses', org, id),
    }),
}

/** The domain that was added to one of the lists, else the one that was removed. */
const changedDomain = raw(
  `coalesce(${[
    gained('activated_domains', 'after', 'before'),
    gained('activated_domains', 'before', 'after'),
    gained('staging_domains', 'after', 'before'),
    gained('staging_domains', 'before', 'after'),
  ].join(', ')})`,
)

function gained(list: string, now: string, then: string): string {
  return `((${now} -> '${list}') - array(select jsonb_array_elements_text(${then} -> '${list}'))) ->> 0`
}
