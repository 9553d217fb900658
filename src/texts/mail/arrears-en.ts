// The mails about due dates, suspension for what is due, and payments of more than that, in English.

import { waysToPayInEnglish } from './finances-en.ts'
import type { MailContent, MailTexts, MailWords, Voice } from './content.ts'

type ArrearsMails = Pick<
  MailTexts['kinds'],
  | 'arrears-ending'
  | 'invoice-due-date-changed'
  | 'entitlements-suspended'
  | 'entitlements-resumed'
  | 'payment-surplus'
  | 'payment-moved'
>

const product = ({ name, entitlementCode }: { name: string; entitlementCode: string }) => ({
  label: 'Product',
  value: `${name} (${entitlementCode})`,
})

function due({ owed, renewalDue }: MailContent<'entitlements-suspended'>, { money, date }: Voice): MailWords['facts'] {
  const invoices = owed.map(({ number, total, currency, dueDate }) => ({
    label: `Invoice ${number}`,
    value: `${money(total, currency)}, due on ${date(dueDate)}`,
  }))
  return renewalDue === null ? invoices : [...invoices, { label: 'Renewal due on', value: date(renewalDue) }]
}

export const arrearsMailsInEnglish: ArrearsMails = {
  'invoice-due-date-changed': ({ organizationName, number, total, currency, dueDate, options }, { money, date }) => ({
    subject: `Invoice ${number} is now due on ${date(dueDate)}`,
    preheader: `${money(total, currency)} for ${organizationName}.`,
    heading: 'An invoice has a new due date',
    paragraphs: [`We have changed the due date of invoice ${number} of ${organizationName} to ${date(dueDate)}.`],
    facts: [
      { label: 'Invoice', value: number },
      { label: 'Amount due', value: money(total, currency) },
      { label: 'Due date', value: date(dueDate) },
      ...waysToPayInEnglish(options),
    ],
    button: 'Pay invoice',
    notes: ['A boleto or a link to pay that you got before may not be valid any more.'],
  }),
  'arrears-ending': (invoice, { money, date }) => {
    const { organizationName, number, total, currency, dueDate, options, endsOn, act } = invoice
    const cancels = act === 'cancel'
    return {
      subject: `Invoice ${number}: pay until ${date(endsOn)}`,
      preheader: `${money(total, currency)} of ${organizationName} are still due.`,
      heading: cancels ? 'Your subscription is about to end' : 'We are about to give up on an invoice',
      paragraphs: [
        `Invoice ${number} of ${organizationName} was due on ${date(dueDate)}, and we have not received its payment.`,
        cancels
          ? `If it is not paid by then, the subscription ends on ${date(endsOn)}, and what belongs to it with it.`
          : `If it is not paid by then, we write it off on ${date(endsOn)}. What it pays for stays suspended.`,
      ],
      facts: [
        { label: 'Invoice', value: number },
        { label: 'Amount due', value: money(total, currency) },
        ...waysToPayInEnglish(options),
      ],
      button: 'Pay invoice',
      notes: ['If you have paid it already, you need not do anything: some payments take days to reach us.'],
    }
  },
  'entitlements-suspended': (content, voice) => ({
    subject: `Suspended for an overdue payment: ${namesOf(content.suspended)}`,
    preheader: `${content.organizationName} cannot use it until it is paid.`,
    heading: 'Suspended for an overdue payment',
    paragraphs: [
      `We have not received a payment of ${content.organizationName} in time. What it pays for is ` +
        'suspended, and can be used again as soon as it is paid.',
      ...(content.stops ? ['Until then we make no further invoices for it.'] : []),
    ],
    facts: [...content.suspended.map(product), ...due(content, voice)],
    button: 'Pay now',
    notes: ['If you have paid it already, you need not do anything: some payments take days to reach us.'],
  }),
  'entitlements-resumed': ({ organizationName, resumed }) => ({
    subject: `Active again: ${namesOf(resumed)}`,
    preheader: `${organizationName} can use it again.`,
    heading: 'What was suspended is active again',
    paragraphs: [`The suspension for an overdue payment is over, and ${organizationName} can use this again.`],
    facts: resumed.map(product),
    button: 'View entitlement',
    notes: [],
  }),
  'payment-moved': (moved, { money, date }) => {
    const { organizationName, number, total, currency, paidOn, owed, newNumber } = moved
    const what = number === null ? 'an advance payment' : `a payment of invoice ${number}`
    const where = number === null ? 'in advance' : `for invoice ${number}`
    return {
      subject: `${money(total, currency)} were recorded ${where} by mistake`,
      preheader: `We have corrected the payments of ${organizationName}.`,
      heading: 'A payment was recorded by mistake',
      paragraphs: [
        `We had recorded ${money(total, currency)} as ${what} of ${organizationName}. That was our mistake, ` +
          'and we are sorry. It does not count there any more, and its receipt is withdrawn.',
        ...(newNumber === null ? [] : [`It counts for invoice ${newNumber} now, and has a receipt of its own.`]),
        ...(owed === null || number === null
          ? []
          : [
              `Of invoice ${number} ${money(owed.due, currency)} are due again. Please pay it, or tell us how and ` +
                'when you have paid it.',
            ]),
      ],
      facts: [
        ...(number === null ? [] : [{ label: 'Invoice', value: number }]),
        { label: 'Withdrawn payment', value: `${money(total, currency)}, ${date(paidOn)}` },
        ...(owed === null
          ? []
          : [
              { label: 'Amount due', value: money(owed.due, currency) },
              { label: 'Due date', value: date(owed.dueDate) },
            ]),
      ],
      button: 'View invoice',
      notes: [],
    }
  },
  'payment-surplus': ({ organizationName, number, total, surplus, balance, currency }, { money }) => ({
    subject: `${money(surplus, currency)} added to your credit balance`,
    preheader: `From the payment of ${money(total, currency)} by ${organizationName}.`,
    heading: 'Your credit balance has grown',
    paragraphs: [
      number === null
        ? `${organizationName} has paid ${money(total, currency)} in advance. It is kept as a credit ` +
          'balance for later invoices.'
        : `${organizationName} has paid ${money(total, currency)} for invoice ${number}, which is more ` +
          'than was due. The rest is kept as a credit balance for later invoices.',
    ],
    facts: [
      ...(number === null ? [] : [{ label: 'Invoice', value: number }]),
      { label: 'Paid', value: money(total, currency) },
      { label: 'Added to the balance', value: money(surplus, currency) },
      { label: 'Credit balance', value: money(balance, currency) },
    ],
    button: 'View invoice',
    notes: [],
  }),
}

const namesOf = (products: readonly { name: string }[]): string => {
  const [first, ...others] = products.map(({ name }) => name)
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`
}
