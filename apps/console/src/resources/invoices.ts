// What staff do with invoices, payments and tax invoices.
import * as api from '@titular/sdk'
import { type Action, type Field, isOneOf, type Item, type Section, textOf } from './resource.ts'
import { COMPANIES, HISTORY, REASON } from './shared.ts'
import { REFUND_FORM } from './orders.ts'

const WRITES = 'finances:write'

const isPast = ({ due_date }: Item): boolean => textOf(due_date) < new Date().toISOString().slice(0, 10)

/** By hand: outside the payment provider. */
const PAID_FORM: readonly Field[] = [
  { field: 'amount', as: 'money' },
  { field: 'payment_method' },
  { field: 'paid_at', as: 'time' },
]

/** Of one line; further ones are added by who has a program for it. */
export const NEW_INVOICE: Action = {
  name: 'createInvoice',
  operation: api.createInvoice,
  permission: WRITES,
  form: [
    { field: 'company', chooses: COMPANIES, isRequired: true },
    { field: 'currency', isRequired: true, first: () => 'BRL' },
    { field: 'total', as: 'money', isRequired: true },
    { field: 'due_date', as: 'date' },
    { field: 'purchase_order' },
    { field: 'notes', as: 'long' },
  ],
  opens: 'invoices',
}

export const INVOICE_ACTS: readonly Action[] = [
  {
    name: 'finalizeInvoice',
    operation: api.finalizeInvoice,
    permission: WRITES,
    isOffered: isOneOf('draft'),
    isMain: true,
  },
  {
    name: 'payInvoiceByHand',
    operation: api.payInvoice,
    permission: WRITES,
    isOffered: isOneOf('open', 'uncollectible', 'paid', 'void'),
    form: PAID_FORM,
  },
  {
    name: 'sendInvoice',
    operation: api.sendInvoice,
    permission: WRITES,
    isOffered: isOneOf('open'),
  },
  {
    name: 'remindInvoice',
    operation: api.remindInvoice,
    permission: WRITES,
    isOffered: (record) => isOneOf('open', 'uncollectible')(record) && isPast(record),
  },
  {
    name: 'updateInvoiceDueDate',
    operation: api.updateInvoiceDueDate,
    permission: WRITES,
    isOffered: isOneOf('open'),
    form: [
      { field: 'due_date', as: 'date', isRequired: true, first: ({ due_date }) => due_date },
      { ...REASON, isRequired: true },
    ],
    isPreviewed: true,
  },
  {
    name: 'applyInvoiceCreditBalance',
    operation: api.applyInvoiceCreditBalance,
    permission: WRITES,
    isOffered: isOneOf('open', 'uncollectible'),
    form: [{ field: 'amount', as: 'money' }],
  },
  {
    name: 'billInvoiceLateCharges',
    operation: api.billInvoiceLateCharges,
    permission: WRITES,
    isOffered: (record) => isOneOf('open', 'paid')(record) && isPast(record),
    opens: 'invoices',
  },
  {
    name: 'createTaxInvoice',
    operation: api.createTaxInvoice,
    permission: WRITES,
    isOffered: (record) => record['company'] === 'entity_br' && isOneOf('open', 'paid')(record),
    form: [{ field: 'description', as: 'long' }],
    bodyOf: ({ id }) => ({ invoice_id: id }),
    at: () => ({ id: undefined }),
  },
  {
    name: 'createInvoiceCreditNote',
    operation: api.createInvoiceCreditNote,
    permission: WRITES,
    isOffered: isOneOf('open', 'paid', 'uncollectible'),
    form: [
      { ...REASON, isRequired: true },
      { field: 'amount', as: 'money' },
    ],
    isPreviewed: true,
    opens: 'credit-notes',
  },
  {
    name: 'refundInvoice',
    operation: api.refundInvoice,
    permission: WRITES,
    isOffered: (record) => Number(record['amount_paid']) > 0,
    form: REFUND_FORM,
    isPreviewed: true,
    isDangerous: true,
  },
  {
    name: 'markInvoiceUncollectible',
    operation: api.markInvoiceUncollectible,
    permission: WRITES,
    isOffered: isOneOf('open'),
    isDangerous: true,
  },
  {
    name: 'voidInvoice',
    operation: api.voidInvoice,
    permission: WRITES,
    isOffered: isOneOf('draft', 'open', 'uncollectible'),
    isPreviewed: true,
    isDangerous: true,
  },
]

export const INVOICE_SECTIONS: readonly Section[] = [
  {
    name: 'payments',
    list: api.listInvoicePayments,
    columns: [
      { field: 'payment_date', as: 'date' },
      { field: 'payment_method', as: 'value' },
      { field: 'source', as: 'value' },
      { field: 'amount', as: 'money' },
    ],
    opens: { resource: 'payments' },
  },
  {
    name: 'mails',
    list: api.listInvoiceMails,
    permission: 'finances:read',
    columns: [
      { field: 'created_at', as: 'time' },
      { field: 'subject' },
      { field: 'email' },
      { field: 'status', as: 'status' },
    ],
  },
  { name: 'history', list: api.listInvoiceHistory, columns: HISTORY },
]

export const PAYMENT_ACTS: readonly Action[] = [
  {
    name: 'movePayment',
    operation: api.movePayment,
    permission: WRITES,
    isOffered: ({ source, moved_at }) => source === 'by_hand' && moved_at === null,
    form: [
      { field: 'invoice_id', as: 'number', isRequired: true },
      { field: 'to_organization_id', as: 'number' },
      REASON,
    ],
    isPreviewed: true,
  },
]

/** Made outside the provider, for no invoice yet. */
export const PAYMENT_IN_ADVANCE: Action = {
  name: 'createPayment',
  operation: api.createPayment,
  permission: WRITES,
  form: [
    { field: 'company', chooses: COMPANIES, isRequired: true },
    { field: 'currency', isRequired: true, first: () => 'BRL' },
    ...PAID_FORM,
  ],
  opens: 'payments',
}

export const TAX_INVOICE_ACTS: readonly Action[] = [
  {
    name: 'retryTaxInvoice',
    operation: api.retryTaxInvoice,
    permission: WRITES,
    isOffered: isOneOf('error'),
    isMain: true,
  },
  {
    name: 'substituteTaxInvoice',
    operation: api.substituteTaxInvoice,
    permission: WRITES,
    isOffered: isOneOf('issued'),
    form: [
      { field: 'reason_code', isRequired: true, chooses: { values: ['01', '02', '03', '04', '05', '99'] } },
      { ...REASON, isRequired: true },
      { field: 'description', as: 'long', first: ({ description }) => description },
    ],
    opens: 'tax-invoices',
  },
  {
    name: 'cancelTaxInvoice',
    operation: api.cancelTaxInvoice,
    permission: WRITES,
    isOffered: isOneOf('pending', 'error', 'issued'),
    form: [
      { field: 'reason_code', isRequired: true, chooses: { values: ['1', '2', '9'] } },
      { ...REASON, isRequired: true },
    ],
    isPreviewed: true,
    isDangerous: true,
  },
]
