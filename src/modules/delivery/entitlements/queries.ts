// All SQL of entitlements.
import type { Due } from '#kernel/jobs/sweep.ts'
import { type Only, pageAcross, withTerm } from '#kernel/data/lists/across.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { row } from '#http/route.ts'
import { searchPage } from '#kernel/data/lists/search-page.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { Entitlement, type EntitlementSale, entitlementsTable, type Renewal } from './entitlement.ts'
import {
  type AdministratorsEntitlementFilters,
  type EntitlementFilters,
  entitlementListing,
} from './entitlement-filters.ts'
import { type CheckReason, type EntitlementQuestion, MOST_NAMED } from './entitlement-check.ts'

const columns = raw(Object.keys(Entitlement.properties).join(', '))

/** `quote_line` is the index of the order's line that it was created from. */
export type Ending = Pick<Entitlement, 'id' | 'status' | 'expires_at' | 'renews' | 'updates_until' | 'created_at'> & {
  quote_line: number | null
  code: string
  quantity: number
}

export type Access = Pick<Entitlement, 'id' | 'status' | 'status_reason_code' | 'suspends_at'> & {
  quote_line: number | null
}

export type Stoppable = Pick<Entitlement, 'status' | 'status_reason_code' | 'scheduled'>

export type Renewable = Ending & Pick<Entitlement, 'class' | 'company'> & { renewals: Renewal[] }

/** What the expiry of an entitlement has changed; reasons are older than some entries. */
type StatusBefore = Pick<Entitlement, 'status'> & Partial<Pick<Entitlement, 'status_reason_code' | 'status_reason'>>

/** `updated_at` is in no audit entry, and `status_since` in none from before it was kept. */
const THEN: Record<string, string> = {
  updated_at: `case when was.fields is null then p.updated_at else coalesce(past.changed_at, p.created_at) end as
      updated_at`,
  status_since: `case when was.fields ? 'status' then coalesce(past.moved_at, p.created_at) else p.status_since end as
      status_since`,
}
const columnsThen = raw(
  Object.keys(Entitlement.properties)
    .map((name) => THEN[name] ?? `p.${name}`)
    .join(', '),
)

/** The entitlements of one state that a check finds, those with the feature on or those with it off. */
export type CheckStateRow = {
  state: CheckReason
  is_on: boolean
  quantity: number
  /** Of the feature's numbers, each times its quantity; null when none is a number. */
  sum: number | null
  until: string | null
  ids: number[]
  /** The one that ends last, of several the newest. */
  last: Pick<Entitlement, 'status_reason_code' | 'status_reason'> & { value: boolean | number | string | null }
}

/**
 * Joins an entitlement `e` as it was, `p`: of each field that was changed since, the first later entry of the audit log
 * says what it had been.
 */
const asItWas = (org: number, at: Date) => sql`
  left join lateral (
    select jsonb_object_agg(c.key, c.value) as fields from (
      select distinct on (b.key) b.key, b.value
        from audit_log a cross join lateral jsonb_each(a.before) b
       where a.organization_id = ${org} and a.resource = 'entitlement' and a.resource_id = e.id and a.at > ${at}
       order by b.key, a.id) c
  ) was on true
  cross join lateral jsonb_populate_record(e, coalesce(was.fields, '{}')) p`

const isLater = (org: number, at: Date) => sql`
  exists (select 1 from audit_log a where a.organization_id = ${org} and a.resource = 'entitlement'
    and a.resource_id = e.id
             and a.action = 'created' and a.at > ${at})`

/** Of an entitlement `p`: its end has passed, whether or not the job has come by. */
const hasEnded = (at: Date) => sql`p.status in ('active', 'suspended') and p.expires_at <= ${at} and not p.renews`

/** Of an entitlement `p`: what is due for it was not paid in time, whether or not the job has come by. */
const isUnpaid = (at: Date) => sql`p.status = 'active' and p.suspends_at <= ${at}`

const LARGEST = Number.MAX_SAFE_INTEGER
const lastFirst = sql`ends_at desc nulls first, id desc`

/** All values of the feature, of an entitlement `p`; without a feature one row. */
const valueOf = (feature: string | undefined) =>
  feature === undefined
    ? sql`cross join (select null::jsonb as value) f`
    : sql`join lateral jsonb_to_recordset(p.features) as f(key text, value jsonb) on f.key = ${feature}`

const filtered = (query: EntitlementFilters): Statement => sql`
  ${withExternalId(query)}
  ${isOneOf('class', query.class)} ${isOneOf('status', query.status)}`

export const entitlements = {
  /** From when on all entries of the audit logs are there; no row where none were removed. */
  keptSince: sql<{ removed_before: string | null }>`select removed_before from audit_beginning`,
  page: (org: number, query: EntitlementFilters) =>
    searchPage(query, {
      org,
      listing: entitlementListing,
      keptFor: org,
      tables: [entitlementsTable],
      columns: sql`${columns}`,
      from: sql`from entitlements where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsEntitlementFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'entitlements',
      listing: entitlementListing,
      columns: sql`${columns}`,
      filtered: sql`${filtered(query)} ${withTerm(query.search, entitlementsTable, query, only)}`,
    }),
  byId: (org: number, id: number) =>
    row<Entitlement>(sql`select ${columns} from entitlements where organization_id = ${org} and id = ${id}`),
  byCode: (org: number, code: string) =>
    row<Entitlement>(sql`select ${columns} from entitlements where organization_id = ${org} and code = ${code}`),
  /** Those of an order that are not cancelled. */
  ofOrderForChange: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<Ending>(sql`
      select id, status, expires_at, renews, updates_until, created_at, quote_line, code, quantity from entitlements
       where organization_id = ${ctx.organizationId} and order_id = ${orderId} and status <> 'cancelled'
       order by id for update`),
  /** With what access says; those that were cancelled left out. */
  accessOfOrder: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<Access>(sql`
      select id, status, status_reason_code, suspends_at, quote_line from entitlements
       where organization_id = ${ctx.organizationId} and order_id = ${orderId} and status <> 'cancelled'
       order by id for update`),
  renewable: (org: number, codes: readonly string[]) => sql<Renewable>`
    select id, code, class, status, company, quantity, expires_at, renews, updates_until, created_at, quote_line,
      renewals
      from entitlements where organization_id = ${org} and code = any(${codes}::text[]) order by id for update`,
  renewedBy: (org: number, orderId: number) => sql<Renewable>`
    select id, code, class, status, company, quantity, expires_at, renews, updates_until, created_at, quote_line,
      renewals
      from entitlements where organization_id = ${org} and renewals <> '[]'
       and renewals @> ${storableJson([{ order_id: orderId }])}::jsonb order by id for update`,
  /** Of an expired one that is locked: what it was until then. */
  endedFrom: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<{ before: StatusBefore }>`
        select before from audit_log
         where organization_id = ${ctx.organizationId} and resource = 'entitlement' and resource_id = ${id}
           and after ->> 'status' = 'expired' order by id desc limit 1`,
    ),
  orderOf: (org: number, id: number) =>
    sql<{ order_id: number | null }>`select order_id from entitlements where organization_id = ${org} and id = ${id}`,
  asOf: (org: number, id: number, at: Date) => sql<Entitlement>`
    select ${columnsThen} from entitlements e ${asItWas(org, at)}
      left join lateral (
        select max(a.at) as changed_at, max(a.at) filter (where a.after ? 'status') as moved_at
          from audit_log a
         where a.organization_id = ${org} and a.resource = 'entitlement' and a.resource_id = e.id and a.at <= ${at}
      ) past on true
     where e.organization_id = ${org} and e.id = ${id} and not ${isLater(org, at)}`,
  inFullForChange: (org: number, id: number) =>
    sql<Entitlement>`select ${columns} from entitlements where organization_id = ${org} and id = ${id} for update`,
  /** Locked; which order has sold it. */
  sold: (org: number, id: number) => sql<EntitlementSale>`
    select code, class, company, order_id from entitlements
     where organization_id = ${org} and id = ${id} and status <> 'cancelled' for update`,
  forChange: (org: number, id: number) => sql<Stoppable>`
    select status, status_reason_code, scheduled from entitlements
     where organization_id = ${org} and id = ${id} for update`,
  /**
   * What a check finds now or at an earlier moment. A product is also found by its name where an entitlement has no
   * product.
   */
  found: (org: number, { product_id, class: one, feature, as_of }: EntitlementQuestion, at: Date) => sql<CheckStateRow>`
    select state, is_on, least(sum(quantity), ${LARGEST})::bigint as quantity,
           least(sum(case when jsonb_typeof(value) = 'number' then quantity * value::text::numeric
             end), ${LARGEST})::bigint as sum,
           case when bool_and(ends_at is not null) then max(ends_at) end as until,
           (array_agg(id order by ${lastFirst}))[1:${raw(String(MOST_NAMED))}] as ids,
           (array_agg(jsonb_build_object('value', value, 'status_reason_code', status_reason_code,
                                         'status_reason', status_reason) order by ${lastFirst}))[1] as last
      from (
        select p.id, p.quantity, f.value,
               case when p.renews and p.expires_at <= ${at} then p.suspends_at else p.expires_at end as ends_at,
               case when ${hasEnded(at)} then 'expired' when ${isUnpaid(at)} then 'payment_overdue'
                    else p.status_reason_code end as status_reason_code,
               case when ${hasEnded(at)} then null when ${isUnpaid(at)} then p.suspends_reason
                    else p.status_reason end as status_reason,
               coalesce(f.value not in ('false', '0'), true) as is_on,
               case when ${as_of === undefined ? sql`false` : isLater(org, at)} then 'not_yet'
                    when ${hasEnded(at)} then 'expired'
                    when ${isUnpaid(at)} then 'suspended'
                    else p.status end as state
          from entitlements ${as_of === undefined ? sql`p` : sql`e ${asItWas(org, at)}`} ${valueOf(feature)}
         where ${as_of === undefined ? sql`p` : sql`e`}.organization_id = ${org}
           ${when(
             product_id,
             (id) => sql`and (p.product_id = ${id} or p.product_id is null
               and p.product_name = (select n.name from products n where n.id = ${id}))`,
           )}
           ${when(one, (name) => sql`and p.class = ${name}`)}
           ${when(feature, () => sql`and p.features <> '[]'`)}
      ) found group by state, is_on order by state`,
  /** Of all organizations: entitlements for which something is scheduled that is due. */
  toStop: (now: Date) => sql<Due>`
    select organization_id, id, (scheduled ->> 'at')::timestamptz as due_at from entitlements
     where scheduled is not null and scheduled ->> 'at' <= ${now.toISOString()}`,
  /** Of all organizations: entitlements that are active, and for which what is due was not paid in time. */
  toSuspend: (now: Date) => sql<Due>`
    select organization_id, id, suspends_at as due_at from entitlements
     where suspends_at <= ${now} and status = 'active'`,
  /**
   * Of all organizations, of a legal entity, after a row: entitlements that may be suspended for what is due, or have
   * been.
   */
  awaiting: (company: Company, after: { organization_id: number; id: number }, limit: number) =>
    sql<{ organization_id: number; id: number }>`
      select organization_id, id from entitlements
       where company = ${company} and (renews or suspends_at is not null)
         and (organization_id, id) > (${after.organization_id}, ${after.id}) order by organization_id, id
           limit ${limit}`,
  awaitingIn: (org: number) => sql<{ id: number }>`
    select id from entitlements where organization_id = ${org} and (renews or suspends_at is not null) order by id`,
  /** Of all organizations: entitlements whose end has passed. */
  due: (now: Date) => sql<Due>`
    select organization_id, id, expires_at as due_at from entitlements
     where expires_at <= ${now} and not renews and status in ('active', 'suspended')`,
}
