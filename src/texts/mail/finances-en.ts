// The mails about invoices, refunds and payouts, in English.

import type { MailContent, MailTexts, MailWords, Voice } from './content.ts'
import type { AccessAhead } from './invoice-contents.ts'
import { paymentFacts } from './payment-ways.ts'

type FinanceMails = Pick<
  MailTexts['kinds'],
  | 'refund-succeeded'
  | 'invoice-open'
  | 'order-invoice-open'
  | 'invoice-reminder'
  | 'payment-failed'
  | 'payment-receipt'
  | 'charge-failed'
  | 'subscription-cancelled'
  | 'payout-paid'
  | 'payout-rejected'
>

export const waysToPayInEnglish = paymentFacts({
  pix: 'Pix code to copy',
  boleto: 'Boleto, line to type',
  reference: 'Reference of the transfer',
})

const ahead = ({ suspendsOn, stopsOn }: AccessAhead, { date }: Voice): string[] => [
  ...(suspendsOn === null ? [] : [`Without the payment, what it is for is suspended from ${date(suspendsOn)} on.`]),
  ...(stopsOn === null ? [] : [`From ${date(stopsOn)} on we make no further invoices until what is due is paid.`]),
]

const openInvoice = (
  { organizationName, number, total, currency, dueDate, options }: MailContent<'invoice-open' | 'order-invoice-open'>,
  { money, date }: Voice,
): MailWords => ({
  subject: `Invoice ${number}: ${money(total, currency)}`,
  preheader: `Due on ${date(dueDate)}.`,
  heading: 'You have a new invoice',
  paragraphs: [`Invoice ${number} has been issued to ${organizationName}.`],
  facts: [
    { label: 'Invoice', value: number },
    { label: 'Amount', value: money(total, currency) },
    { label: 'Due date', value: date(dueDate) },
    ...waysToPayInEnglish(options),
  ],
  button: 'Pay invoice',
  notes: [],
})

const unpaidFacts = (
  {
    number,
    total,
    currency,
    dueDate,
    options,
  }: Pick<MailContent<'payment-failed'>, 'number' | 'total' | 'currency' | 'dueDate' | 'options'>,
  { money, date }: Voice,
) => [
  { label: 'Invoice', value: number },
  { label: 'Amount due', value: money(total, currency) },
  { label: 'Due date', value: date(dueDate) },
  ...waysToPayInEnglish(options),
]

export const financeMailsInEnglish: FinanceMails = {
  'refund-succeeded': ({ organizationName, number, creditNoteNumber, total, currency }, { money }) => ({
    subject: number === null ? 'Refund of your credit balance' : `Refund for invoice ${number}`,
    preheader: `${money(total, currency)} is on its way to ${organizationName}.`,
    heading: 'Your refund is on its way',
    paragraphs: [
      `We have refunded ${money(total, currency)} of ` +
        `${number === null ? 'the credit balance' : `invoice ${number}`} to ${organizationName}.`,
    ],
    facts: [
      ...(number === null ? [] : [{ label: 'Invoice', value: number }]),
      ...(creditNoteNumber === null ? [] : [{ label: 'Credit note', value: creditNoteNumber }]),
      { label: 'Amount', value: money(total, currency) },
    ],
    button: 'View invoice',
    notes: ['Depending on how you paid, it takes some days until you see the amount.'],
  }),
  'invoice-open': openInvoice,
  'order-invoice-open': openInvoice,
  'invoice-reminder': (invoice, voice) => {
    const { organizationName, number, isOverdue, lateCharges, total, currency, dueDate } = invoice
    const amount = voice.money(total, currency)
    const due = voice.date(dueDate)
    return {
      subject: isOverdue ? `Invoice ${number} is overdue: ${amount}` : `Invoice ${number} is due on ${due}: ${amount}`,
      preheader: isOverdue ? `It was due on ${due}.` : `Due on ${due}.`,
      heading: isOverdue ? 'An invoice is overdue' : 'An invoice is due soon',
      paragraphs: [
        isOverdue
          ? `We have not received the payment of invoice ${number} of ${organizationName}, which was due on ${due}.`
          : `Invoice ${number} of ${organizationName} is due on ${due}.`,
        ...ahead(invoice, voice),
      ],
      facts: [
        ...unpaidFacts(invoice, voice),
        ...(lateCharges === null
          ? []
          : [{ label: 'Fine and interest until today', value: voice.money(lateCharges, currency) }]),
      ],
      button: 'Pay invoice',
      notes: ['If you have paid it already, you need not do anything: some payments take days to reach us.'],
    }
  },
  'payment-failed': (invoice, voice) => ({
    subject: `The payment of invoice ${invoice.number} failed`,
    preheader: `${voice.money(invoice.total, invoice.currency)} are still due.`,
    heading: 'A payment failed',
    paragraphs: [
      `The payment of invoice ${invoice.number} of ${invoice.organizationName} did not go through. You ` +
        'can try again, or pay it another way.',
    ],
    facts: unpaidFacts(invoice, voice),
    button: 'Pay invoice',
    notes: [],
  }),
  'payment-receipt': ({ organizationName, number, total, currency, paidOn }, { money, date }) => ({
    subject: `Receipt: ${money(total, currency)}${number === null ? '' : ` for invoice ${number}`}`,
    preheader: `We have received ${money(total, currency)} from ${organizationName}.`,
    heading: 'We have received your payment',
    paragraphs: [`We have received ${money(total, currency)} from ${organizationName}. Thank you!`],
    facts: [
      ...(number === null ? [] : [{ label: 'Invoice', value: number }]),
      { label: 'Amount', value: money(total, currency) },
      { label: 'Paid on', value: date(paidOn) },
    ],
    button: 'View invoice',
    notes: [],
  }),
  'charge-failed': (order, voice) => ({
    subject: `The charge for order ${order.number} failed`,
    preheader: `${voice.money(order.total, order.currency)} could not be charged.`,
    heading: 'A charge failed',
    paragraphs: [
      `The automatic charge for order ${order.number} of ${order.organizationName} did not go through. You can pay ` +
        'it now, with the same card or another one.',
      ...ahead(order, voice),
    ],
    facts: [
      { label: 'Order', value: order.number },
      { label: 'Amount', value: voice.money(order.total, order.currency) },
    ],
    button: 'Pay now',
    notes: [],
  }),
  'subscription-cancelled': ({ organizationName, number, reason, endsAt, isOwn, hasEnded }, { time }) => ({
    subject: `The subscription of order ${number} was cancelled`,
    preheader: hasEnded ? 'A subscription was cancelled' : 'What is paid can be used until the end of the paid period.',
    heading: 'A subscription was cancelled',
    paragraphs: [
      isOwn
        ? `The subscription of order ${number} of ${organizationName} was cancelled, as ${organizationName} asked.`
        : `We have cancelled the subscription of order ${number} of ${organizationName}.`,
      ...(hasEnded ? [] : ['What is paid can be used until the end of the paid period.']),
    ],
    facts: [
      { label: 'Order', value: number },
      ...(endsAt === null ? [] : [{ label: 'Ends on', value: time(endsAt) }]),
      ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
    ],
    button: 'View order',
    notes:
      hasEnded || endsAt === null
        ? []
        : [
            isOwn
              ? 'Until then it can be taken back, on the page of the order.'
              : 'Is it a mistake? Reply to us before it ends.',
          ],
  }),
  'payout-paid': ({ organizationName, code, total, currency, reference }, { money }) => ({
    subject: `Payout for affiliate ${code}: ${money(total, currency)}`,
    preheader: `${money(total, currency)} is on its way to ${organizationName}.`,
    heading: 'Your payout has been paid',
    paragraphs: [`We have paid ${money(total, currency)} of your commissions to ${organizationName}.`],
    facts: [
      { label: 'Affiliate', value: code },
      { label: 'Amount', value: money(total, currency) },
      ...(reference === null ? [] : [{ label: 'Reference', value: reference }]),
    ],
    button: 'View account',
    notes: [],
  }),
  'payout-rejected': ({ organizationName, code, total, currency, reason }, { money }) => ({
    subject: `Payout for affiliate ${code} was not approved`,
    preheader: `About the ${money(total, currency)} that ${organizationName} requested.`,
    heading: 'Your payout was not approved',
    paragraphs: [
      `The payout of ${money(total, currency)} to ${organizationName} will not be made. The amount is available again.`,
    ],
    facts: [
      { label: 'Affiliate', value: code },
      { label: 'Amount', value: money(total, currency) },
      ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
    ],
    button: 'View account',
    notes: [],
  }),
}
