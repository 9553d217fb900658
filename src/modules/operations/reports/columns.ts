// The columns of reports: each means the same in every report that has it. Their titles are in src/texts/reports.ts.
import { Type, type TSchema } from 'typebox'
import { EntitlementClass } from '#modules/delivery/entitlements/entitlement.ts'
import { CalendarDate, Company, Currency, Id, Line, Money, Month, Timestamp } from '#kernel/values/schema.ts'
import type { ReportColumn } from '#texts/reports.ts'

const money = (description: string) => ({ ...Money, description })
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })
const text = (description: string, example: string) => ({ ...Line, description, examples: [example] })

export const COLUMNS = {
  kind: text('`entitlements`, `licenses`, `contracts` or `quotes`', 'licenses'),
  month: { ...Month, description: 'In the time zone of the legal entity' },
  company: Company,
  currency: Currency,
  class: { ...EntitlementClass, description: 'Of the invoice’s line; `ORD` for a line that sells no entitlement' },
  organization_id: Id,
  organization_name: text('The name of the organization', 'Padaria São João'),

  invoiced: money('Invoices that were finalized with an issue date in the month, taxes included'),
  credited: money('Credit notes that were issued in the month'),
  voided: money('What was left of invoices that were voided in the month'),
  billed: money('`invoiced` less `credited` and `voided`'),
  tax: money('The tax in `billed`'),

  earned: money('What the lines of paid invoices are worth in the month, without tax'),
  taken_back: money('What credit notes take back of it'),
  recognized: money('`earned` less `taken_back`'),

  opening: money('Recurring revenue at the beginning of the month'),
  new: money('Of customers who had none before'),
  reactivation: money('Of customers who had none at the beginning of the month, but once'),
  expansion: money('What customers pay more than at the beginning of the month'),
  contraction: money('What customers pay less than at the beginning of the month'),
  churn: money('Of customers who have none at the end of the month'),
  closing: money('Recurring revenue at the end of the month, in the current one by now'),
  customers: count('Organizations with recurring revenue at the end of the month'),

  invoices: count('Invoices that are open'),
  not_due: money('Due today or later'),
  days_1_30: money('One to 30 days past due'),
  days_31_60: money('31 to 60 days past due'),
  days_61_90: money('61 to 90 days past due'),
  days_over_90: money('More than 90 days past due'),
  receivable: money('All that is due of open invoices: the sum of the five before'),
  disputed: money('The part of it whose payment is disputed'),
  on_hold: money('The part of it whose collection staff hold'),
  uncollectible: money('Given up; no part of `receivable`'),

  id: Id,
  code: text('Of the entitlement', 'PLG-2026110001'),
  number: text('Of the quote', 'Q-42'),
  title: text('Of the contract', 'Support 2026'),
  product_name: text('The product', 'Backup Pro'),
  license_key_ends: text('The last four characters of the license key', '7KQ2'),
  status: text('The status of the record', 'active'),
  quantity: Type.Integer({ minimum: 1, examples: [5] }),
  total: Money,
  renews: Type.Boolean({ description: 'A subscription that runs renews it' }),
  expires_at: Timestamp,
  expires_on: { ...CalendarDate, description: 'The last day, in the time zone of the legal entity' },
  notice_date: { ...CalendarDate, description: 'The last day on which notice can be given' },
  days_left: count('Days until the last one; 0: today'),

  competence: { ...Month, description: 'The month of the competence' },
  tax_invoices: count('How many tax invoices'),
  iss_amount: money('The ISS of these tax invoices'),

  withheld_tax: text('The tax that the customer keeps back', 'irrf'),
  withheld: money('What customers keep back of invoices with an issue date in the month'),
  withheld_credited: money('What credit notes of the month took back of it'),
  withheld_voided: money('What was left of it when invoices were voided in the month'),
  withheld_net: money('`withheld` less `withheld_credited` and `withheld_voided`'),

  tickets: count('Tickets that were opened in the month and not cancelled'),
  first_response_met: count('Answered in time'),
  first_response_broken: count('Not answered in time'),
  first_response_in_danger: count('Not answered yet, after the warning and before the deadline'),
  first_response_running: count('Not answered yet, before the warning, or paused'),
  first_response_without: count('Without a deadline for the first answer'),
  resolution_met: count('Resolved in time'),
  resolution_broken: count('Not resolved in time'),
  resolution_in_danger: count('Not resolved yet, after the warning and before the deadline'),
  resolution_running: count('Not resolved yet, before the warning, or paused'),
  resolution_without: count('Without a deadline for the resolution'),

  ticket_about: text('A class of entitlements, `invoice`, `order` or `none`', 'ENV'),
  assignee_name: text('Who had the tickets when it was asked; empty: nobody', 'Ana'),
  asked: count('Those who were asked in the month whether they are satisfied'),
  rated_good: count('Satisfied'),
  rated_bad: count('Not satisfied'),
} as const satisfies Record<ReportColumn, TSchema>
