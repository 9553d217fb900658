// Warnings before an end: which of the configured days has come, if it was not announced already.
import { addDays } from '#kernel/values/calendar.ts'

export type Ending = {
  today: string
  /** The last day. */
  end: string
  /** Before it there was nothing to warn of: what lasts three weeks is not announced 30 days before its end. */
  began: string
  /** The nearest of the days that was announced. */
  warned: number | null
}

/** The smallest of the days within which the end lies, or null when that was announced, or when it all began later. */
export function warningDue(days: readonly number[], { today, end, began, warned }: Ending): number | null {
  const near = days.toSorted((one, other) => one - other).find((day) => addDays(today, day) >= end)
  if (near === undefined || (warned !== null && warned <= near)) return null
  return addDays(end, -near) > began ? near : null
}
