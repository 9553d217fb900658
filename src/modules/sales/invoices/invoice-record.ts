// The invoice as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { Invoice } from './invoice.ts'
import { todayAt } from './overdue.ts'
import { invoices } from './queries.ts'

export const invoiceRecord: RecordKind = {
  name: 'invoice',
  schema: Invoice,
  relations: {
    ...OF_ORGANIZATION,
    order: { kind: 'order', by: 'order_id' },
    credit_notes: { kind: 'credit_note', by: 'credit_note_ids' },
  },
  rows: ({ of, now, ports }, ids) => invoices.views(of, ids, todayAt(now, ports.settings)),
}
