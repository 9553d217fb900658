// All SQL of dunning.
import { billedBy } from '#modules/sales/invoices/billed.ts'
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import type { PayableInvoice } from '#modules/sales/invoices/payment-options/options-of.ts'
import type { DunningHold } from '#modules/identity/organizations/dunning-hold.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Due } from '#kernel/jobs/sweep.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { row } from '#http/route.ts'
import { sellerSet } from '#ports/settings-in-force.ts'
import { chargeColumns, type ChargeFacts } from './late-charge-queries.ts'
import { type Ahead, ahead } from './suspension-queries.ts'
import { CompanyDunning, type CompanyDunningChange, type Terms } from './schedule.ts'

const columns = raw(Object.keys(CompanyDunning.properties).join(', '))
const one = (company: Company): Statement<CompanyDunning> =>
  sql<CompanyDunning>`select ${columns} from dunning_schedules where company = ${company}`

export const schedules = {
  of: (company: Company) => row<CompanyDunning>(one(company)),
  locked: (company: Company) => sql<CompanyDunning>`${one(company)} for update`,
  /** Without `starts_on` it stays as it is. */
  set: (company: Company, { schedule, starts_on }: CompanyDunningChange, now: Date) => sql<CompanyDunning>`
    update dunning_schedules set schedule = ${storableJson(schedule)}::jsonb, updated_at = ${now},
           starts_on = case when ${starts_on === undefined} then starts_on else ${starts_on ?? null}::date end
     where company = ${company} returning ${columns}`,
  all: () => sql<Terms>`select company, schedule, starts_on from dunning_schedules order by company`,
}

export const holdOf = (org: number) => sql<{ hold: DunningHold | null }>`
  select dunning_hold as hold from organizations where organization_id = ${org} and id = ${org}`

/** No row while there is none. */
export const heldBy = (org: number) => sql<DunningHold>`
  select h.until, h.reason, h.restores
    from organizations o, jsonb_to_record(o.dunning_hold) as h (until date, reason text, restores boolean)
   where o.organization_id = ${org} and o.id = ${org} and o.dunning_hold is not null`

/** The facts of the mails about an unpaid invoice. */
export const reminderFacts = (org: number, id: number) =>
  sql<PayableInvoice & Ahead & ChargeFacts & Pick<InvoiceRow, 'ending_on'> & { act: 'write_off' | 'cancel' | null }>`
    select ${chargeColumns(org)}, i.number, i.link, i.amount_due, i.payment_codes,
      ${sellerSet(sql`i.company`)} as seller,
      i.ending_on, s.schedule -> 'ends' ->> 'act' as act,
      ${ahead(org, billedBy(org, id))}
      from invoices i join dunning_schedules s on s.company = i.company
     where i.organization_id = ${org} and i.id = ${id}`

export const cases = {
  /** Of all organizations: open invoices about which there is something to do. */
  due: (now: Date) => sql<Due>`
    select organization_id, invoice_id as id, next_at as due_at from dunning_cases where next_at <= ${now}`,
  set: (ctx: OrganizationContext, { id, company }: { id: number; company: Company }, nextAt: Date | null) => sql`
    insert into dunning_cases (organization_id, invoice_id, company, next_at)
    values (${ctx.organizationId}, ${id}, ${company}, ${nextAt})
    on conflict (organization_id, invoice_id) do update set next_at = excluded.next_at`,
  close: (ctx: OrganizationContext, id: number) => sql`
    delete from dunning_cases where organization_id = ${ctx.organizationId} and invoice_id = ${id}`,
  /** Makes all invoices of the organization due for a check now. */
  makeDue: (ctx: OrganizationContext) =>
    sql`update dunning_cases set next_at = ${ctx.now} where organization_id = ${ctx.organizationId}`,
  /** Makes all invoices of the legal entity due for a check now, by the time of each organization. */
  makeDueOf: (company: Company, now: Date) => [
    sql`update dunning_cases set next_at = ${now} where company = ${company}`,
    sql`
    update dunning_cases c set next_at = s.test_clock
      from (select organization_id, test_clock from event_sequences where test_clock is not null) s
     where s.organization_id = c.organization_id and c.company = ${company}`,
  ],
}
