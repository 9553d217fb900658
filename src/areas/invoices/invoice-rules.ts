// What staff may write into an invoice, as far as the body alone tells.
import { invalid } from '#kernel/http/errors.ts'
import { problemsIn } from '#kernel/http/problems.ts'
import type { Rules } from '#kernel/http/route.ts'
import { assertDateOrder } from './draft-invoice.ts'
import { type InvoiceChange, type NewInvoice, type NewInvoiceLine, OF_ORDER, OF_SUBSCRIPTION } from './invoice.ts'
import { amountsWith, IMPORT, requireTotal, totalOf } from './lines.ts'

/** What the service itself draws, in this series or in those that a restore opens; and the names of drafts. */
const OWN_NUMBERS = /^(DRAFT-.*|(BR|GL)\d*-\d+)$/i

// Which class a line has does not change what it costs.
const ofNoClass = (line: NewInvoiceLine) => ({ ...line, entitlement_class: 'ORD' as const })

export const invoiceChangeRules: Rules<InvoiceChange> = ({ currency, line_items, issue_date, due_date, ...amounts }) =>
  problemsIn(
    () => issue_date !== undefined && due_date !== undefined && assertDateOrder(issue_date, due_date),
    () => currency !== undefined && totalOf({ ...amounts, line_items }, currency),
    () => currency !== undefined && line_items && amountsWith(amounts, line_items.map(ofNoClass), currency),
  )

export const invoiceRules: Rules<NewInvoice> = (body, asked) => {
  const { number, origin } = body
  const isPriced = ['total', 'total_cents', 'line_items'].some(asked.isGiven)
  return {
    ...problemsIn(
      () => assertOrigin(origin, number),
      () => assertNotOwnNumber(number),
      () => isPriced || requireTotal(),
    ),
    ...invoiceChangeRules(body, asked),
  }
}

/** A number makes an imported invoice. */
function assertOrigin(origin: string | null | undefined, number: string | undefined): void {
  if (origin === OF_ORDER || origin === OF_SUBSCRIPTION)
    throw invalid({ origin: 'is what the service itself calls those of accepted quotes and of subscriptions' })
  if (number !== undefined && typeof origin === 'string' && origin !== IMPORT)
    throw invalid({ origin: `is ${IMPORT} for an invoice that brings its number` })
}

/** The service's own series have no room for what comes from elsewhere. */
function assertNotOwnNumber(number: string | undefined): void {
  if (number !== undefined && OWN_NUMBERS.test(number))
    throw invalid({ number: 'is one that the service gives itself' })
}
