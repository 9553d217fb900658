// The mails about a quote, to all members of the organization with the scope `quotes`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { linkToken, linkUrl } from './links/link-quote.ts'
import { prospects } from './prospects.ts'
import { quotes } from './queries.ts'
import { quoteMoves, quotesTable } from './quote.ts'

const { events } = quotesTable
const shared = { audience: membersWith('quotes'), facts: quotes.mailFacts }

/** The public link, which needs no account; in the portal once that is revoked. */
const offerLink = ({ id, link_nonce }: { id: number; link_nonce: string | null }, io: IoContext): string | null =>
  link_nonce === null
    ? portalLink(io, 'quote', id)
    : linkUrl(io.ports.settings.publicUrl, linkToken(io.ports.secretKey, link_nonce))

const quoteOf = ({ id }: { id: number }) => ({ record: 'quote', id }) as const

const quoteSent = announcement({
  ...shared,
  audience: prospects,
  mail: 'quote-sent',
  event: events.sent,
  about: quoteOf,
  link: offerLink,
  // None if the quote was cancelled or replaced by the next version, which has a mail of its own.
  content: ({ status, number, total, currency, replaces, valid_until: validUntil }, common) =>
    status === 'cancelled' ? null : { ...common, number, total, currency, replaces, validUntil },
})

const quoteExpiring = announcement({
  ...shared,
  audience: prospects,
  mail: 'quote-expiring',
  event: events.expiring,
  about: quoteOf,
  link: offerLink,
  // None if it was accepted, rejected or cancelled since.
  content: ({ status, number, total, currency, valid_until: validUntil }, common) =>
    allows(quoteMoves.expire, status) ? { ...common, number, total, currency, validUntil } : null,
})

const quoteAccepted = announcement({
  ...shared,
  mail: 'quote-accepted',
  event: events.accepted,
  about: ({ order_id }) => ({ record: 'order', id: order_id }),
  content: ({ number, total, currency }, common) => ({ ...common, number, total, currency }),
})

const paymentReceived = announcement({
  ...shared,
  mail: 'payment-received',
  event: events.paid,
  about: ({ order_id }) => ({ record: 'order', id: order_id }),
  content: ({ number, total, currency, paid_at }, common, { now }) => ({
    ...common,
    number,
    total,
    currency,
    paidAt: paid_at ?? now.toISOString(),
  }),
})

const quoteFulfilled = announcement({
  ...shared,
  mail: 'quote-fulfilled',
  event: events.fulfilled,
  about: ({ order_id }) => ({ record: 'order', id: order_id }),
  content: ({ number, provisioned }, common) => ({ ...common, number, provisioned }),
})

export const quoteAnnouncements = [quoteSent, quoteExpiring, quoteAccepted, paymentReceived, quoteFulfilled]
