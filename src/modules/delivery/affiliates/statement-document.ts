// GET /affiliates/{id}/statement/pdf: the content of a statement's document.
import { PDF, type Recipient, recipientOf, templateFor } from '#modules/documents/documents-of-record/parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { formatMoney as decimal, parseMoney, sum } from '#kernel/values/money.ts'
import type { Block, Column, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney, formatShortDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { Affiliate } from './affiliate.ts'
import { affiliates } from './queries.ts'
import type { StatementEntry, StatementPeriod } from './statement.ts'

/** So many lines are rendered well within the time of a document. */
const MOST_ENTRIES = 1000

type StatementFacts = {
  account: Affiliate
  recipient: Recipient
  entries: StatementEntry[]
  /** The balance before the first entry. */
  opening: string
  period: StatementPeriod
}

export const statementFacts = (org: number, id: number, period: StatementPeriod): ReadPlan<StatementFacts> =>
  parts(
    [
      affiliates.view(org, id),
      recipientOf(org),
      affiliates.entries(org, id, period, MOST_ENTRIES + 1),
      affiliates.entryBefore(org, id, period),
    ],
    ([[account], [recipient], entries, [before]]) => {
      if (!account || !recipient) throw notFound()
      const { date_from, date_to } = period
      if (date_from !== undefined && date_to !== undefined && date_from > date_to)
        throw invalid({ date_from: 'must not be after date_to' })
      if (entries.length > MOST_ENTRIES)
        throw invalid({ date_from: `choose a shorter period: this one has more than ${MOST_ENTRIES} entries` })
      return { account, recipient, entries, opening: before?.balance ?? decimal(0n, account.currency), period }
    },
  )

export async function statementPdf(io: IoContext, facts: StatementFacts): Promise<FileAnswer> {
  const { account } = facts
  const template = await templateFor(io, account.company, facts.recipient)
  const { language } = template
  const { statement: words } = textsIn(language).documents
  const bytes = await io.ports.documents.render({
    ...template,
    recipient: { ...template.recipient, label: words.affiliate },
    title: words.title,
    reference: account.code,
    madeAt: account.updated_at,
    blocks: [{ kind: 'facts', facts: headOf(facts, language) }, ...entriesOf(facts, language)],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${account.code}.pdf`,
  }
}

function headOf({ account, opening, period }: StatementFacts, language: Language): Fact[] {
  const { statement: words } = textsIn(language).documents
  const day = (date: string | undefined) => (date === undefined ? null : formatDate(language, date))
  return [
    { label: words.period, value: words.between(day(period.date_from), day(period.date_to)) },
    { label: words.opening, value: formatMoney(language, opening, account.currency) },
  ]
}

function entriesOf({ account, entries, opening }: StatementFacts, language: Language): Block[] {
  const { statement: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, account.currency)
  const closing = { label: words.closing, value: money(entries.at(-1)?.balance ?? opening) }
  if (entries.length === 0)
    return [
      { kind: 'text', text: words.empty },
      { kind: 'facts', facts: [closing] },
    ]
  const columns: Column[] = [
    { label: words.date, share: 0.16, align: 'left' },
    { label: words.entry, share: 0.44, align: 'left' },
    { label: words.amount, share: 0.2, align: 'right' },
    { label: words.balance, share: 0.2, align: 'right' },
  ]
  const rows = entries.map((entry) => [
    formatShortDate(language, entry.date),
    nameOf(entry, language),
    money(entry.amount),
    money(entry.balance),
  ])
  const totals = KINDS.map((kind) => ({ label: words.totals[kind], value: money(totalOf(kind, entries, account)) }))
  return [{ kind: 'table', columns, rows, totals: [...totals, closing] }]
}

const KINDS = ['earned', 'reversed', 'paid_out'] as const

function totalOf(kind: StatementEntry['kind'], entries: StatementEntry[], { currency }: Affiliate): string {
  const amounts = entries.filter((entry) => entry.kind === kind).map(({ amount }) => amount.replace('-', ''))
  return decimal(sum(amounts.map((amount) => parseMoney(amount, currency))), currency)
}

function nameOf({ kind, commission_id, payout_id, reference }: StatementEntry, language: Language): string {
  const { kinds } = textsIn(language).documents.statement
  return [kinds[kind](commission_id ?? payout_id ?? 0), reference].filter(Boolean).join('\n')
}
