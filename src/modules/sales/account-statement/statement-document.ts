// GET /account-statement/pdf: the content of a statement's document.
import { PDF, templateFor } from '#modules/documents/documents-of-record/parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import type { Block, Column, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney, formatShortDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { AccountStatement } from './account-statement.ts'
import type { StatementFacts } from './make-statement.ts'

/** So many lines are rendered well within the time of a document. */
export const MOST_PDF_LINES = 1000

export async function statementPdf(io: IoContext, { statement, recipient }: StatementFacts): Promise<FileAnswer> {
  const template = await templateFor(io, statement.company, recipient)
  const { language } = template
  const { account: words } = textsIn(language).documents
  const bytes = await io.ports.documents.render({
    ...template,
    title: words.title,
    reference: statement.currency,
    madeAt: io.now.toISOString(),
    blocks: [{ kind: 'facts', facts: headOf(statement, language) }, ...linesOf(statement, language)],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${statement.currency}.pdf`,
  }
}

function headOf({ date_from, date_to, opening, currency }: AccountStatement, language: Language): Fact[] {
  const { statement: shared, account: words } = textsIn(language).documents
  const day = (date: string | null) => (date === null ? null : formatDate(language, date))
  return [
    { label: shared.period, value: shared.between(day(date_from), day(date_to)) },
    { label: words.opening, value: formatMoney(language, opening, currency) },
  ]
}

function linesOf({ lines, closing: owed, currency }: AccountStatement, language: Language): Block[] {
  const { statement: shared, account: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, currency)
  const closing = { label: words.closing, value: money(owed) }
  if (lines.length === 0)
    return [
      { kind: 'text', text: shared.empty },
      { kind: 'facts', facts: [closing] },
    ]
  const columns: Column[] = [
    { label: shared.date, share: 0.16, align: 'left' },
    { label: shared.entry, share: 0.44, align: 'left' },
    { label: shared.amount, share: 0.2, align: 'right' },
    { label: shared.balance, share: 0.2, align: 'right' },
  ]
  const rows = lines.map(({ date, kind, id, reference, amount, balance }) => [
    formatShortDate(language, date),
    `${words.kinds[kind]} ${reference ?? id}`,
    money(amount),
    money(balance),
  ])
  return [
    { kind: 'table', columns, rows, totals: [closing] },
    { kind: 'text', text: words.note },
  ]
}
