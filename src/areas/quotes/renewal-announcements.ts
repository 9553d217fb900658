// The mail to staff about a quote that the service has drafted for a next term.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { supportDesk } from '#areas/notifications/recipients.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { renewalDrafts } from './renewal-queries.ts'

export const renewalDrafted = announcement({
  mail: 'renewal-drafted',
  facts: renewalDrafts.mailFacts,
  audience: supportDesk,
  link: ({ id }, io) => portalLink(io, 'quote', id),
  // None if it was sent or cancelled since.
  content: ({ status, number, total, currency, renewed, ends_at, company }, common, io) =>
    status === 'draft' && ends_at !== null
      ? { ...common, number, total, currency, renewed, endsOn: dayIn(new Date(ends_at), zoneOf(io.ports, company)) }
      : null,
})
