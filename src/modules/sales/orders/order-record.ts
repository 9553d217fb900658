// The order as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { Order } from './order.ts'
import { orders } from './queries.ts'

export const orderRecord: RecordKind = {
  name: 'order',
  schema: Order,
  relations: { ...OF_ORGANIZATION, quote: { kind: 'quote', by: 'quote_id' } },
  rows: ({ of }, ids) => orders.views(of, ids),
}
