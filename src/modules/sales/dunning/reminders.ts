// Which reminder of an invoice is due. Pure.
import { addDays } from '#kernel/values/time/calendar.ts'

export type ReminderState = {
  /** The day on which the customer got the due date. */
  toldOn: string
  dueOn: string
  /** The days of the last reminder for this due date; null: none. */
  reminded: number | null
}

/**
 * The latest step that is due and not done. Earlier steps that a late job has missed are skipped. A step does not count
 * when its day is not after the day on which the customer got the due date.
 */
export function reminderDue(
  days: readonly number[],
  today: string,
  { toldOn, dueOn, reminded }: ReminderState,
): number | null {
  const reached = days.filter((day) => {
    const on = addDays(dueOn, day)
    return on <= today && on > toldOn
  })
  const latest = Math.max(...reached)
  return reached.length > 0 && (reminded === null || latest > reminded) ? latest : null
}
