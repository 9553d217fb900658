// The mails about a request for a quote: to staff when a customer makes it, to the customer when it is declined.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { amongStaff, membersWith, supportDesk } from '#modules/messages/notifications/recipients.ts'
import { quoteRequestsTable } from './quote-request.ts'
import { quoteRequests } from './request-queries.ts'

const { events } = quoteRequestsTable
const { mailFacts: facts } = quoteRequests

const quoteRequested = announcement({
  mail: 'quote-requested',
  event: events.created,
  facts,
  audience: amongStaff('quotes', supportDesk),
  about: ({ id }) => ({ record: 'quote_request', id }),
  // No mail for a request that staff entered themselves, or that is not open any more.
  content: ({ status, by_staff, requested_by_name: requestedBy, line_items, notes }, common) =>
    by_staff || status !== 'open'
      ? null
      : {
          ...common,
          requestedBy,
          notes,
          products: line_items.map(({ product_name: name, quantity }) => ({ name, quantity })),
        },
})

const requestDeclined = announcement({
  mail: 'quote-request-declined',
  event: events.declined,
  facts,
  audience: membersWith('quotes'),
  about: ({ id }) => ({ record: 'quote_request', id }),
  content: ({ decline_reason, line_items }, common) => ({
    ...common,
    reason: decline_reason ?? '',
    products: line_items.map(({ product_name: name, quantity }) => ({ name, quantity })),
  }),
})

export const requestAnnouncements = [quoteRequested, requestDeclined]
