// The mail to staff about a quote that the service has drafted for a next term.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { amongStaff, supportDesk } from '#modules/messages/notifications/recipients.ts'
import { dayIn, monthsFrom } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { lackingByIndex, spanOf, termOf } from '../adjustment.ts'
import { type DraftFacts, renewalDrafts } from './renewal-queries.ts'

export const renewalDrafted = announcement({
  mail: 'renewal-drafted',
  facts: renewalDrafts.mailFacts,
  audience: amongStaff('quotes', supportDesk),
  about: ({ id }) => ({ record: 'quote', id }),
  // None if it was sent or cancelled since.
  content: (facts, common, io) => {
    const { status, number, total, currency, renewed, ends_at, company } = facts
    if (status !== 'draft' || ends_at === null) return null
    const zone = zoneOf(io.ports, company)
    const endsOn = dayIn(new Date(ends_at), zone)
    return { ...common, number, total, currency, renewed, endsOn, unadjusted: unadjustedOf(facts, zone) }
  },
})

/** The months that still have no rate, by index. */
const unadjustedOf = ({ unadjusted, known_months }: DraftFacts, zone: string) =>
  lackingByIndex(
    unadjusted.map(({ price_index, ...moments }) => {
      const span = spanOf(price_index, termOf(moments, zone))
      const months = span ? monthsFrom(span.from_month, span.until_month) : []
      return { price_index, months: months.filter((month) => !known_months[price_index]?.includes(month)) }
    }),
  )
