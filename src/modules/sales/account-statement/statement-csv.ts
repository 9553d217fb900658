// GET /account-statement/csv: one record for each line, between the opening and the closing balance (RFC 4180).
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { asText, CSV, csvOf } from '#kernel/values/text/csv.ts'
import type { AccountStatement } from './account-statement.ts'
import type { StatementFacts } from './make-statement.ts'

const HEAD = ['date', 'kind', 'id', 'reference', 'amount', 'balance', 'currency']

export function statementCsv(_io: IoContext, { statement }: StatementFacts): Promise<FileAnswer> {
  const { company, currency, date_from, date_to } = statement
  const content = Buffer.from(csvOf(recordsOf(statement)))
  const fileName = ['account-statement', company, currency, date_from, date_to].filter(Boolean).join('-')
  return Promise.resolve({ content, contentType: CSV, fileName: `${fileName}.csv` })
}

function recordsOf({ currency, date_from, date_to, opening, lines, closing }: AccountStatement): string[][] {
  return [
    HEAD,
    [date_from ?? '', 'opening', '', '', '', opening, currency],
    ...lines.map(({ date, kind, id, reference, amount, balance }) => [
      date,
      kind,
      String(id),
      asText(reference ?? ''),
      amount,
      balance,
      currency,
    ]),
    [date_to ?? '', 'closing', '', '', '', closing, currency],
  ]
}
