// The vendor: its name, and its rules for refunds, commissions, expiry warnings and license files.
import { daysBefore, email, number, oneOf, text } from './readers.ts'
import type { Variables } from './variable.ts'

export const VENDOR = {
  brand: {
    name: 'BRAND',
    meaning: 'Name of the vendor on pages and mails',
    fallback: 'Titular',
    read: text,
    visibleTo: 'areas',
  },
  supportEmail: {
    name: 'SUPPORT_EMAIL',
    meaning: 'Address that gets a mail for each ticket that a customer opens',
    read: email,
    visibleTo: 'areas',
  },
  refunds: {
    name: 'REFUNDS',
    meaning: '`approve`: staff approve each refund; `automatic`: sent at once',
    fallback: 'approve',
    sandboxFallback: 'automatic',
    read: oneOf('approve', 'automatic'),
    visibleTo: 'areas',
  },
  reconcileAfterMinutes: {
    name: 'RECONCILE_AFTER_MINUTES',
    meaning: 'How long a payment, refund or subscription may go without news before the payment provider is asked',
    fallback: '60',
    read: number(1, 10_080),
    visibleTo: 'areas',
  },
  commissionDays: {
    name: 'COMMISSION_DAYS',
    meaning: 'Days after a payment in which a commission waits for a refund; then the affiliate has earned it',
    fallback: '30',
    read: number(0, 3650),
    visibleTo: 'areas',
  },
  expiryWarningDays: {
    name: 'EXPIRY_WARNING_DAYS',
    meaning: 'How many days before something expires its members are warned, by comma; `none` for never',
    fallback: '30,7,1',
    read: daysBefore,
    visibleTo: 'areas',
  },
  eventsDays: {
    name: 'EVENTS_DAYS',
    meaning: 'Days that events are kept; readers of the feed that were away for longer are told',
    fallback: '90',
    read: number(1, 3650),
    visibleTo: 'areas',
  },
  licenseFileDays: {
    name: 'LICENSE_FILE_DAYS',
    meaning: 'Days that a license file is good for at most',
    fallback: '30',
    read: number(1, 3650),
    visibleTo: 'areas',
  },
} as const satisfies Variables
