// What becomes of a monthly order whose vendor does not bill without access, told again without the service's code: its
// invoices, whether it is billed, and whether it may be used.
import { addDays, addMonths, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'

const ZONE = 'America/Sao_Paulo'
const DAY_MS = 86_400_000
const AHEAD_MS = 14 * DAY_MS
const GRACE_DAYS = 15

export type Period = { start: number; end: number; due: string; state: 'open' | 'paid' | 'void' | 'uncollectible' }

const dayOf = (moment: number): string => dayIn(new Date(moment), ZONE)
const graceAfter = (day: string): number => startOfDay(addDays(day, 1 + GRACE_DAYS), ZONE).getTime()
const later = (one: string, other: string): string => (one > other ? one : other)
const isUnpaid = ({ state }: Period): boolean => state === 'open' || state === 'uncollectible'

export class Arrears {
  readonly periods: Period[]
  isStopped = false
  /** Milliseconds in which it could be used. */
  used = 0
  private now: number
  private wasUsable = true
  /** From which months are counted, and how many have an invoice. */
  private anchor: number
  private count = 1
  /** Until when nothing more is owed. */
  private end: number

  constructor({ start, due }: Pick<Period, 'start' | 'due'>) {
    this.now = start
    this.anchor = start
    this.end = this.monthsAfter(1)
    this.periods = [{ start, end: this.end, due, state: 'paid' }]
  }

  get isUsable(): boolean {
    return this.now < this.suspension()
  }

  passTo(time: number): void {
    for (let next = this.nextMoment(); next <= time; next = this.nextMoment()) {
      this.tick(next)
      if (this.isUsable !== this.wasUsable) this.loseAccess()
      else this.invoice()
    }
    this.tick(time)
  }

  change(start: number, state: Period['state']): void {
    const period = this.periods.find((one) => one.start === start && isUnpaid(one))
    if (!period) throw new Error('no such open period')
    period.state = state
    if (state === 'paid') this.end = Math.max(this.end, period.end)
    if (this.isStopped && (this.isUsable || !this.owes())) this.goOn()
    this.wasUsable = this.isUsable
    this.passTo(this.now)
  }

  private monthsAfter(months: number): number {
    return addMonths(new Date(this.anchor), months, ZONE).getTime()
  }

  private tick(time: number): void {
    if (this.wasUsable) this.used += time - this.now
    this.now = time
  }

  private nextMoment(): number {
    const suspension = this.wasUsable ? Math.max(this.now, this.suspension()) : Infinity
    const invoice = this.isStopped ? Infinity : Math.max(this.now, this.monthsAfter(this.count) - AHEAD_MS)
    return Math.min(suspension, invoice)
  }

  private suspension(): number {
    const unpaid = this.periods.filter(isUnpaid)
    const ends = unpaid.map(({ due, start }) => graceAfter(later(due, dayOf(start))))
    const isAwaited = !unpaid.some(({ start, end }) => start <= this.end && this.end < end)
    return Math.min(...ends, ...(isAwaited ? [graceAfter(dayOf(this.end))] : []))
  }

  private owes(): boolean {
    return this.periods.some((one) => isUnpaid(one) && one.start <= this.now && one.due <= dayOf(this.now))
  }

  private loseAccess(): void {
    this.wasUsable = false
    if (this.isStopped || !this.owes()) return
    this.isStopped = true
    for (const one of this.periods.filter(({ start, state }) => state === 'open' && start >= this.now)) {
      one.state = 'void'
      this.count -= 1
    }
  }

  private goOn(): void {
    this.isStopped = false
    const isCovered = this.periods.some(
      ({ start, end, state }) => state !== 'void' && start <= this.now && this.now < end,
    )
    if (this.monthsAfter(this.count) > this.now && isCovered) return
    this.end = Math.max(this.end, this.now)
    this.anchor = this.now
    this.count = 0
  }

  private invoice(): void {
    const [start, end] = [this.monthsAfter(this.count), this.monthsAfter(this.count + 1)]
    const today = dayOf(this.now)
    const due = dayOf(start) < today ? addDays(today, 7) : dayOf(start)
    this.periods.push({ start, end, due, state: 'open' })
    this.count += 1
  }
}
