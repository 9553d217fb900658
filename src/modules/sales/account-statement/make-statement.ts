// GET /account-statement: the lines of a period, with the balance after each.
import { recipientOf, type Recipient } from '#modules/documents/documents-of-record/parties.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { formatMoney, isCurrency } from '#kernel/values/money.ts'
import { type AccountStatement, LINE_KINDS, type StatementPeriod } from './account-statement.ts'
import { accountStatements, type StatementRow } from './queries.ts'

/** So many are read and sent as a whole. */
export const MOST_LINES = 5000

export type StatementFacts = { statement: AccountStatement; recipient: Recipient }

export const statementPlan = (org: number, period: StatementPeriod): ReadPlan<AccountStatement> =>
  parts(
    [accountStatements.opening(org, period), accountStatements.lines(org, period, MOST_LINES)],
    ([[before], found]) => statementOf(org, period, { before, found, most: MOST_LINES }),
  )

export const statementFacts = (org: number, period: StatementPeriod, most = MOST_LINES): ReadPlan<StatementFacts> =>
  parts(
    [accountStatements.opening(org, period), accountStatements.lines(org, period, most), recipientOf(org)],
    ([[before], found, [recipient]]) => {
      if (!recipient) throw notFound()
      return { statement: statementOf(org, period, { before, found, most }), recipient }
    },
  )

type Rows = { before: { amount: string | null } | undefined; found: readonly StatementRow[]; most: number }

function statementOf(org: number, period: StatementPeriod, { before, found, most }: Rows): AccountStatement {
  const { company, currency, date_from = null, date_to = null } = period
  if (date_from !== null && date_to !== null && date_from > date_to)
    throw invalid({ date_from: 'must not be after date_to' })
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  if (found.length > most) throw invalid({ date_from: `choose a shorter period: this one has more than ${most} lines` })
  const first = minor(before?.amount ?? '0')
  let owed = first
  const lines = found.map(({ rank, amount, ...line }) => {
    const change = minor(amount)
    owed += change
    const kind = LINE_KINDS[rank] ?? 'invoice'
    return { ...line, kind, amount: formatMoney(change, currency), balance: formatMoney(owed, currency) }
  })
  const [opening, closing] = [formatMoney(first, currency), formatMoney(owed, currency)]
  return { organization_id: org, company, currency, date_from, date_to, opening, lines, closing }
}

/** With all digits of the currency, as every column has them. Sums may be larger than any one amount. */
const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
