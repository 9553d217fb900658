// GET /invoices/{id}/pdf: what an invoice says on paper.
import { onlyRecipient, PDF, type Recipient, recipientOf, sheetFor } from '#areas/sheets/parties.ts'
import type { Outside } from '#kernel/context.ts'
import { notFound } from '#kernel/errors.ts'
import type { FileAnswer } from '#kernel/files.ts'
import { parts, type ReadPlan } from '#kernel/route.ts'
import type { Block, Fact, Sheet } from '#ports/documents.ts'
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
export function invoiceSheet(maker: Outside, { invoice, recipient }: InvoiceFacts): Sheet {
  const billed = invoice.billing === null ? recipient : onlyRecipient(invoice.billing)
  const sheet = sheetFor(maker, invoice.company, billed)
  const { notes, invoice: words } = textsIn(sheet.language).documents
  const mark: Block[] =
    words.marks[invoice.status] === '' ? [] : [{ kind: 'heading', text: words.marks[invoice.status] }]
  const remarks: Block[] = invoice.notes
    ? [
        { kind: 'heading', text: notes },
        { kind: 'text', text: invoice.notes },
      ]
    : []
  return {
    ...sheet,
    title: words.title,
    reference: invoice.number,
    madeAt: invoice.updated_at,
    blocks: [
      ...mark,
      { kind: 'facts', facts: factsOf(invoice, sheet.language) },
      linesOf(invoice, sheet.language),
      ...remarks,
    ],
  }
}

export async function invoicePdf(maker: Outside, facts: InvoiceFacts): Promise<FileAnswer> {
  const sheet = invoiceSheet(maker, facts)
  const bytes = await maker.ports.documents.render(sheet)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${sheet.title}-${sheet.reference}.pdf`,
  }
}

function factsOf(invoice: Invoice, language: Language): Fact[] {
  const { status, invoice: words } = textsIn(language).documents
  const day = (date: string) => formatDate(language, date)
  const facts: [string, string | null][] = [
    [words.issueDate, day(invoice.issue_date)],
    [words.dueDate, day(invoice.due_date)],
    [status, words.statuses[invoice.status]],
    [words.paymentDate, invoice.payment_date === null ? null : day(invoice.payment_date)],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

function linesOf(invoice: Invoice, language: Language): Block {
  const { quote, invoice: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, invoice.currency)
  const rows = invoice.line_items.map((line) => [
    [line.product_name, line.description].filter(Boolean).join('\n'),
    String(line.quantity),
    money(line.unit_price),
    money(line.total),
  ])
  return {
    kind: 'table',
    columns: [
      { label: quote.product, share: 0.46, align: 'left' },
      { label: quote.quantity, share: 0.1, align: 'right' },
      { label: quote.unitPrice, share: 0.22, align: 'right' },
      { label: quote.total, share: 0.22, align: 'right' },
    ],
    rows,
    totals: totalsOf(invoice).map(([word, amount]) => ({ label: words[word], value: money(amount) })),
  }
}

type TotalWord = 'subtotal' | 'discount' | 'tax' | 'total' | 'credited' | 'paid' | 'refunded' | 'due'

/** Of what is nothing, only the sums that always stand there. */
function totalsOf(invoice: Invoice): [TotalWord, string][] {
  const { subtotal, discount_total, tax_total, total, amount_credited, amount_paid, amount_refunded, amount_due } =
    invoice
  const some = (word: TotalWord, amount: string): [TotalWord, string][] =>
    /[1-9]/.test(amount) ? [[word, amount]] : []
  return [
    ['subtotal', subtotal],
    ...some('discount', discount_total),
    ...some('tax', tax_total),
    ['total', total],
    ...some('credited', amount_credited),
    ...some('paid', amount_paid),
    ...some('refunded', amount_refunded),
    ['due', amount_due],
  ]
}
