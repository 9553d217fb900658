// The content of an invoice's document, the same for members, for whoever has its link, and in mails: while it is
// overdue it says so, with the fine and the interest until today.
import { lineTable } from '#modules/documents/documents-of-record/line-table.ts'
import {
  onlyRecipient,
  PDF,
  type Recipient,
  recipientOf,
  templateFor,
} from '#modules/documents/documents-of-record/parties.ts'
import { type LateCharges, lateChargesOf } from '#modules/sales/dunning/late-charges-of.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { both, parts, type ReadPlan } from '#http/route.ts'
import type { Block, Fact, DocumentTemplate } from '#ports/documents.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney, formatPercent, formatShortDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { StoredInvoice } from './invoice.ts'
import { waysToPay } from './payment-options/document-blocks.ts'
import { type PayableInvoice, payableInvoice } from './payment-options/options-of.ts'
import { invoices } from './queries.ts'

/** `lateCharges`: fine and interest until `asOf`; null: none. */
type Overdue = { since: string; asOf: string; lateCharges: string | null }
/** `overdue`: undefined while it is not. */
export type InvoiceFacts = {
  invoice: StoredInvoice
  recipient: Recipient
  payable: PayableInvoice
  overdue?: Overdue | undefined
}

export const invoiceFacts = (org: number, id: number): ReadPlan<InvoiceFacts> =>
  both(recordFacts(org, id), lateChargesOf(org, id), withOverdue)

const recordFacts = (org: number, id: number): ReadPlan<InvoiceFacts> =>
  parts(
    [invoices.stored(org, id), recipientOf(org), payableInvoice(org, id)],
    ([[invoice], [recipient], [payable]]) => {
      if (!invoice || !recipient || !payable) throw notFound()
      return { invoice, recipient, payable }
    },
  )

/** Final versions are paid or void, so this changes nothing in what is archived. */
function withOverdue(facts: InvoiceFacts, { as_of: asOf, days_overdue, due, currency }: LateCharges): InvoiceFacts {
  const { status, amount_due, due_date } = facts.invoice
  if (status !== 'open' || days_overdue === 0 || parseMoney(amount_due, currency) === 0n) return facts
  const lateCharges = parseMoney(due, currency) === 0n ? null : due
  return { ...facts, overdue: { since: addDays(due_date, 1), asOf, lateCharges } }
}

/** The recipient is the `billing` of a finalized invoice, and the organization as it is now for a draft. */
export async function invoiceTemplate(io: IoContext, facts: InvoiceFacts): Promise<DocumentTemplate> {
  const { invoice, recipient, overdue } = facts
  const billed = invoice.billing === null ? recipient : onlyRecipient(invoice.billing)
  const template = await templateFor(io, invoice.company, billed)
  const { notes, invoice: words } = textsIn(template.language).documents
  const since = overdue && formatDate(template.language, overdue.since)
  const mark = since === undefined ? words.marks[invoice.status] : words.overdue.mark(since)
  const isVoid = invoice.status === 'void'
  const remarks: Block[] = invoice.notes
    ? [
        { kind: 'heading', text: notes },
        { kind: 'text', text: invoice.notes },
      ]
    : []
  return {
    ...template,
    title: words.title,
    reference: invoice.number,
    madeAt: invoice.updated_at,
    ...(isVoid && { watermark: mark }),
    blocks: [
      ...(mark === '' || isVoid ? [] : [{ kind: 'heading' as const, text: mark }]),
      { kind: 'facts', facts: factsOf(facts, template.language, zoneOf(io.ports, invoice.company)) },
      lineTable(invoice, template.language, [
        ...withheldOf(invoice, template.language),
        ...settledOf(invoice, template.language),
      ]),
      ...waysToPay(io, facts.payable, template.language),
      ...remarks,
    ],
  }
}

export async function invoicePdf(io: IoContext, facts: InvoiceFacts): Promise<FileAnswer> {
  const template = await invoiceTemplate(io, facts)
  const bytes = await io.ports.documents.render(template)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${template.title}-${template.reference}.pdf`,
  }
}

function factsOf({ invoice, overdue }: InvoiceFacts, language: Language, zone: string): Fact[] {
  const { status, quote, invoice: words } = textsIn(language).documents
  const day = (date: string) => formatDate(language, date)
  const facts: [string, string | null][] = [
    [words.issueDate, day(invoice.issue_date)],
    [words.dueDate, day(invoice.due_date)],
    [words.period, periodOf(invoice, zone, day)],
    [status, overdue ? words.overdue.status : words.statuses[invoice.status]],
    [quote.purchaseOrder, invoice.purchase_order],
    [words.paymentDate, invoice.payment_date === null ? null : day(invoice.payment_date)],
    // No part of the totals: an invoice of their own bills them.
    [
      words.overdue.lateCharges(formatShortDate(language, overdue?.asOf ?? invoice.due_date)),
      overdue?.lateCharges ? formatMoney(language, overdue.lateCharges, invoice.currency) : null,
    ],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** The first and the last day that it pays for. */
function periodOf(
  { period_start, period_end }: StoredInvoice,
  zone: string,
  day: (date: string) => string,
): string | null {
  if (period_start === null || period_end === null) return null
  const last = new Date(Date.parse(period_end) - 1)
  return `${day(dayIn(new Date(period_start), zone))} – ${day(dayIn(last, zone))}`
}

/** What the customer keeps back, and what is left to pay. */
function withheldOf({ withheld, net_total, currency }: StoredInvoice, language: Language): Fact[] {
  const { invoice: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, currency)
  const taxes = withheld.map(({ tax, percent, amount }) => ({
    label: words.withheld(tax.toUpperCase(), formatPercent(language, percent)),
    value: money(`-${amount}`),
  }))
  return taxes.length === 0 ? [] : [...taxes, { label: words.netTotal, value: money(net_total) }]
}

type TotalWord = 'credited' | 'paid' | 'refunded' | 'due'

/** Amounts of 0 are left out, except the amount due. */
function settledOf(invoice: StoredInvoice, language: Language): Fact[] {
  const { invoice: words } = textsIn(language).documents
  const { amount_credited, amount_paid, amount_refunded, amount_due, currency } = invoice
  const sums: [TotalWord, string][] = [
    ['credited', amount_credited],
    ['paid', amount_paid],
    ['refunded', amount_refunded],
    ['due', amount_due],
  ]
  return sums
    .filter(([label, amount]) => label === 'due' || parseMoney(amount, currency) > 0n)
    .map(([label, amount]) => ({ label: words[label], value: formatMoney(language, amount, currency) }))
}
