// Rules for invoices by staff that need the body only.
import { invalid } from '#kernel/values/errors.ts'
import { problemsIn } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import { assertDateOrder } from './draft-invoice.ts'
import {
  type InvoiceChange,
  type NewInvoice,
  type NewInvoiceLine,
  OF_LATE_CHARGES,
  OF_ORDER,
  OF_SUBSCRIPTION,
} from './invoice.ts'
import { amountsWith, IMPORT, requireTotal, totalOf } from './invoice-lines.ts'

/** The service's own numbers, including those of series that a restore opens, and the numbers of drafts. */
const OWN_NUMBERS = /^(DRAFT-.*|(BR|GL)\d*-\d+)$/i

// The class does not change the amounts, so any one will do here.
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

/** An invoice with a number is an import. */
function assertOrigin(origin: string | null | undefined, number: string | undefined): void {
  if (origin === OF_ORDER || origin === OF_SUBSCRIPTION || origin === OF_LATE_CHARGES)
    throw invalid({ origin: 'is what the service itself calls those of quotes, subscriptions and late charges' })
  if (number !== undefined && typeof origin === 'string' && origin !== IMPORT)
    throw invalid({ origin: `is ${IMPORT} for an invoice that brings its number` })
}

/** An imported number must not look like one of the service's own series. */
function assertNotOwnNumber(number: string | undefined): void {
  if (number !== undefined && OWN_NUMBERS.test(number))
    throw invalid({ number: 'is one that the service gives itself' })
}
