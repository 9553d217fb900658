// What the mails about a suspension for what is due read.
import type { Entitlement } from '#modules/delivery/entitlements/entitlement.ts'
import { billing } from '#modules/sales/invoices/billed.ts'
import { type FailedCharge, subscriptions } from '#modules/sales/subscriptions/queries.ts'
import type { DunningHold } from '#modules/identity/organizations/dunning-hold.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'

type NamedEntitlement = { id: number; name: string; entitlementCode: string }
type OwedInvoice = {
  id: number
  number: string
  total: string
  currency: string
  due_date: string
  link: string | null
}
type Facts = Pick<Entitlement, 'id' | 'status' | 'status_reason_code'> & {
  /** All entitlements that the mail names; only the event of the first one sends it. */
  together: NamedEntitlement[]
}
export type Arrears = Facts &
  Pick<Ahead, 'stops_at'> &
  Pick<Entitlement, 'company' | 'renews' | 'expires_at'> & { owed: OwedInvoice[]; hold: DunningHold | null }

/** `suspends_at`: of the first of some entitlements; `stops_at`: from then on what renews them is not billed. */
export type Ahead = { suspends_at: string | null; stops_at: string | null }

/** Of the entitlements `ids`. Billing stops where the vendor wants it to, once all that is renewed is suspended. */
export function ahead(org: number, ids: Statement): Statement {
  const found = sql`from entitlements b where b.organization_id = ${org} and b.id in (${ids})`
  return sql`
    (select min(b.suspends_at) ${found}) as suspends_at,
    (select max(g.suspends_at) from entitlements g
       join dunning_schedules c on c.company = g.company and c.schedule ->> 'bills_without_access' = 'false'
      where g.organization_id = ${org} and g.renews and g.order_id in (select b.order_id ${found})
     having bool_and(coalesce(g.suspends_at <= (select max(b.suspends_at) ${found}), false))) as stops_at`
}

const renewedOf = (org: number, orderId: number): Statement => sql`
  select e.id from entitlements e where e.organization_id = ${org} and e.order_id = ${orderId} and e.renews`

export const failedCharge = (org: number, orderId: number) => sql<FailedCharge & Ahead>`
  select f.*, ${ahead(org, renewedOf(org, orderId))} from (${subscriptions.failedCharge(org, orderId)}) f`

/** Of entitlements `g` of the organization. */
const named = (org: number, which: Statement): Statement => sql`
  array(select jsonb_build_object('id', g.id, 'name', g.product_name, 'entitlementCode', g.code)
          from entitlements g where g.organization_id = ${org} and ${which} order by g.id)`

/** `together`: suspended for the same payment at the same moment, also those that the job has not suspended yet. */
export const arrearsFacts = (org: number, id: number) => sql<Arrears>`
  select e.id, e.company, e.status, e.status_reason_code, e.renews, e.expires_at,
         ${ahead(org, sql`${id}::bigint`)},
         (select o.dunning_hold from organizations o where o.organization_id = ${org} and o.id = ${org}) as hold,
         ${named(
           org,
           sql`g.company = e.company and g.suspends_at = e.suspends_at and g.suspends_reason = e.suspends_reason
               and (g.status = 'active' or (g.status = 'suspended' and g.status_reason_code = 'payment_overdue'))`,
         )} as together,
         array(select jsonb_build_object('id', i.id, 'number', i.number, 'total', i.amount_due::text, 'currency',
           i.currency,
                                         'due_date', i.due_date, 'link', i.link)
                 from invoices i
                where i.organization_id = ${org} and i.status in ('open', 'uncollectible') and i.amount_due > 0
                  and i.id in (${billing('invoices', org, sql`${id}::bigint`)}) order by i.due_date, i.id) as owed
    from entitlements e
   where e.organization_id = ${org} and e.id = ${id}`

export const resumedFacts = (org: number, id: number) => sql<Facts>`
  select e.id, e.status, e.status_reason_code,
         ${named(
           org,
           sql`g.status = 'active' and g.status_reason_code = 'payment_settled' and g.status_since = e.status_since`,
         )} as together
    from entitlements e where e.organization_id = ${org} and e.id = ${id}`
