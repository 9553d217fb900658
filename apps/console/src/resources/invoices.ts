// What staff do with invoices, payments and tax invoices.
import * as api from '@titular/sdk'
import { type Action, type Field, isOneOf, type Item, textOf } from './resource.ts'
import type { Section } from './section.ts'
import { COMPANIES, REASON } from './shared.ts'
import { timelineOfInvoice } from './timelines.ts'
import { REFUND_FORM } from './orders.ts'

const WRITES = 'finances:write'

const isPast = ({ due_date }: Item): boolean => textOf(due_date) < new Date().toISOString().slice(0, 10)

/** Overdue, or paid after it was due. */
const isLate = (record: Item): boolean =>
  record['status'] === 'paid' ? textOf(record['payment_date']) > textOf(record['due_date']) : isPast(record)

/** By hand: outside the payment provider. */
const PAID_FORM: readonly Field[] = [
  { field: 'amount', as: 'money' },
  { field: 'payment_method', chooses: { values: ['bank_transfer', 'pix', 'boleto', 'card', 'cash'] } },
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
    isBulk: true,
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
    isBulk: true,
    operation: api.sendInvoice,
    permission: WRITES,
    isOffered: isOneOf('open'),
  },
  {
    name: 'remindInvoice',
    isBulk: true,
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
    opens: 'refunds',
  },
  {
    name: 'markInvoiceUncollectible',
    isBulk: true,
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
      { field: 'moved_at', as: 'time' },
      { field: 'amount', as: 'money' },
    ],
    opens: { resource: 'payments' },
  },
  {
    name: 'lateCharges',
    list: api.getInvoiceLateCharges,
    isShown: (record) => isOneOf('open', 'uncollectible', 'paid')(record) && isLate(record),
    isFolded: () => true,
    columns: [
      { field: 'as_of', as: 'date' },
      { field: 'days_overdue', as: 'number' },
      { field: 'base', as: 'money' },
      { field: 'fine', as: 'money' },
      { field: 'interest', as: 'money' },
      { field: 'charges_billed', as: 'money', of: ({ billed }) => billed },
      { field: 'charges_due', as: 'money', of: ({ due }) => due },
    ],
    actions: [
      {
        name: 'billInvoiceLateCharges',
        operation: api.billInvoiceLateCharges,
        permission: WRITES,
        isOffered: ({ due }) => Number(due) > 0,
        isMain: true,
        opens: 'invoices',
      },
    ],
  },
  timelineOfInvoice,
]

export const PAYMENT_ACTS: readonly Action[] = [
  {
    name: 'movePayment',
    operation: api.movePayment,
    permission: WRITES,
    isOffered: ({ source, moved_at }) => source === 'by_hand' && moved_at === null,
    form: [
      {
        field: 'invoice_id',
        chooses: {
          list: api.listInvoices,
          parameters: { status: ['open', 'uncollectible', 'paid'] },
          labelOf: ({ number, status, due_date }) => [number, status, due_date].map(textOf).join(' · '),
        },
      },
      {
        field: 'to_organization_id',
        chooses: { list: api.adminListOrganizations, labelOf: ({ name, id }) => `${textOf(name)} (${textOf(id)})` },
      },
      { field: 'invoice_there', as: 'number' },
      REASON,
    ],
    shape: ({ invoice_there, ...given }) => ({
      ...given,
      ...(invoice_there !== undefined && { invoice_id: invoice_there }),
    }),
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
    isBulk: true,
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
