// The mails about the suspension of what was not paid, and about its end, to members with the scope `finances`: one for
// all that is suspended, or active again, at one moment (docs/interface/sales.md).
import { entitlementsTable, isInArrears } from '#modules/delivery/entitlements/entitlement.ts'
import { ordersTable } from '#modules/sales/orders/order.ts'
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { payLink } from '#modules/sales/invoices/payment-options/mail-options.ts'
import { type Arrears, arrearsFacts, failedCharge, resumedFacts } from './suspension-queries.ts'

/** The day of what lies ahead; null for what has come, or does not. */
export const dayAhead = (
  moment: string | null,
  { company }: { company: Company },
  { now, ports }: IoContext,
): string | null => (moment !== null && new Date(moment) > now ? dayIn(new Date(moment), zoneOf(ports, company)) : null)

const todayOf = ({ now, ports }: IoContext, { company }: Arrears): string => dayIn(now, zoneOf(ports, company))

/** Invoices that are not due yet wait for their own mails. */
const overdueOf = (arrears: Arrears, io: IoContext): Arrears['owed'] =>
  arrears.owed.filter(({ due_date }) => due_date < todayOf(io, arrears))

function renewalDue({ renews, expires_at, company }: Arrears, { ports }: IoContext): string | null {
  return renews && expires_at !== null ? dayIn(new Date(expires_at), zoneOf(ports, company)) : null
}

const suspension = announcement({
  mail: 'entitlements-suspended',
  isMandatory: true,
  contact: 'billing',
  event: entitlementsTable.events.suspended,
  audience: membersWith('finances'),
  facts: arrearsFacts,
  about: ({ id }) => ({ record: 'entitlement', id }),
  /** Where the oldest invoice is paid. */
  link: (arrears: Arrears, io) => {
    const [first] = overdueOf(arrears, io)
    if (!first) return portalLink(io, 'entitlement', arrears.id)
    return payLink(first, io)
  },
  // Null when it was paid meanwhile, staff hold dunning, or the mail of another one names this one too.
  content: (arrears, common, io) => {
    const { together, hold } = arrears
    const isHeld = hold !== null && hold.until >= todayOf(io, arrears)
    if (!isInArrears(arrears) || isHeld || together[0]?.id !== arrears.id) return null
    const owed = overdueOf(arrears, io).map(({ number, total, currency, due_date: dueDate }) => ({
      number,
      total,
      currency,
      dueDate,
    }))
    const suspended = together.map(({ name, entitlementCode }) => ({ name, entitlementCode }))
    const stops = arrears.stops_at !== null
    return { ...common, suspended, owed, renewalDue: owed.length === 0 ? renewalDue(arrears, io) : null, stops }
  },
})

const resumption = announcement({
  mail: 'entitlements-resumed',
  contact: 'billing',
  event: entitlementsTable.events.resumed,
  audience: membersWith('finances'),
  facts: resumedFacts,
  about: ({ id }) => ({ record: 'entitlement', id }),
  content: ({ id, status, status_reason_code: code, together }, common) => {
    if (status !== 'active' || code !== 'payment_settled' || together[0]?.id !== id) return null
    return { ...common, resumed: together.map(({ name, entitlementCode }) => ({ name, entitlementCode })) }
  },
})

const chargeFailed = announcement({
  mail: 'charge-failed',
  event: ordersTable.events.subscription_charge_failed,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: failedCharge,
  about: ({ id }) => ({ record: 'order', id }),
  link: ({ id, link }, io) => link ?? portalLink(io, 'order', id),
  // Null when it was paid meanwhile.
  content: (order, common, io) => {
    if (!order.has_failed) return null
    const { number, total, currency } = order
    const suspendsOn = dayAhead(order.suspends_at, order, io)
    return { ...common, number, total, currency, suspendsOn, stopsOn: dayAhead(order.stops_at, order, io) }
  },
})

export const suspensionAnnouncements = [suspension, resumption, chargeFailed]
