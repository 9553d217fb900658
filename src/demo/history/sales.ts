// What is sold in a history: quotes that go their way, and what is billed and paid.
import { draftInvoice } from '#modules/sales/invoices/draft-invoice.ts'
import { cancelQuote } from '#modules/sales/payments/cancel-order.ts'
import { payByHand } from '#modules/sales/payments/pay-by-hand.ts'
import { rejectQuote, viewQuote } from '#modules/sales/quotes/decide-quote.ts'
import { createQuote } from '#modules/sales/quotes/draft-quote.ts'
import { newLinkSecret } from '#modules/sales/quotes/links/link-quote.ts'
import type { NewQuote } from '#modules/sales/quotes/quote.ts'
import { sendQuote } from '#modules/sales/quotes/send-quote.ts'
import { approveRefund, decideByHand } from '#modules/sales/refunds/decide-refund.ts'
import { refundOrder } from '#modules/sales/refunds/start-refund.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { accept as acceptQuote } from '../sales.ts'
import { type Act, type Moment, momentAfter } from './act.ts'
import { asMember, asStaff } from './callers.ts'

/** By which the sales are found again: the vendor's number of the offer. */
type Offer = Pick<NewQuote, 'currency' | 'line_items' | 'notes'> & { reference: string; validDays?: number }
type Answer =
  | { accepted: Moment; paid: Moment; method: string }
  | { rejected: Moment; reason: string }
  | { cancelled: Moment }

export const quoteOf = (ctx: OrganizationContext, reference: string) =>
  one(
    ctx,
    sql<{ id: number; order_id: number }>`select id, order_id from quotes
      where organization_id = ${ctx.organizationId} and external_id = ${reference}`,
  )

/** An offer, the customer's first look at it, and what became of it; without an answer it stays as it is. */
export function sale(
  since: Date,
  [sent, viewed]: readonly [Moment, Moment?],
  by: string,
  { reference, validDays = 30, ...offer }: Offer,
  answer?: Answer,
): Act[] {
  const at = (moment: Moment) => momentAfter(since, moment)
  const acts: Act[] = [
    {
      at: at(sent),
      run: async (ctx, { secretKey }) => {
        const saulo = await asStaff(ctx, 'saulo')
        const valid_until = addDays(dayIn(ctx.now, 'UTC'), validDays)
        const { id } = await createQuote(saulo, { ...offer, valid_until, external_id: reference })
        await sendQuote(saulo, id, { body: {}, secret: newLinkSecret(secretKey) })
      },
    },
  ]
  if (viewed)
    acts.push({ at: at(viewed), run: async (ctx) => viewQuote(await asMember(ctx, by), await quoteOf(ctx, reference)) })
  if (!answer) return acts
  if ('rejected' in answer)
    acts.push({
      at: at(answer.rejected),
      run: async (ctx) =>
        rejectQuote(await asMember(ctx, by), (await quoteOf(ctx, reference)).id, { reason: answer.reason }),
    })
  else if ('cancelled' in answer)
    acts.push({
      at: at(answer.cancelled),
      run: async (ctx) => cancelQuote(await asStaff(ctx, 'saulo'), (await quoteOf(ctx, reference)).id),
    })
  else
    acts.push(
      {
        at: at(answer.accepted),
        run: async (ctx) => acceptQuote(await asMember(ctx, by), (await quoteOf(ctx, reference)).id),
      },
      paymentOf(at(answer.paid), reference, answer.method),
    )
  return acts
}

/** Flora sees the money on the bank's statement: it pays the oldest open invoice of the sale, or of no sale. */
export const paymentOf = (at: Date, reference: string | null, payment_method: string, amount?: string): Act => ({
  at,
  run: async (ctx) => {
    const order_id = reference === null ? null : (await quoteOf(ctx, reference)).order_id
    const { id } = await one(
      ctx,
      sql<{ id: number }>`select id from invoices
        where organization_id = ${ctx.organizationId} and order_id is not distinct from ${order_id}::bigint
          and status = 'open'
        order by due_date, id limit 1`,
    )
    await payByHand(await asStaff(ctx, 'flora'), id, { payment_method, ...(amount !== undefined && { amount }) })
  },
})

/** Part of the money back, which the customer asks for and Flora transfers. */
export async function refund(
  ctx: OrganizationContext,
  reference: string,
  { company, ...body }: { company: Company; amount: string; reason: string },
): Promise<void> {
  const flora = await asStaff(ctx, 'flora')
  const { order_id } = await quoteOf(ctx, reference)
  const { refund_id } = await refundOrder(flora, order_id, body)
  if ((await settingOf(ctx, company, 'refunds')) === 'approve') await approveRefund(flora, refund_id)
  await decideByHand(flora, refund_id, { body: {}, isConfirmed: false })
}

type Extra = { currency: string; product_name: string; quantity: number; unit_price: string; notes?: string }

/** An invoice beside the subscription, such as for hours. Gives its id. */
export async function bill(ctx: OrganizationContext, { currency, notes = '', ...line }: Extra): Promise<number> {
  const { id } = await draftInvoice(await asStaff(ctx, 'flora'), {
    currency,
    notes,
    status: 'open',
    line_items: [line],
  })
  return id
}
