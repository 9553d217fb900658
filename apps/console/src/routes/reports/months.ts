// The months of a report, such as `2027-01`: those that it shows, without gaps.

const USUAL_MONTHS = 12

export const monthsLater = (month: string, count: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}

type Parameters = Readonly<Record<string, unknown>>
const given = (value: unknown): string => (typeof value === 'string' ? value : '')

/** As the service takes what is not said: the current month, and the eleven before. */
export function periodOf({ month_from, month_to }: Parameters, now = new Date()): { first: string; last: string } {
  const current = monthsLater(`${now.getFullYear()}-${now.getMonth() + 1}`, 0)
  const from = given(month_from)
  const last = given(month_to) || (from > current ? from : current)
  return { first: from || monthsLater(last, 1 - USUAL_MONTHS), last }
}

/** As many as the service shows at most. */
const MOST_MONTHS = 120

export function monthsFrom(first: string, last: string): readonly string[] {
  const months: string[] = []
  for (let month = first; month <= last && months.length < MOST_MONTHS; month = monthsLater(month, 1))
    months.push(month)
  return months
}

export const isMonth = (text: string): boolean => /^\d{4}-\d\d$/.test(text)
