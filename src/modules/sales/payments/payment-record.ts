// The payment as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Payment } from './payment.ts'

export const paymentRecord: RecordKind = {
  name: 'payment',
  schema: Payment,
  relations: { ...OF_ORGANIZATION, invoice: { kind: 'invoice', by: 'invoice_id' } },
  rows: rowsOf('payments', Payment),
}
