// What can be done at the tax authority about the tax invoices of an invoice that is refunded: offered, never done by
// itself.
import { type Static, Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { CalendarDate, Id, Money, Nullable } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'

const ACTIONS = ['substitute', 'cancel'] as const

export const TaxCorrection = Type.Object(
  {
    tax_invoice_id: Id,
    nfse_number: Type.String({ examples: ['1042'] }),
    total: Money,
    cancel_until: Nullable({ ...CalendarDate, description: 'The deadline; null: the fiscal profile does not say' }),
    actions: Type.Array(Type.Enum(ACTIONS), {
      description:
        'What staff can do: `cancel`, or for a refund in part `substitute` by one about the rest, once its ' +
        'credit note is issued; empty after the deadline',
    }),
  },
  { description: 'An issued tax invoice that a refund makes wrong' },
)
export type TaxCorrection = Static<typeof TaxCorrection>

type CorrectionRow = Omit<TaxCorrection, 'actions'>

export async function taxCorrectionsOf(
  ctx: OrganizationContext,
  invoiceId: number,
  { isWhole }: { isWhole: boolean },
): Promise<TaxCorrection[]> {
  const issued = await ctx.ask<CorrectionRow>(sql`
    select id as tax_invoice_id, nfse_number, total, cancel_until from tax_invoices
     where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId} and status = 'issued'
       and substatus is distinct from 'cancelling' order by id`)
  const today = dayIn(ctx.now, zoneOf(ctx, 'entity_br'))
  const possible = isWhole ? ACTIONS.filter((action) => action === 'cancel') : [...ACTIONS]
  return issued.map((one) => ({
    ...one,
    actions: one.cancel_until !== null && one.cancel_until < today ? [] : possible,
  }))
}
