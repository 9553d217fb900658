// Fine and interest on an invoice that is paid late, exactly: in minor units, each rounded once, half a unit up. Pure.
import { daysBetween } from '#kernel/values/calendar.ts'
import { parsePercent, percentOf } from '#kernel/values/money.ts'
import type { DunningSchedule } from './schedule.ts'

export type Late = { base: bigint; dueOn: string; paidOn: string }
export type Charges = { days: number; fine: bigint; interest: bigint }

const WHOLE = 10_000n
/** Of a month of the interest, whatever month it is. */
const DAYS_OF_MONTH = 30n

/** The fine is due once, from the first day; the interest by the day, simple and not compound. */
export function chargesOn({ base, dueOn, paidOn }: Late, schedule: DunningSchedule): Charges {
  const days = Math.max(0, daysBetween(dueOn, paidOn))
  if (days === 0) return { days, fine: 0n, interest: 0n }
  const [fine, monthly] = [schedule.fine_percent, schedule.monthly_interest_percent].map((percent) =>
    typeof percent === 'string' ? parsePercent(percent) : 0n,
  )
  return { days, fine: percentOf(base, fine ?? 0n), interest: proRata(base, monthly ?? 0n, days) }
}

function proRata(base: bigint, monthly: bigint, days: number): bigint {
  const divisor = WHOLE * DAYS_OF_MONTH
  return (base * monthly * BigInt(days) + divisor / 2n) / divisor
}
