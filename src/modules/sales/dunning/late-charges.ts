// Fine and interest on an invoice that is paid late, exactly: in minor units, each rounded once, half a unit up. Pure.
import { daysBetween } from '#kernel/values/time/calendar.ts'
import { parsePercent, percentOf, sum } from '#kernel/values/money.ts'
import type { DunningSchedule } from './schedule.ts'

/** What was paid on that day, or is still due on it. */
export type Part = { amount: bigint; on: string }
export type Charges = { days: number; fine: bigint; interest: bigint }

/**
 * What payments covered of what is owed, by their days and with their whole amounts, and what none has. A refund
 * uncovers nothing: nobody is in arrears with what was paid in time and given back.
 */
export function coverOf(owed: bigint, paid: readonly Part[]): { covered: Part[]; rest: bigint } {
  let rest = owed
  const covered = paid.map(({ amount, on }) => {
    const part = amount < rest ? amount : rest
    rest -= part
    return { amount: part, on }
  })
  return { covered: covered.filter(({ amount }) => amount > 0n), rest }
}

const WHOLE = 10_000n
/** Of a month of the interest, whatever month it is. */
const DAYS_OF_MONTH = 30n

/**
 * The fine is due once, from the first day; the interest by the day, simple and not compound. No charges on parts that
 * were paid in time; each later part has interest for its own days.
 */
export function chargesOnParts(parts: readonly Part[], dueOn: string, schedule: DunningSchedule): Charges {
  const late = parts.map(({ amount, on }) => ({ amount, days: Math.max(0, daysBetween(dueOn, on)) }))
  const base = sum(late.map(({ amount, days }) => (days > 0 ? amount : 0n)))
  const [fine, monthly] = [schedule.fine_percent, schedule.monthly_interest_percent].map((percent) =>
    typeof percent === 'string' ? parsePercent(percent) : 0n,
  )
  // No amount of money, so without its limit.
  const daily = late.reduce((total, { amount, days }) => total + amount * BigInt(days), 0n)
  const days = Math.max(0, ...late.map((part) => part.days))
  return { days, fine: percentOf(base, fine ?? 0n), interest: proRata(daily, monthly ?? 0n) }
}

function proRata(daily: bigint, monthly: bigint): bigint {
  const divisor = WHOLE * DAYS_OF_MONTH
  return (daily * monthly + divisor / 2n) / divisor
}
