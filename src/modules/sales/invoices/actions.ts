// Invoices to pay.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'
import { isOverdue } from './overdue.ts'

export const invoiceActions: Action[] = [
  {
    kind: 'invoice_overdue',
    scope: 'finances',
    resource: 'invoice',
    does: 'Pay an invoice whose due date has passed',
    rows: ({ org, today }) => sql<ActionRow>`
      select id, number as label, due_date as due_on from invoices
       where organization_id = ${org} and ${isOverdue(today)}`,
  },
  {
    kind: 'invoice_to_pay',
    scope: 'finances',
    resource: 'invoice',
    does: 'Pay an invoice',
    rows: ({ org, today }) => sql<ActionRow>`
      select id, number as label, due_date as due_on from invoices
       where organization_id = ${org} and status = 'open' and amount_due > 0 and not ${isOverdue(today)}`,
  },
]
