// The terms that hold for an organization at a legal entity: the schedule, and until when staff hold the process.
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { DunningHold } from '#modules/identity/organizations/dunning-hold.ts'
import type { Company } from '#kernel/values/schema.ts'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import type { Terms } from './schedule.ts'

export type TermsOfCustomer = {
  terms: Terms
  /** The end of the hold's last day; it may have passed. */
  heldUntil: Date | null
  /** Whether what is suspended is restored while the process is held. */
  isRestored: boolean
}

export async function termsOf(ctx: OrganizationContext, company: Company): Promise<TermsOfCustomer> {
  const { hold, ...terms } = await one(
    ctx,
    sql<Terms & { hold: DunningHold | null }>`
      select s.company, s.schedule, s.starts_on, o.dunning_hold as hold
        from dunning_schedules s, organizations o
       where s.company = ${company} and o.organization_id = ${ctx.organizationId} and o.id = ${ctx.organizationId}`,
  )
  const heldUntil = hold === null ? null : startOfDay(addDays(hold.until, 1), zoneOf(ctx, company))
  return { terms, heldUntil, isRestored: hold?.restores === true }
}

/**
 * The day from which what follows arrears counts: the due date. The customer of an invoice that was open again after it
 * has had no reason to pay before.
 */
export function arrearsFrom(
  ctx: OrganizationContext,
  { company, due_date: dueOn, reopened_at: reopenedAt }: Pick<InvoiceRow, 'company' | 'due_date' | 'reopened_at'>,
): string {
  const reopenedOn = reopenedAt === null ? dueOn : dayIn(new Date(reopenedAt), zoneOf(ctx, company))
  return reopenedOn > dueOn ? reopenedOn : dueOn
}
