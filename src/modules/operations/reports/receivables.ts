// Receivables by age: what is due of finalized invoices, by how long it is past due today.
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { ReportColumn } from '#texts/reports.ts'
import {
  amount,
  ofCompany,
  organizationsOf,
  type Report,
  type ReportQuery,
  type ReportScene,
  todayBy,
  within,
} from './report.ts'

const AGES = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const
const SUMS = ['invoices', ...AGES, 'receivable', 'disputed', 'on_hold', 'uncollectible'] as const

const DESCRIPTION =
  'What is due (`amount_due`: after part payments, refunds and credit notes) of open invoices, by the days ' +
  'since `due_date` in the calendar of the legal entity. `disputed` and `on_hold` are parts of it; what was ' +
  'given up is beside it.'

export const receivables: Report = {
  name: 'receivables',
  purpose: 'receivables by age',
  description: DESCRIPTION,
  scope: 'finances',
  isOwn: true,
  parameters: ['company', 'currency', 'organization_id'],
  columns: ['company', 'currency', ...SUMS],
  rows: (query, scene) => statement(query, scene, ['company', 'currency']),
}

export const receivablesByOrganization: Report = {
  name: 'receivables-by-organization',
  purpose: 'receivables by age of each organization',
  description: `${DESCRIPTION} What is oldest comes first.`,
  scope: 'finances',
  isOwn: false,
  parameters: ['company', 'currency', 'organization_id'],
  columns: ['organization_id', 'organization_name', 'company', 'currency', ...SUMS],
  rows: (query, scene) =>
    sql`${statement(query, scene, ['organization_id', 'organization_name', 'company', 'currency'], OLDEST_FIRST)}`,
}

const OLDEST_FIRST = raw('min(due_date), organization_id, company, currency')

const filtered = (condition: string): string => amount(`sum(amount_due) filter (where ${condition})`)
const SUM_COLUMNS = raw(
  [
    `count(*) filter (where status = 'open') as invoices`,
    `${filtered(`status = 'open' and age <= 0`)} as not_due`,
    `${filtered(`status = 'open' and age between 1 and 30`)} as days_1_30`,
    `${filtered(`status = 'open' and age between 31 and 60`)} as days_31_60`,
    `${filtered(`status = 'open' and age between 61 and 90`)} as days_61_90`,
    `${filtered(`status = 'open' and age > 90`)} as days_over_90`,
    `${filtered(`status = 'open'`)} as receivable`,
    `${filtered(`status = 'open' and dispute_status = 'open'`)} as disputed`,
    `${filtered(`status = 'open' and is_held`)} as on_hold`,
    `${filtered(`status = 'uncollectible'`)} as uncollectible`,
  ].join(', '),
)

function statement(
  query: ReportQuery,
  scene: ReportScene,
  groups: readonly ReportColumn[],
  order = raw(groups.join(', ')),
): Statement {
  const by = raw(groups.join(', '))
  return sql`
    with due as (
      select i.organization_id, o.name as organization_name, i.company, i.currency, i.status, i.dispute_status,
        i.amount_due,
             i.due_date, ${todayBy('i.company', scene)} - i.due_date as age,
             coalesce((o.dunning_hold ->> 'until')::date >= ${todayBy('i.company', scene)}, false) as is_held
        from invoices i join ${organizationsOf(scene)} o on o.organization_id = i.organization_id
          and o.id = i.organization_id
       where ${within('i', scene, query)} ${ofCompany('i', query)} and i.status in ('open', 'uncollectible')
         and i.amount_due > 0)
    select ${by}, ${SUM_COLUMNS} from due group by ${by} order by ${order}`
}
