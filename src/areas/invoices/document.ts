// GET /invoices/{id}/pdf: what an invoice says on paper.
import { lineTable } from '#areas/documents-of-record/lines.ts'
import { onlyRecipient, PDF, type Recipient, recipientOf, templateFor } from '#areas/documents-of-record/parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/http/errors.ts'
import type { FileAnswer } from '#kernel/http/file-bodies.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { parts, type ReadPlan } from '#kernel/http/route.ts'
import type { Block, Fact, DocumentTemplate } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { Invoice } from './invoice.ts'
import { invoices } from './queries.ts'

export type InvoiceFacts = { invoice: Invoice; recipient: Recipient }

export const invoiceFacts = (org: number, id: number): ReadPlan<InvoiceFacts> =>
  parts([invoices.shown(org, id), recipientOf(org)], ([[invoice], [recipient]]) => {
    if (!invoice || !recipient) throw notFound()
    return { invoice, recipient }
  })

/** Whom it bills is what it was when the invoice was finalized; a draft has nobody else yet. */
export function invoiceTemplate(maker: IoContext, { invoice, recipient }: InvoiceFacts): DocumentTemplate {
  const billed = invoice.billing === null ? recipient : onlyRecipient(invoice.billing)
  const template = templateFor(maker, invoice.company, billed)
  const { notes, invoice: words } = textsIn(template.language).documents
  const mark = words.marks[invoice.status]
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
      { kind: 'facts', facts: factsOf(invoice, template.language) },
      lineTable(invoice, template.language, settledOf(invoice, template.language)),
      ...remarks,
    ],
  }
}

export async function invoicePdf(maker: IoContext, facts: InvoiceFacts): Promise<FileAnswer> {
  const template = invoiceTemplate(maker, facts)
  const bytes = await maker.ports.documents.render(template)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${template.title}-${template.reference}.pdf`,
  }
}

function factsOf(invoice: Invoice, language: Language): Fact[] {
  const { status, quote, invoice: words } = textsIn(language).documents
  const day = (date: string) => formatDate(language, date)
  const facts: [string, string | null][] = [
    [words.issueDate, day(invoice.issue_date)],
    [words.dueDate, day(invoice.due_date)],
    [status, words.statuses[invoice.status]],
    [quote.purchaseOrder, invoice.purchase_order],
    [words.paymentDate, invoice.payment_date === null ? null : day(invoice.payment_date)],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

type TotalWord = 'credited' | 'paid' | 'refunded' | 'due'

/** Of what is nothing, only what is still owed. */
function settledOf(invoice: Invoice, language: Language): Fact[] {
  const { invoice: words } = textsIn(language).documents
  const { amount_credited, amount_paid, amount_refunded, amount_due, currency } = invoice
  const sums: [TotalWord, string][] = [
    ['credited', amount_credited],
    ['paid', amount_paid],
    ['refunded', amount_refunded],
    ['due', amount_due],
  ]
  return sums
    .filter(([word, amount]) => word === 'due' || parseMoney(amount, currency) > 0n)
    .map(([word, amount]) => ({ label: words[word], value: formatMoney(language, amount, currency) }))
}
