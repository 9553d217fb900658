// What a preview says of the commission on a payment: it is in the affiliate's organization, which a change of the payer's
// must not write to, so only that it follows is said.
import { assumedAfterJob, previewed } from '#kernel/data/preview.ts'
import { updateCommission } from './enqueue-commission.ts'

export const affiliateAssumptions = [
  assumedAfterJob(updateCommission, (_ctx, { invoice_id: id }) =>
    Promise.resolve(previewed('affiliate_program', 'update_commission', { resource: 'invoice', id })),
  ),
]
