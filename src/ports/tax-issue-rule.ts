// When invoices get their tax invoices, as the settings, organizations and products say it (docs/decisions/0055).
import { Type } from 'typebox'

const PATTERN =
  '^(on_payment|on_finalize|days_before_due:(0|[1-9]|[1-8][0-9]|90)|next_month_day:([1-9]|[12][0-9]|3[01]))$'

export const TaxIssueRule = Type.String({
  pattern: PATTERN,
  maxLength: 20,
  examples: ['days_before_due:10', 'next_month_day:5', 'on_finalize', 'on_payment'],
})

/** Of a setting. */
export function taxIssueRule(text: string): string {
  if (new RegExp(PATTERN).test(text)) return text
  throw new Error('must be on_payment, on_finalize, days_before_due:N (0 to 90) or next_month_day:D (1 to 31)')
}
