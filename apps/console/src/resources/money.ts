// Money that goes back or stands to the customer's credit: refunds, disputes, credit notes and balances.
import * as api from '@titular/sdk'
import { type Column, itemsOf, type Declaration, textOf } from './resource.ts'
import { COMPANIES, HISTORY, REASON } from './shared.ts'

const WRITES = 'finances:write'

const OF_INVOICE: Column = { field: 'invoice_id', opens: 'invoices' }

export const refunds: Declaration = {
  organization: { list: api.listRefunds, get: api.getRefund },
  all: { list: api.adminListRefunds },
  titleOf: ({ id }) => `#${textOf(id)}`,
  columns: [
    { field: 'id', as: 'number' },
    { field: 'status', as: 'status' },
    { field: 'is_approved', as: 'yesNo' },
    { field: 'reason' },
    { field: 'created_at', as: 'time' },
    { field: 'amount', as: 'money' },
  ],
  details: [
    { field: 'order_id', opens: 'orders' },
    OF_INVOICE,
    { field: 'payment_id', opens: 'payments' },
    { field: 'tax_invoice_action', as: 'value' },
    { field: 'failure_reason' },
    { field: 'rejection_reason' },
    { field: 'provider_reference', as: 'code' },
    { field: 'refunded_on', as: 'date' },
  ],
  statuses: ['processing', 'succeeded', 'failed', 'rejected'],
  sorts: ['amount', 'updated_at'],
  actions: [
    {
      name: 'approveRefund',
      isBulk: true,
      operation: api.approveRefund,
      permission: WRITES,
      isOffered: ({ status, is_approved }) => status === 'processing' && is_approved === false,
      form: [
        {
          field: 'tax_invoice_action',
          chooses: { values: ['cancel', 'keep'] },
          first: ({ tax_invoice_action }) => tax_invoice_action,
        },
      ],
      isMain: true,
    },
    {
      name: 'rejectRefund',
      isBulk: true,
      operation: api.rejectRefund,
      permission: WRITES,
      isOffered: ({ status, is_approved }) => status === 'processing' && is_approved === false,
      form: [REASON],
    },
    {
      name: 'settleRefund',
      operation: api.settleRefund,
      permission: WRITES,
      isOffered: ({ status, is_approved }) => is_approved === true && (status === 'processing' || status === 'failed'),
      form: [{ field: 'status', isRequired: true, chooses: { values: ['succeeded', 'failed'] } }, REASON],
    },
    {
      name: 'retryRefund',
      operation: api.retryRefund,
      permission: WRITES,
      isOffered: ({ steps }) =>
        Array.isArray(steps) && steps.some((one: { status?: unknown }) => one.status === 'failed'),
    },
  ],
  sections: [
    {
      name: 'steps',
      rowsOf: ({ steps }) => itemsOf(steps).filter(({ status }) => status !== 'not_needed'),
      columns: [
        { field: 'step', as: 'value' },
        { field: 'status', as: 'value' },
        { field: 'at', as: 'time' },
        { field: 'resource', as: 'record' },
        { field: 'reference' },
        { field: 'waits_for', as: 'value' },
        { field: 'until', as: 'date' },
        { field: 'problem' },
      ],
    },
    { name: 'history', list: api.listRefundHistory, columns: HISTORY },
  ],
}

export const disputes: Declaration = {
  organization: { list: api.listDisputes, get: api.getDispute },
  all: { list: api.adminListDisputes },
  titleOf: ({ reference, id }) => textOf(reference) || textOf(id),
  columns: [
    { field: 'reference', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'reason' },
    { field: 'answer_by', as: 'time' },
    { field: 'amount', as: 'money' },
  ],
  details: [
    OF_INVOICE,
    { field: 'payment_id', opens: 'payments' },
    { field: 'is_withdrawn', as: 'yesNo' },
    { field: 'provider' },
    { field: 'settled_at', as: 'time' },
  ],
  statuses: ['open', 'won', 'lost'],
  sorts: ['amount', 'updated_at'],
}

export const creditNotes: Declaration = {
  organization: { list: api.listCreditNotes, get: api.getCreditNote },
  all: { list: api.adminListCreditNotes },
  titleOf: ({ number }) => textOf(number),
  columns: [
    { field: 'number', as: 'code' },
    { field: 'invoice_number', as: 'code' },
    { field: 'issue_date', as: 'date' },
    { field: 'total', as: 'money' },
  ],
  details: [
    { field: 'company', as: 'value' },
    OF_INVOICE,
    { field: 'refund_id', opens: 'refunds' },
    { field: 'reason' },
    { field: 'withheld_total', as: 'money' },
  ],
  sorts: ['total', 'updated_at'],
  lines: 'line_items',
  papers: [{ name: 'pdf', operation: api.downloadCreditNotePdf }],
}

export const creditBalances: Declaration = {
  organization: {
    list: api.listCreditBalances,
    get: api.getCreditBalance,
    creates: {
      name: 'createCreditBalance',
      operation: api.createCreditBalance,
      permission: WRITES,
      form: [
        { field: 'kind', isRequired: true, chooses: { values: ['added', 'withdrawn'] }, first: () => 'added' },
        { field: 'company', isRequired: true, chooses: COMPANIES },
        { field: 'currency', isRequired: true, first: () => 'BRL' },
        { field: 'amount', as: 'money', isRequired: true },
        { ...REASON, isRequired: true },
      ],
    },
  },
  all: { list: api.adminListCreditBalances },
  titleOf: ({ currency, id }) => `${textOf(currency)} #${textOf(id)}`,
  columns: [
    { field: 'id', as: 'number' },
    { field: 'company', as: 'value' },
    { field: 'currency' },
    { field: 'updated_at', as: 'time' },
    { field: 'amount', as: 'money' },
  ],
  sorts: ['updated_at'],
  actions: [
    {
      name: 'refundCreditBalance',
      operation: api.refundCreditBalance,
      permission: WRITES,
      isOffered: ({ amount }) => Number(amount) > 0,
      form: [{ field: 'amount', as: 'money' }, REASON, { field: 'payment_id', as: 'number' }],
      isDangerous: true,
      opens: 'refunds',
    },
  ],
  sections: [
    {
      name: 'entries',
      list: api.listCreditBalanceEntries,
      columns: [
        { field: 'date', as: 'date' },
        { field: 'kind', as: 'value' },
        { field: 'reason' },
        { field: 'amount', as: 'money' },
        { field: 'balance', as: 'money' },
      ],
    },
  ],
}
