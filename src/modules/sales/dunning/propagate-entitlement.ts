// When an entitlement is suspended for what is due: the earliest end of the grace of the unpaid invoices that bill it,
// and of the next payment that it waits for.
import {
  entitlementForChange,
  applyArrears,
  hasEnded,
  type Suspension,
} from '#modules/delivery/entitlements/arrears.ts'
import { type Entitlement, isInArrears } from '#modules/delivery/entitlements/entitlement.ts'
import { isBrazil } from '#kernel/values/company.ts'
import { type UnpaidInvoice, invoices } from '#modules/sales/invoices/queries.ts'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate } from '#texts/format.ts'
import { isLeftAlone, stepsOf } from './schedule.ts'
import { arrearsFrom, type TermsOfCustomer, termsOf } from './terms.ts'

export async function propagateEntitlement(ctx: OrganizationContext, id: number): Promise<void> {
  const entitlement = await entitlementForChange(ctx, id)
  if (!entitlement) return
  await applyArrears(ctx, entitlement, hasEnded(entitlement, ctx.now) ? null : await suspensionOf(ctx, entitlement))
}

type Due = { company: Company; at: Date; words: { number: string | null; dueOn: string } }

async function suspensionOf(ctx: OrganizationContext, entitlement: Entitlement): Promise<Suspension | null> {
  const unpaid = await invoices.unpaidOf(ctx, entitlement.id)
  const { country } = await invoices.billing(ctx)
  const all: Due[] = []
  for (const invoice of unpaid) all.push(...dueWith(ctx, await termsOf(ctx, invoice.company), { entitlement, invoice }))
  if (isAwaiting(entitlement, unpaid))
    all.push(...renewalDue(ctx, await termsOf(ctx, entitlement.company), entitlement))
  const [first] = all.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  if (!first) return null
  const language = isBrazil(country) ? 'pt-BR' : 'en'
  const { number, dueOn } = first.words
  const { overdueInvoice, overdueRenewal } = textsIn(language).reasons
  const day = formatDate(language, dueOn)
  return { at: first.at, reason: number === null ? overdueRenewal(day) : overdueInvoice(number, day) }
}

/**
 * Whether the entitlement waits for a payment that has no invoice yet. An invoice for a later period does not count:
 * the time before that period stays unpaid.
 */
const isAwaiting = ({ renews, expires_at }: Entitlement, unpaid: readonly UnpaidInvoice[]): boolean =>
  renews && expires_at !== null && !unpaid.some((invoice) => isFor(invoice, new Date(expires_at)))

const isFor = ({ period_start, period_end }: UnpaidInvoice, moment: Date): boolean =>
  period_start !== null && period_end !== null && new Date(period_start) <= moment && moment < new Date(period_end)

/** Paid time is never suspended: a renewal is due when its period begins, or on its due date if that is later. */
function dueWith(
  ctx: OrganizationContext,
  of: TermsOfCustomer,
  { entitlement, invoice }: { entitlement: Entitlement; invoice: UnpaidInvoice },
): Due[] {
  const { company, number, due_date: dueOn, period_start } = invoice
  if (isLeftAlone(of.terms, dueOn)) return []
  const firstDay = period_start === null ? dueOn : dayIn(new Date(period_start), zoneOf(ctx, company))
  const from = arrearsFrom(ctx, invoice)
  const day = firstDay > from ? firstDay : from
  return afterGrace(ctx, of, { entitlement, company, day, words: { number, dueOn } })
}

function renewalDue(ctx: OrganizationContext, of: TermsOfCustomer, entitlement: Entitlement): Due[] {
  const { company, expires_at } = entitlement
  if (expires_at === null) return []
  const day = dayIn(new Date(expires_at), zoneOf(ctx, company))
  return afterGrace(ctx, of, { entitlement, company, day, words: { number: null, dueOn: day } })
}

type Unpaid = Omit<Due, 'at'> & { entitlement: Entitlement; day: string }

/**
 * The end of the last day of the grace, whatever is due, so that all that is due on one day is suspended at one moment.
 */
function afterGrace(ctx: OrganizationContext, of: TermsOfCustomer, { entitlement, day, ...due }: Unpaid): Due[] {
  const { grace_days, suspends } = stepsOf(of.terms, entitlement.class)
  if (!suspends) return []
  const at = startOfDay(addDays(day, 1 + grace_days), zoneOf(ctx, due.company))
  return [{ ...due, at: held(of, entitlement, at) }]
}

/** Not before the end of a hold. A hold restores what is suspended already only if staff chose that. */
function held({ heldUntil, isRestored }: TermsOfCustomer, entitlement: Entitlement, at: Date): Date {
  if (heldUntil === null || heldUntil <= at || (isInArrears(entitlement) && !isRestored)) return at
  return heldUntil
}
