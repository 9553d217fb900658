// What a tax invoice names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { TaxInvoice } from './tax-invoice.ts'

export const taxInvoiceRecord: RecordKind = {
  name: 'tax_invoice',
  schema: TaxInvoice,
  relations: {
    ...OF_ORGANIZATION,
    order: { kind: 'order', by: 'order_id' },
    invoice: { kind: 'invoice', by: 'invoice_id' },
  },
}

/** The items of its list have no more of these. */
export const taxInvoiceItemRecord: RecordKind = {
  name: 'tax_invoice_item',
  schema: TaxInvoice,
  relations: { order: { kind: 'order', by: 'order_id' } },
}

/** Those of the list across organizations name theirs. */
export const taxInvoiceAcrossRecord: RecordKind = {
  ...taxInvoiceItemRecord,
  relations: { ...OF_ORGANIZATION, ...taxInvoiceItemRecord.relations },
}
