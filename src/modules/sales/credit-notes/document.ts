// GET /credit-notes/{id}/pdf: the content of a credit note's document.
import {
  onlyRecipient,
  PDF,
  type Recipient,
  recipientOf,
  templateFor,
} from '#modules/documents/documents-of-record/parties.ts'
import type { Billing } from '#modules/sales/invoices/invoice.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import type { Block, DocumentTemplate } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { CreditNote } from './credit-note.ts'
import { creditNotes } from './queries.ts'

/** The recipient of the document is the one billed by the invoice. */
export type CreditNoteFacts = { note: CreditNote & CorrectedInvoice; recipient: Recipient }
export type CorrectedInvoice = { billing: Billing | null; invoice_issue_date: string; invoice_total: string }

export const creditNoteFacts = (org: number, id: number): ReadPlan<CreditNoteFacts> =>
  parts([creditNotes.withInvoice(org, id), recipientOf(org)], ([[note], [recipient]]) => {
    if (!note || !recipient) throw notFound()
    return { note, recipient }
  })

export async function creditNoteTemplate(
  io: IoContext,
  { note, recipient }: CreditNoteFacts,
): Promise<DocumentTemplate> {
  const template = await templateFor(io, note.company, note.billing === null ? recipient : onlyRecipient(note.billing))
  const { language } = template
  const { creditNote: words } = textsIn(language).documents
  const facts = [
    { label: words.issueDate, value: formatDate(language, note.issue_date) },
    { label: words.corrects, value: `${note.invoice_number}, ${formatDate(language, note.invoice_issue_date)}` },
    { label: words.invoiceTotal, value: formatMoney(language, note.invoice_total, note.currency) },
  ]
  const reason: Block[] = note.reason
    ? [
        { kind: 'heading', text: words.reason },
        { kind: 'text', text: note.reason },
      ]
    : []
  return {
    ...template,
    title: words.title,
    reference: note.number,
    madeAt: note.updated_at,
    blocks: [{ kind: 'facts', facts }, linesOf(note, language), ...reason],
  }
}

export async function creditNotePdf(io: IoContext, facts: CreditNoteFacts): Promise<FileAnswer> {
  const template = await creditNoteTemplate(io, facts)
  const bytes = await io.ports.documents.render(template)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${template.title}-${template.reference}.pdf`,
  }
}

function linesOf(note: CreditNote, language: Language): Block {
  const { quote, creditNote: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, note.currency)
  const whole = [words.ofInvoice(note.invoice_number), '1', money(note.total), money(note.total)]
  const rows = note.line_items.map((line) => [
    line.description,
    String(line.quantity),
    money(line.unit_price),
    money(line.total),
  ])
  // Below what it is a part of: the invoice has another one of its own.
  const withheld = keepsNothing(note) ? [] : [{ label: words.withheldTotal, value: money(note.withheld_total) }]
  return {
    kind: 'table',
    columns: [
      { label: quote.product, share: 0.46, align: 'left' },
      { label: quote.quantity, share: 0.1, align: 'right' },
      { label: quote.unitPrice, share: 0.22, align: 'right' },
      { label: quote.total, share: 0.22, align: 'right' },
    ],
    rows: rows.length === 0 ? [whole] : rows,
    totals: [{ label: words.total, value: money(note.total) }, ...withheld],
  }
}

const keepsNothing = ({ withheld_total, currency }: CreditNote): boolean => parseMoney(withheld_total, currency) === 0n
