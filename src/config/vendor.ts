// The vendor: its name, and its rules for refunds, commissions, expiry warnings, service levels, license files,
// downloads and received events.
import { COMPANIES, type Company } from '#kernel/values/schema.ts'
import { HIDEABLE } from '#ports/vendor-settings.ts'
import { COLOR, SUPPORT_URL } from '#ports/brand-settings.ts'
import { daysBefore, daysKept, email, list, listOf, number, oneOf, text } from './readers.ts'
import type { Variables } from './variable.ts'

const TICKET_CLASSES = ['ENV', 'PLG', 'SVC', 'EDU', 'none'] as const
type TicketClass = (typeof TICKET_CLASSES)[number]

function companies(value: string): Company[] {
  const given = [...new Set(list(value))]
  if (given.join() === 'none') return []
  const known = given.flatMap((name) => COMPANIES.find((one) => one === name) ?? [])
  if (known.length === 0 || known.length < given.length)
    throw new Error(`must list some of ${COMPANIES.join(', ')}, or be none`)
  return known
}

function ticketClasses(value: string): TicketClass[] {
  const given = [...new Set(list(value))]
  const known = given.flatMap((name) => TICKET_CLASSES.find((one) => one === name) ?? [])
  if (known.length === 0 || known.length < given.length)
    throw new Error(`must list some of ${TICKET_CLASSES.join(', ')}`)
  return known
}

function color(value: string): string {
  if (!COLOR.test(value)) throw new Error('must be a color such as #1f5fd0')
  return value.toLowerCase()
}

function supportUrl(value: string): string {
  if (!SUPPORT_URL.test(value))
    throw new Error('must be an address such as https://help.example.com or mailto:help@example.com')
  return value
}

export const VENDOR = {
  brand: {
    name: 'BRAND',
    meaning: 'Name of the vendor on pages and mails',
    fallback: 'Titular',
    read: text,
    visibleTo: 'areas',
  },
  brandColor: {
    name: 'BRAND_COLOR',
    meaning: 'Color of the vendor on pages, mails and documents, such as `#1f5fd0`',
    fallback: '#1f5fd0',
    read: color,
  },
  supportUrl: {
    name: 'SUPPORT_URL',
    meaning: 'Where customers find help: an https or a mailto address, at the foot of pages and mails',
    read: supportUrl,
  },
  supportEmail: {
    name: 'SUPPORT_EMAIL',
    meaning:
      'Address that gets a mail for each ticket that a customer opens, for each request for a quote, for ' +
      'each renewal that was drafted, for deadlines of tickets without an assignee, and for missed ones; ' +
      'when unset, the requests, the drafts and these deadlines are mailed to all administrators',
    read: email,
  },
  refunds: {
    name: 'REFUNDS',
    meaning: '`approve`: staff approve each refund; `automatic`: sent at once',
    fallback: 'approve',
    sandboxFallback: 'automatic',
    read: oneOf('approve', 'automatic'),
  },
  reconcileAfterMinutes: {
    name: 'RECONCILE_AFTER_MINUTES',
    meaning: 'How long a payment, refund or subscription may go without news before the payment provider is asked',
    fallback: '60',
    read: number(1, 10_080),
    visibleTo: 'areas',
  },
  renewalInvoiceDays: {
    name: 'RENEWAL_INVOICE_DAYS',
    meaning: 'Days before a period in which the service makes the invoice of an order that it bills again',
    fallback: '14',
    read: number(0, 60),
  },
  renewalQuoteDays: {
    name: 'RENEWAL_QUOTE_DAYS',
    meaning:
      'Days before the end of a term that was sold in which a quote of the next one is drafted for staff; 0 for never',
    fallback: '45',
    read: number(0, 365),
  },
  commissionDays: {
    name: 'COMMISSION_DAYS',
    meaning: 'Days after a payment in which a commission waits for a refund; then the affiliate has earned it',
    fallback: '30',
    read: number(0, 3650),
  },
  expiryWarningDays: {
    name: 'EXPIRY_WARNING_DAYS',
    meaning: 'How many days before something expires its members are warned, by comma; `none` for never',
    fallback: '30,7,1',
    read: daysBefore,
  },
  slaWarningPercent: {
    name: 'SLA_WARNING_PERCENT',
    meaning: 'Part of a promised time after which staff are warned of the deadline; 100 for never',
    fallback: '75',
    read: number(1, 100),
  },
  ticketsWithoutEntitlement: {
    name: 'TICKETS_WITHOUT_ENTITLEMENT',
    meaning:
      'What customers can do where the entitlement is suspended, expired or cancelled: `flag`: they open ' +
      'tickets, which say so; `refuse`: they open none',
    fallback: 'flag',
    read: oneOf('flag', 'refuse'),
  },
  ticketClasses: {
    name: 'TICKET_CLASSES',
    meaning:
      'What customers open tickets about, by comma: classes of entitlements (`ENV,PLG,SVC,EDU`), and `none` for an ' +
      'invoice, an order, or nothing in particular',
    fallback: 'ENV',
    read: ticketClasses,
  },
  satisfaction: {
    name: 'SATISFACTION',
    meaning:
      'The legal entities about whose tickets customers are asked once whether they are satisfied, by comma; `none` ' +
      'for never',
    fallback: 'entity_br,entity_global',
    read: companies,
  },
  eventsDays: {
    name: 'EVENTS_DAYS',
    meaning: 'Days that events are kept; readers of the feed that were away for longer are told',
    fallback: '90',
    read: number(1, 3650),
  },
  noticesDays: {
    name: 'NOTICES_DAYS',
    meaning: 'Days that entries of inboxes and the records of sent mails are kept',
    fallback: '180',
    read: number(1, 3650),
  },
  licenseFileDays: {
    name: 'LICENSE_FILE_DAYS',
    meaning: 'Days that a license file is good for at most',
    fallback: '30',
    read: number(1, 3650),
  },
  inboundEventDays: {
    name: 'INBOUND_EVENT_DAYS',
    meaning: 'Days for which received webhook events are kept, 30 at least; 0 keeps them all',
    fallback: '180',
    read: daysKept,
  },
  staffEntry: {
    name: 'STAFF_ENTRY',
    meaning:
      '`open`: staff work in every organization as their roles allow; `reason`: only after they have said ' +
      'why, for a time (`POST /admin/organizations/{id}/entries`)',
    fallback: 'open',
    read: oneOf('open', 'reason'),
  },
  hiddenScopes: {
    name: 'HIDDEN_SCOPES',
    meaning:
      'The scopes that customers do not have, by comma, such as `contracts,downloads`; `none`: all are shown. An ' +
      'organization may have a list of its own',
    fallback: 'none',
    read: (value: string) => (value === 'none' ? [] : listOf(oneOf(...HIDEABLE))(value)),
  },
  staffEntryMinutes: {
    name: 'STAFF_ENTRY_MINUTES',
    meaning: 'How long an entry with a reason lasts at most',
    fallback: '60',
    read: number(1, 1440),
  },
  downloadLinkMinutes: {
    name: 'DOWNLOAD_LINK_MINUTES',
    meaning: 'Minutes that a link to a file of a release is good for',
    fallback: '15',
    read: number(1, 1440),
  },
} as const satisfies Variables
