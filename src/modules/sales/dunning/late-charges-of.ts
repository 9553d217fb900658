// GET /invoices/{id}/late-charges: fine and interest as of today, or of the day of the payment.
import { Type, type Static } from 'typebox'
import { notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { dayIn, daysBetween } from '#kernel/values/time/calendar.ts'
import { formatMoney, parseMoney, sum as sumOf } from '#kernel/values/money.ts'
import { CalendarDate, Currency, Id, Money, Nullable, Percent } from '#kernel/values/schema.ts'
import { type Configured, zoneOf } from '#ports/ports.ts'
import { type ChargeFacts, chargeFacts } from './late-charge-queries.ts'
import { chargesOnParts, coverOf, type Part } from './late-charges.ts'

export const LateCharges = Type.Object(
  {
    invoice_id: Id,
    as_of: { ...CalendarDate, description: 'Today, or the day of the payment' },
    days_overdue: Type.Integer({ minimum: 0, examples: [12] }),
    currency: Currency,
    base: { ...Money, description: 'What was never paid, with what was paid after the due date' },
    fine_percent: Nullable(Percent),
    fine: Money,
    monthly_interest_percent: Nullable(Percent),
    interest: Money,
    total: Money,
    billed: { ...Money, description: 'What invoices of their own have billed of it already, or credit notes waived' },
    due: { ...Money, description: 'The rest, which can be billed' },
  },
  { description: 'Fine and interest on an invoice that is overdue, or was paid late' },
)
export type LateCharges = Static<typeof LateCharges>

export const lateChargesOf = (org: number, id: number): ReadPlan<LateCharges> =>
  parts([chargeFacts(org, id)], ([[facts]], { now, ports: { settings } }) => {
    if (!facts) throw notFound()
    return chargesWith(facts, { now, settings })
  })

/** None on a draft, on what is void, and on late charges themselves. */
export function chargesWith(facts: ChargeFacts, at: { now: Date; settings: Configured }): LateCharges {
  const { id, currency, due_date: dueOn, schedule } = facts
  const { asOf, portions } = lateParts(facts, dayIn(at.now, zoneOf(at, facts.company)))
  const { fine, interest } = chargesOnParts(portions, dueOn, schedule)
  const billed = parseMoney(facts.billed, currency)
  const rest = fine + interest - billed
  const money = (amount: bigint) => formatMoney(amount, currency)
  return {
    invoice_id: id,
    as_of: asOf,
    days_overdue: Math.max(0, daysBetween(dueOn, asOf)),
    currency,
    base: money(sumOf(portions.map(({ amount }) => amount))),
    fine_percent: schedule.fine_percent ?? null,
    fine: money(fine),
    monthly_interest_percent: schedule.monthly_interest_percent ?? null,
    interest: money(interest),
    total: money(fine + interest),
    billed: money(billed),
    due: money(rest > 0n ? rest : 0n),
  }
}

/** What was paid after the due date, and what was never paid; until today, or the last day of its payments. */
function lateParts(facts: ChargeFacts, today: string): { asOf: string; portions: Part[] } {
  const { currency, status, due_date: dueOn, payment_date, late_charges_of } = facts
  const paid = facts.paid.map(({ amount, on }) => ({ amount: parseMoney(amount, currency), on }))
  const { covered, rest } = coverOf(parseMoney(facts.owed, currency), paid)
  const days = [payment_date, ...covered.map(({ on }) => on)].filter((day) => day !== null)
  const asOf = (status === 'paid' ? days.toSorted().at(-1) : null) ?? today
  const isCharged = ['open', 'uncollectible', 'paid'].includes(status) && late_charges_of === null
  const portions = [...covered.filter(({ on }) => on > dueOn), { amount: rest, on: asOf }]
  return { asOf, portions: isCharged ? portions : [] }
}
