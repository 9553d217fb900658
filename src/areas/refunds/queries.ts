// All SQL of refunds.
import type { OrganizationContext } from '#kernel/context.ts'
import { notFound } from '#kernel/errors.ts'
import { raw, sql } from '#kernel/sql.ts'
import { RefundRow } from './refund.ts'

const columns = raw(Object.keys(RefundRow.properties).join(', '))

export const refunds = {
  async forChange(ctx: OrganizationContext, id: number): Promise<RefundRow> {
    const [refund] = await ctx.ask<RefundRow>(sql`
      select ${columns} from refunds where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!refund) throw notFound()
    return refund
  },
  /** With the provider's id of the payment that it gives back. */
  toSend: (org: number, id: unknown) => sql<
    RefundRow & { company: 'entity_br' | 'entity_global'; payment_invoice_id: string | null }
  >`
    select r.id, r.status, r.is_approved, r.amount, r.currency, r.provider_reference, r.created_at, i.company, i.payment_invoice_id
      from refunds r join invoices i on i.organization_id = ${org} and i.id = r.invoice_id
     where r.organization_id = ${org} and r.id = ${id}`,
  /** What was given back or is about to be. */
  takenOf: (ctx: OrganizationContext, invoiceId: number) => sql<{ taken: string | null; succeeded: string | null }>`
    select sum(amount) filter (where status in ('processing', 'succeeded')) as taken,
           sum(amount) filter (where status = 'succeeded') as succeeded
      from refunds where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId}`,
}
