// What a preview says of the commission on a payment: it is in the affiliate's organization, which a change of the
// payer's must not write to, so only by how much it is lowered is said.
import { assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import { first } from '#kernel/data/context.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { updateCommission } from './enqueue-commission.ts'
import { earnsBy, loweredBy } from './jobs.ts'
import { affiliates } from './queries.ts'

export const affiliateAssumptions = [
  assumedAfterJob(updateCommission, async (ctx, { organization_id, invoice_id: id }, elsewhere) => {
    const payment = await first(ctx, affiliates.payment(organization_id, id))
    const affiliate = payment && (await earnsBy({ ask: elsewhere }, payment))
    if (!affiliate) return null
    const { organization_id: org, id: affiliate_id } = affiliate
    const known = await first({ ask: elsewhere }, affiliates.commission(org, affiliate_id, id))
    const less = known ? loweredBy(known, payment) : 0n
    if (!known || less === 0n) return null
    const { currency } = known
    const request = previewed('affiliate_program', 'update_commission', { resource: 'invoice', id })
    return { ...request, amount: formatMoney(less, currency), currency }
  }),
]
