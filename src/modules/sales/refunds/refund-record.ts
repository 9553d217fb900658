// The refund as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Refund } from './refund.ts'

export const refundRecord: RecordKind = {
  name: 'refund',
  schema: Refund,
  relations: {
    ...OF_ORGANIZATION,
    order: { kind: 'order', by: 'order_id' },
    invoice: { kind: 'invoice', by: 'invoice_id' },
    payment: { kind: 'payment', by: 'payment_id' },
  },
  rows: rowsOf('refunds', Refund),
}
