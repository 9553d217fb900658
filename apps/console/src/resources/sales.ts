// What is offered, ordered, billed and paid.
import * as api from '@titular/sdk'
import {
  INVOICE_ACTS,
  INVOICE_SECTIONS,
  NEW_INVOICE,
  PAYMENT_ACTS,
  PAYMENT_IN_ADVANCE,
  TAX_INVOICE_ACTS,
} from './invoices.ts'
import { ORDER_ACTS, ORDER_SECTIONS, SUBSCRIPTION_ACTS, SUBSCRIPTION_SECTIONS } from './orders.ts'
import { QUOTE_ACTS, QUOTE_LINKS, QUOTE_SECTIONS } from './quotes.ts'
import { isOneOf, nameIn, type Declaration, textOf } from './resource.ts'
import { COMPANIES } from './shared.ts'

const number = ({ number: given, id }: Readonly<Record<string, unknown>>): string => textOf(given) || textOf(id)

export const quotes: Declaration = {
  organization: { list: api.listQuotes, get: api.getQuote },
  all: { list: api.adminListQuotes },
  titleOf: number,
  columns: [
    { field: 'number', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'created_at', as: 'age' },
    { field: 'valid_until', as: 'date' },
    { field: 'total', as: 'money' },
    { field: 'author', of: (record) => nameIn(record, 'author', 'created_by'), isStaffs: true },
  ],
  expands: 'author',
  details: [
    { field: 'company', as: 'value' },
    { field: 'sent_at', as: 'time' },
    { field: 'viewed_at', as: 'time' },
    { field: 'accepted_at', as: 'time' },
    { field: 'rejection_reason' },
    { field: 'order_id', opens: 'orders' },
    { field: 'supersedes_id', opens: 'quotes' },
    { field: 'superseded_by_id', opens: 'quotes' },
    { field: 'recipients' },
    { field: 'affiliate_code', as: 'code' },
    { field: 'purchase_order' },
    { field: 'notes' },
    { field: 'subtotal', as: 'money' },
    { field: 'discount_total', as: 'money' },
    { field: 'tax_total', as: 'money' },
  ],
  statuses: ['draft', 'sent', 'viewed', 'accepted', 'paid', 'fulfilled', 'expired', 'rejected', 'cancelled'],
  sorts: ['valid_until', 'total', 'updated_at'],
  author: 'created_by',
  lines: 'line_items',
  links: [
    {
      name: 'acceptQuote',
      to: ({ id }) => `accept/${textOf(id)}`,
      scope: 'quotes',
      isOffered: isOneOf('sent', 'viewed'),
      isMain: true,
    },
    ...QUOTE_LINKS,
  ],
  sections: QUOTE_SECTIONS,
  papers: [{ name: 'pdf', operation: api.downloadQuotePdf, isBulk: true }],
  actions: [
    {
      name: 'rejectQuote',
      operation: api.rejectQuote,
      isOffered: isOneOf('sent', 'viewed'),
      form: [{ field: 'reason', as: 'long' }],
    },
    ...QUOTE_ACTS,
  ],
}

export const orders: Declaration = {
  organization: { list: api.listOrders, get: api.getOrder },
  all: { list: api.adminListOrders },
  titleOf: number,
  columns: [
    { field: 'number', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'date_created', as: 'time' },
    { field: 'total', as: 'money' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'quote_id', opens: 'quotes' },
    { field: 'purchase_order' },
    { field: 'date_paid', as: 'time' },
    { field: 'date_completed', as: 'time' },
    { field: 'payment_method', as: 'value' },
    { field: 'notes' },
  ],
  statuses: ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'],
  sorts: ['date_created', 'total'],
  lines: 'line_items',
  actions: ORDER_ACTS,
  sections: ORDER_SECTIONS,
}

export const invoices: Declaration = {
  organization: { list: api.listInvoices, get: api.getInvoice, creates: NEW_INVOICE },
  all: { list: api.adminListInvoices },
  titleOf: number,
  columns: [
    { field: 'number', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'due_date', as: 'date' },
    { field: 'amount_due', as: 'money' },
    { field: 'total', as: 'money' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'order_id', opens: 'orders' },
    { field: 'issue_date', as: 'date' },
    { field: 'overdue_since', as: 'date' },
    { field: 'reminded_at', as: 'time' },
    { field: 'payment_date', as: 'date' },
    { field: 'amount_paid', as: 'money' },
    { field: 'amount_refunded', as: 'money' },
    { field: 'amount_credited', as: 'money' },
    { field: 'withheld_total', as: 'money' },
    { field: 'dispute_status', as: 'status' },
    { field: 'late_charges_of', opens: 'invoices' },
    { field: 'purchase_order' },
    { field: 'notes' },
  ],
  statuses: ['draft', 'open', 'paid', 'void', 'uncollectible'],
  sorts: ['due_date', 'issue_date', 'total'],
  isPayable: (record) => isOneOf('open', 'uncollectible')(record) && Number(record['amount_due']) > 0,
  lines: 'line_items',
  papers: [
    { name: 'pdf', operation: api.downloadInvoicePdf, isBulk: true, isOffered: ({ status }) => status !== 'draft' },
  ],
  actions: INVOICE_ACTS,
  sections: INVOICE_SECTIONS,
}

export const taxInvoices: Declaration = {
  organization: { list: api.listTaxInvoices, get: api.getTaxInvoice },
  all: { list: api.adminListTaxInvoices },
  titleOf: ({ nfse_number, id }) => textOf(nfse_number) || textOf(id),
  columns: [
    { field: 'nfse_number', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'issued_at', as: 'time' },
    { field: 'total', as: 'money' },
  ],
  details: [
    { field: 'substatus', as: 'value' },
    { field: 'error_explanation' },
    { field: 'error_code', as: 'code' },
    { field: 'error_message' },
    { field: 'invoice_id', opens: 'invoices' },
    { field: 'order_id', opens: 'orders' },
    { field: 'description' },
    { field: 'competence', as: 'date' },
    { field: 'service_code', as: 'code' },
    { field: 'iss_rate' },
    { field: 'iss_amount', as: 'money' },
    { field: 'net_total', as: 'money' },
    { field: 'access_key', as: 'code' },
    { field: 'verification_code', as: 'code' },
    // The authority writes it without its scheme.
    {
      field: 'consultation_url',
      as: 'link',
      of: (record) => textOf(record['consultation_url']).replace(/^www\./, 'https://www.'),
    },
    { field: 'cancel_until', as: 'date' },
    { field: 'cancel_reason' },
    { field: 'replaces_id', opens: 'tax-invoices' },
    { field: 'replaced_by_id', opens: 'tax-invoices' },
  ],
  statuses: ['pending', 'issued', 'cancelled', 'error'],
  sorts: ['issued_at', 'total'],
  papers: [
    { name: 'pdf', operation: api.downloadTaxInvoicePdf, isBulk: true, isOffered: isOneOf('issued', 'cancelled') },
    { name: 'xml', operation: api.downloadTaxInvoiceXml, isBulk: true, isOffered: isOneOf('issued', 'cancelled') },
  ],
  lines: 'line_items',
  actions: TAX_INVOICE_ACTS,
}

export const payments: Declaration = {
  organization: { list: api.listPayments, get: api.getPayment, creates: PAYMENT_IN_ADVANCE },
  all: { list: api.adminListPayments },
  titleOf: ({ reference, id }) => textOf(reference) || textOf(id),
  columns: [
    { field: 'payment_date', as: 'date' },
    { field: 'payment_method', as: 'value' },
    { field: 'reference', as: 'code' },
    { field: 'amount', as: 'money' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'invoice_id', opens: 'invoices' },
    { field: 'source', as: 'value' },
    { field: 'provider' },
    { field: 'surplus', as: 'money' },
    { field: 'moved_at', as: 'time' },
    { field: 'moved_from_id', opens: 'payments' },
  ],
  sorts: ['payment_date', 'amount'],
  actions: PAYMENT_ACTS,
  papers: [{ name: 'receipt', operation: api.downloadPaymentReceipt, isBulk: true }],
}

export const subscriptions: Declaration = {
  organization: {
    list: api.listSubscriptions,
    get: api.getOrderSubscription,
    creates: {
      name: 'paymentMethods',
      operation: api.createPaymentMethodsSession,
      scope: 'finances',
      form: [{ field: 'company', chooses: COMPANIES, isRequired: true, first: () => 'entity_br' }],
      follows: 'url',
    },
  },
  all: { list: api.adminListSubscriptions },
  titleOf: ({ order_id }) => textOf(order_id),
  columns: [
    { field: 'order_id', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'interval', as: 'value' },
    { field: 'next_invoice_at', as: 'time' },
    { field: 'amount', as: 'money' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'collection_method', as: 'value' },
    { field: 'invoiced_until', as: 'time' },
    { field: 'trial_ends_at', as: 'time' },
    { field: 'ends_at', as: 'time' },
    { field: 'cancelled_by', as: 'value' },
    { field: 'cancel_reason' },
    { field: 'paused_by', as: 'value' },
  ],
  actions: SUBSCRIPTION_ACTS,
  sections: SUBSCRIPTION_SECTIONS,
  statuses: ['requested', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled'],
}
