// The mails about payouts that were paid or rejected, to the members with the scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { payouts } from './payout-queries.ts'
import { payoutsTable } from './payout.ts'

const payoutPaid = announcement({
  mail: 'payout-paid',
  event: payoutsTable.events.paid,
  audience: membersWith('finances'),
  facts: payouts.mailFacts,
  about: ({ affiliate_id }) => ({ record: 'affiliate', id: affiliate_id }),
  content: ({ code, amount: total, currency, reference }, common) => ({ ...common, code, total, currency, reference }),
})

const payoutRejected = announcement({
  mail: 'payout-rejected',
  event: payoutsTable.events.rejected,
  audience: membersWith('finances'),
  facts: payouts.mailFacts,
  about: ({ affiliate_id }) => ({ record: 'affiliate', id: affiliate_id }),
  content: ({ code, amount: total, currency, rejection_reason: reason }, common) => ({
    ...common,
    code,
    total,
    currency,
    reason,
  }),
})

export const affiliateAnnouncements = [payoutPaid, payoutRejected]
