// GET /payments/{id}/receipt: the paper that says what was paid, by whom, when and how, for which invoice, and what is
// still due of it. Of a payment that was moved it says that it was withdrawn.
import {
  onlyRecipient,
  PDF,
  type Recipient,
  recipientOf,
  templateFor,
} from '#modules/documents/documents-of-record/parties.ts'
import { factsOf } from '#modules/documents/documents-of-record/archive-document.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney } from '#texts/format.ts'
import { payments, type ReceivedPayment } from './payment-records.ts'

type ReceiptFacts = { payment: ReceivedPayment; recipient: Recipient }

export const receiptFacts = (org: number, id: number): ReadPlan<ReceiptFacts> =>
  parts([payments.withInvoice(org, id), recipientOf(org)], ([[payment], [recipient]]) => {
    if (!payment || !recipient) throw notFound()
    return { payment, recipient }
  })

export async function receiptPdf(io: IoContext, { payment, recipient }: ReceiptFacts): Promise<FileAnswer> {
  const { company, currency, amount, surplus, billing } = payment
  const billed = billing === null ? recipient : onlyRecipient(billing)
  const template = await templateFor(io, company, billed)
  const { language } = template
  const { receipt: words } = textsIn(language).documents
  const money = (sum: string) => formatMoney(language, sum, currency)
  const withdrawnOn = payment.moved_at === null ? null : dayIn(new Date(payment.moved_at), zoneOf(io.ports, company))
  const facts: [string, string | null][] = [
    [words.amount, money(amount)],
    [words.paidOn, formatDate(language, payment.payment_date)],
    [words.invoice, payment.invoice_number ?? words.inAdvance],
    [words.method, payment.source === 'credit_balance' ? words.creditBalance : methodIn(words.methods, payment)],
    [words.reference, payment.reference],
    [words.surplus, parseMoney(surplus, currency) === 0n ? null : money(surplus)],
    [words.invoiceTotal, payment.invoice_total && money(payment.invoice_total)],
    [words.due, withdrawnOn === null ? payment.invoice_due && money(payment.invoice_due) : null],
    [words.inPlaceOf, payment.moved_from_id === null ? null : String(payment.moved_from_id)],
  ]
  const said = {
    seller: template.letterhead.name,
    amount: money(amount),
    payer: billed.legal_name ?? billed.name ?? '',
    invoice: payment.invoice_number,
  }
  const reference = String(payment.id)
  const bytes = await io.ports.documents.render({
    ...template,
    title: words.title,
    reference,
    madeAt: payment.created_at,
    ...(withdrawnOn !== null && { watermark: words.withdrawn.mark }),
    blocks: [
      ...(withdrawnOn === null
        ? []
        : [{ kind: 'text' as const, text: words.withdrawn.note(formatDate(language, withdrawnOn)) }]),
      { kind: 'text', text: words.lead(said) },
      { kind: 'facts', facts: facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])) },
    ],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${reference}.pdf`,
  }
}

const methodIn = (methods: Readonly<Record<string, string>>, { payment_method: method }: ReceivedPayment) =>
  method !== null && Object.hasOwn(methods, method) ? (methods[method] ?? method) : method

/** For the mail about the payment. */
export async function receiptWithin(io: IoContext, id: number): Promise<FileAnswer> {
  const found = await factsOf(io, { facts: receiptFacts }, id)
  if (!found) throw notFound()
  return receiptPdf(io, found.facts)
}
