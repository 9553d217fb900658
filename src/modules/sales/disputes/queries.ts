// All SQL of disputes.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { page, row } from '#http/route.ts'
import type { DisputeStatus, ProviderReference } from '#ports/payments.ts'
import { Dispute, type AdministratorsDisputeFilters, type DisputeFilters, disputeListing } from './dispute.ts'

const columns = raw(Object.keys(Dispute.properties).join(', '))

/** `rest`: what no refund has recorded yet. */
export type LostDispute = Dispute & { rest: string }

const filtered = (query: DisputeFilters): Statement => sql`
  ${isOneOf('status', query.status)} ${when(query.invoice_id, (id) => sql`and invoice_id = ${id}`)}`

export const disputes = {
  page: (org: number, query: DisputeFilters) =>
    page(query, {
      keptFor: org,
      listing: disputeListing,
      columns: sql`${columns}`,
      from: sql`from disputes where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsDisputeFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'disputes',
      listing: disputeListing,
      columns: sql`${columns}`,
      filtered: filtered(query),
    }),
  byId: (org: number, id: number) =>
    row<Dispute>(sql`select ${columns} from disputes where organization_id = ${org} and id = ${id}`),
  at: async (
    { ask, organizationId }: OrganizationContext,
    { company, provider, reference }: ProviderReference,
  ): Promise<Dispute | undefined> =>
    (
      await ask<Dispute>(sql`
        select ${columns} from disputes
         where organization_id = ${organizationId} and company = ${company} and provider = ${provider}
           and reference = ${reference}
           for update`)
    )[0],
  find: async ({ ask, organizationId }: OrganizationContext, id: number): Promise<Dispute | undefined> =>
    (
      await ask<Dispute>(sql`select ${columns} from disputes where organization_id = ${organizationId} and id = ${id}`)
    )[0],
  /** What the disputes of an invoice amount to: open, if one is; else lost, if one is. */
  statusOf: async ({ ask, organizationId }: OrganizationContext, invoiceId: number): Promise<DisputeStatus | null> => {
    const found = await ask<{ status: DisputeStatus }>(sql`
      select status from disputes where organization_id = ${organizationId} and invoice_id = ${invoiceId}
       order by array_position(array['open', 'lost', 'won'], status) limit 1`)
    return found[0]?.status ?? null
  },
  /** The lost disputes of an invoice, which is locked. */
  lost: ({ ask, organizationId }: OrganizationContext, invoiceId: number) =>
    ask<LostDispute>(sql`
      select ${columns}, amount - coalesce((
               select sum(r.amount) from refunds r
                where r.organization_id = ${organizationId} and r.dispute_id = disputes.id and r.status = 'succeeded'),
                  amount - amount) as rest
        from disputes where organization_id = ${organizationId} and invoice_id = ${invoiceId} and status = 'lost'
          order by id`),
  /** The refunds of an invoice that are not settled. */
  refundsUnderWay: ({ ask, organizationId }: OrganizationContext, invoiceId: number) =>
    ask<{ id: number; is_approved: boolean }>(sql`
      select id, is_approved from refunds
       where organization_id = ${organizationId} and invoice_id = ${invoiceId} and status = 'processing'
         order by id desc`),
}
