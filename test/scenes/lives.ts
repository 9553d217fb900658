// Random lives of an order that the service bills again each month, and what of it may be used at a moment.
import { type Die, dieOf } from '#test/harness/chances.ts'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import type { Answer } from '#test/harness/world.ts'

export const ZONE = 'America/Sao_Paulo'
const GRACE_DAYS = 15
const HOUR_MS = 3_600_000

/**
 * `pay` pays those of the open invoices whose bit is set, `part` so much of what is due for the oldest one, or too
 * much, `void` voids it; `keep` takes a cancellation back; `move` gives the latest payments to another one.
 */
export type Act =
  | { does: 'pay'; which: number }
  | { does: 'part'; percent: number }
  | { does: 'change'; quantity: number }
  | { does: 'cancel'; at: 'now' | 'period_end' }
  | { does: 'pause' | 'resume' | 'refund' | 'keep' | 'void' | 'repeat' | 'move' }
export type Life = { start: string; acts: { at: Date; act: Act }[] }

/** Days from which months are short, some of them minutes before or after midnight in São Paulo. */
const STARTS = [
  '2024-01-31T12:00:00.000Z',
  '2023-10-31T02:59:59.000Z',
  '2023-12-30T15:00:00.000Z',
  '2024-02-29T03:00:00.000Z',
  '2023-08-31T23:30:00.000Z',
  '2023-11-29T02:30:00.000Z',
]

export function lifeOf(seed: number, length: number): Life {
  const die = dieOf(seed)
  const start = STARTS[seed % STARTS.length] ?? ''
  let at = new Date(start)
  const acts = Array.from({ length }, () => {
    at = new Date(at.getTime() + (24 + die(30 * 24)) * HOUR_MS + die(3_600_000))
    return { at, act: anAct(die) }
  })
  return { start, acts }
}

function anAct(die: Die): Act {
  const roll = die(27)
  if (roll < 7) return { does: 'pay', which: 1 + die(7) }
  if (roll < 9) return { does: 'part', percent: 1 + die(250) }
  if (roll < 11) return { does: 'change', quantity: 1 + die(9) }
  if (roll < 13) return { does: 'pause' }
  if (roll < 16) return { does: 'resume' }
  if (roll < 18) return { does: 'refund' }
  if (roll < 20) return { does: 'void' }
  if (roll < 22) return { does: 'keep' }
  if (roll === 22) return { does: 'cancel', at: die(4) === 0 ? 'now' : 'period_end' }
  if (roll > 23) return { does: 'move' }
  return { does: 'repeat' }
}

/** `forgiven`: the beginnings of the periods whose invoices staff have voided. */
export type Billed = {
  order: Answer['data']
  subscription: Answer['data']
  invoices: Answer['data'][]
  forgiven: readonly number[]
}

const ms = (moment: string): number => Date.parse(moment)
export const isPaid = ({ payment_status }: Answer['data']): boolean => payment_status === 'paid'

/** The end of the time that is paid for; what was refunded is not. */
export function paidUntil({ invoices }: Billed): number {
  const ends: number[] = invoices.filter(isPaid).map(({ period_end }) => ms(period_end))
  return Math.max(0, ...ends)
}

const openOf = (invoices: Billed['invoices']) => invoices.filter(({ status }) => status === 'open')

/** The grace lasts to the end of its last day. */
const graceAfter = (day: string): number => startOfDay(addDays(day, 1 + GRACE_DAYS), ZONE).getTime()
const dayOf = (moment: number): string => dayIn(new Date(moment), ZONE)

/** When the grace of an open invoice ends: that of its due date, not before that of its period, or its reopening. */
const graceEnd = ({ due_date, period_start, reopened_at }: Answer['data']): number =>
  Math.max(
    graceAfter(due_date),
    graceAfter(dayOf(ms(period_start))),
    graceAfter(dayOf(ms(reopened_at ?? period_start))),
  )

/**
 * Whether a next payment is awaited for the time right after what is paid: a pause may lie between. A period whose
 * invoice staff have voided is nobody's gift: it stays unpaid.
 */
function isAwaited({ order, subscription, invoices, forgiven }: Billed, until: number): boolean {
  const { status, ends_at: endsAt } = subscription
  const goesOn = status === 'active' && order.status === 'completed' && (endsAt === null || ms(endsAt) > until)
  const refunded = invoices.filter(({ payment_status }) => payment_status === 'refunded')
  const starts = openOf(invoices).map(({ period_start }) => ms(period_start))
  const next = Math.min(ms(subscription.invoiced_until), ...[...starts, ...forgiven].filter((start) => start >= until))
  return goesOn && next <= until && refunded.every(({ period_start }) => ms(period_start) < until)
}

/** The moments from `now` on at which something may end, as everything is now. */
export function turningPoints(billed: Billed): number[] {
  const open = openOf(billed.invoices)
  const until = paidUntil(billed)
  return [until, graceAfter(dayOf(until)), ...open.map(graceEnd)]
}

export type Use = 'active' | 'suspended' | 'expired' | 'cancelled'

/** What the invoices say. `over`: the paid end with which it has expired; only what is paid for a later one brings it back. */
export function mayUse(billed: Billed, now: number, over: number): Use {
  const until = paidUntil(billed)
  if (billed.order.status === 'refunded') return 'cancelled'
  const awaited = isAwaited(billed, until) && until > over
  if (now >= until && !awaited) return 'expired'
  const open = openOf(billed.invoices)
  const hasNext = open.some(({ period_start }) => ms(period_start) === until)
  const ends = open.map(graceEnd)
  if (awaited && !hasNext) ends.push(graceAfter(dayOf(until)))
  return ends.some((end) => end <= now) ? 'suspended' : 'active'
}

/** A void invoice was voided by staff, or before anything of its period was used. */
export const isTakenBackInTime = ({ period_start, voided_on }: Answer['data'], forgiven: readonly number[]): boolean =>
  forgiven.includes(ms(period_start)) || voided_on <= dayOf(ms(period_start))

/** The quantity of the latest paid period that has begun. */
export function paidQuantity({ invoices }: Billed, now: number): number | undefined {
  const begun = invoices.filter((one) => isPaid(one) && ms(one.period_start) <= now)
  return begun.toSorted((one, other) => ms(other.period_start) - ms(one.period_start))[0]?.line_items[0].quantity
}
