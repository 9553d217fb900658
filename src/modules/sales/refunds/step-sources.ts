// All that the steps of a refund are derived from, in one round trip.
import { updateCommission } from '#modules/delivery/affiliates/enqueue-commission.ts'
import { refreshRefund } from '#modules/sales/payments/refresh-jobs.ts'
import { cancelSubscription, endWithOrder, takeBackPeriod } from '#modules/sales/subscriptions/subscription-jobs.ts'
import { askForCancellation } from '#modules/sales/tax-invoices/declaration-jobs.ts'
import { cancelRefunded } from '#modules/sales/tax-invoices/cancel-voided.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'
import { isRefundedWithOrder } from './queries.ts'
import { type Refund, refundsTable } from './refund.ts'
import { sendRefund } from './send-refund.ts'

/** `is_whole`: all that was paid for the order is refunded, or will be by this refund. */
export type RefundFacts = Refund & {
  is_paid_by_provider: boolean
  /** A credit note is created: not for an invoice that is still open or void, nor for a credit balance. */
  is_credited: boolean
  is_period_refunded: boolean
  is_whole: boolean | null
  affiliate_code: string | null
  subscription_status: string | null
  subscription_reference: string | null
}
export type CreditFacts = { id: number; number: string; created_at: string }
export type TaxFacts = {
  id: number
  nfse_number: string | null
  status: string
  substatus: string | null
  cancel_until: string | null
  cancelled_at: string | null
  error_message: string | null
}
/** `is_extended`: sold by another order, and extended by the one that is refunded, which `is_taken_back` again. */
export type HeldFacts = {
  id: number
  code: string
  status: string
  since: string
  is_extended: boolean
  is_taken_back: boolean
}
export type JobFacts = { kind: string; is_dead: boolean; last_error: string | null }
export type Sources = {
  refund: RefundFacts
  notes: readonly CreditFacts[]
  taxInvoices: readonly TaxFacts[]
  entitlements: readonly HeldFacts[]
  licenses: readonly HeldFacts[]
  /** Dead letters first. */
  jobs: readonly JobFacts[]
}

const columns = raw(refundsTable.visible.map((column) => `r.${column}`).join(', '))

export const stepSources = (org: number, id: number) =>
  [
    sql<RefundFacts>`
      select ${columns}, coalesce(p.source = 'provider', false) as is_paid_by_provider,
             i.status is not distinct from 'paid' as is_credited, o.affiliate_code, o.subscription_status,
               o.subscription_reference,
             i.period_end is not null and i.status <> 'void' and i.payment_status = 'refunded' as is_period_refunded,
             (select bool_and(case when r.status = 'processing' then a.refund_reserved else a.amount_refunded
               end = a.amount_paid)
                from invoices a
               where a.organization_id = ${org} and a.order_id = r.order_id and a.status = 'paid'
                 and ${isRefundedWithOrder(org)}) as is_whole
        from refunds r left join invoices i on i.organization_id = ${org} and i.id = r.invoice_id
        left join payments p on p.organization_id = ${org} and p.id = r.payment_id
        left join orders o on o.organization_id = ${org} and o.id = r.order_id
       where r.organization_id = ${org} and r.id = ${id}`,
    sql<CreditFacts>`
      select id, number, created_at from credit_notes where organization_id = ${org} and refund_id = ${id}`,
    // Without those that were cancelled before the refund, and those that were declared after its credit note, which
    // do not have its amount.
    sql<TaxFacts>`
      select t.id, t.nfse_number, t.status, t.substatus, t.cancel_until, t.cancelled_at, t.error_message
        from tax_invoices t join refunds r on r.organization_id = ${org} and r.id = ${id}
       where t.organization_id = ${org} and t.invoice_id = r.invoice_id
         and (t.status <> 'cancelled' or t.updated_at >= r.created_at)
         and not exists (select 1 from credit_notes n
                          where n.organization_id = ${org} and n.refund_id = ${id} and n.created_at < t.created_at)
       order by t.id`,
    sql<HeldFacts>`
      select e.id, e.code, e.status, e.status_since as since, ${EXTENSION} ${heldBy(org, id)} order by e.id`,
    // Of those that were extended only what ends with them, if their end is moved back.
    sql<HeldFacts>`
      select l.id, l.entitlement_code as code, l.status, l.updated_at as since, ${EXTENSION}
        ${heldBy(org, id, sql`join licenses l on l.organization_id = ${org} and l.entitlement_id = e.id`)}
         and (a.order_id is null or e.expires_at <= a."to" and l.status <> 'revoked'
           and coalesce(l.expires_at, 'infinity') >= a."from")
       order by l.id`,
    sql<JobFacts>`
      ${chain(org, id)}
      select j.kind, j.dead_at is not null as is_dead, j.last_error from jobs j join chain c on ${IN_CHAIN}
       where j.organization_id = ${org} order by j.dead_at nulls last, j.id`,
  ] as const

const EXTENSION = raw('a.order_id is not null as is_extended, coalesce(a.is_refunded, false) as is_taken_back')

/** The entitlements that the order has sold, and those that it has extended, which `a` says. */
const heldBy = (org: number, id: number, more = sql``): Statement => sql`
  from refunds r join entitlements e on e.organization_id = ${org}
       and (e.order_id = r.order_id
         or e.renewals <> '[]' and e.renewals @> jsonb_build_array(jsonb_build_object('order_id', r.order_id)))
  left join lateral jsonb_to_recordset(e.renewals)
       as a(order_id bigint, "from" timestamptz, "to" timestamptz, is_refunded boolean)
       on a.order_id = r.order_id and e.order_id is distinct from r.order_id
  ${more}
 where r.organization_id = ${org} and r.id = ${id}`

/** What the jobs of the refund are about, by their kinds; each once. */
const chain = (org: number, id: number): Statement => sql`
  with chain as materialized (
    select distinct k.kind, k.about::text as about
      from refunds r left join tax_invoices t on t.organization_id = ${org} and t.invoice_id = r.invoice_id,
           lateral (values (${sendRefund.name}, r.id), (${refreshRefund.name}, r.id),
                           (${updateCommission.name}, r.invoice_id), (${cancelRefunded.name}, r.invoice_id),
                           (${takeBackPeriod.name}, r.invoice_id), (${askForCancellation.name}, t.id),
                           (${endWithOrder.name}, r.order_id), (${cancelSubscription.name}, r.order_id)) as k(kind,
                             about)
     where r.organization_id = ${org} and r.id = ${id})`

const IN_CHAIN = raw(`j.kind = c.kind and c.about = coalesce(j.payload ->> 'refund_id', j.payload ->> 'invoice_id',
  j.payload ->> 'tax_invoice_id', j.payload ->> 'order_id', j.payload ->> 'resource_id')`)

/** Makes the dead letters of the refund due now, with no attempt counted. Returns whether there were any. */
export async function restartDeadLetters(ctx: OrganizationContext, id: number): Promise<boolean> {
  const { organizationId, now } = ctx
  const restarted = await first(
    ctx,
    sql`${chain(organizationId, id)}
        update jobs j set dead_at = null, failing_since = null, attempts = 0, run_at = ${now} from chain c
         where j.organization_id = ${organizationId} and j.dead_at is not null and ${IN_CHAIN}
        returning j.id`,
  )
  if (restarted) ctx.onEnqueued()
  return restarted !== undefined
}
