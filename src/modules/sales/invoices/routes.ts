// The routes that read invoices (spec 4.6).
import { HistoryEntry, HistoryPaging } from '#kernel/data/audit/history.ts'
import { org, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { MailToPeople } from '#modules/messages/mails/mail-record.ts'
import { mailsOfRecord } from '#modules/messages/mails/mails-of-record.ts'
import { ById, Closed, Id, Paging } from '#kernel/values/schema.ts'
import { invoiceRecord } from './invoice-record.ts'
import { Invoice, InvoiceStatus } from './invoice.ts'
import {
  AdministratorsInvoice,
  AdministratorsInvoiceFilters,
  InvoiceFilters,
  InvoiceFiltersOfOrder,
} from './invoice-filters.ts'
import { todayAt } from './overdue.ts'
import { invoices } from './queries.ts'

const MAILS_ABOUT_IT = [
  'invoice-open',
  'order-invoice-open',
  'invoice-reminder',
  'payment-failed',
  'invoice-due-date-changed',
  'arrears-ending',
]

export const invoiceRoutes = [
  route({
    method: 'GET',
    path: '/invoices',
    access: org('finances'),
    purpose: 'List the invoices of the organization.',
    description: '`date_from` and `date_to` filter `issue_date`, both inclusive.',
    query: InvoiceFilters,
    page: Invoice,
    features: { record: invoiceRecord },
    read: ({ org: id, now, ports }, { query }) => invoices.page(id, query, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/admin/invoices',
    access: vendor('finances'),
    purpose: 'List the invoices of all organizations.',
    description: '`date_from` and `date_to` filter `issue_date`, both inclusive.',
    query: AdministratorsInvoiceFilters,
    page: AdministratorsInvoice,
    features: { record: invoiceRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ now, ports, organizations: only }, { query }) =>
      invoices.pageOfAll(query, only, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}',
    access: org('finances'),
    purpose: 'Get an invoice.',
    description:
      'A draft is 404 for customers. `amount_due` is less withheld taxes, credit notes and what was paid; `link`, ' +
      'where it is paid, is null while a checkout is being replaced.',
    params: ById,
    data: Invoice,
    features: { record: invoiceRecord },
    read: ({ org: id, now, ports }, { params }) => invoices.byId(id, params.id, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}/history',
    access: org('finances'),
    purpose: 'List the status history of an invoice.',
    description: 'Oldest first. Only staff see what happened to a draft.',
    params: ById,
    query: HistoryPaging,
    page: HistoryEntry(InvoiceStatus),
    read: ({ org: id }, { params, query }) => invoices.history({ org: id, id: params.id }, query),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}/mails',
    access: org('finances'),
    purpose: 'List the mails about an invoice, and what became of each.',
    description: 'Newest first, without their texts: that it is open, reminders, failed payments, changed due dates.',
    params: ById,
    query: Closed(Paging),
    page: MailToPeople,
    read: ({ org: id }, { params, query }) =>
      mailsOfRecord({ org: id, table: 'invoices', id: params.id, kinds: MAILS_ABOUT_IT }, query),
  }),
  route({
    method: 'GET',
    path: '/invoices/order/{order_id}',
    access: org('finances'),
    purpose: 'List the invoices of an order.',
    description:
      'Newest first: its own, those of later periods, and those that staff billed beside it. Customers see no drafts.',
    params: Closed({ order_id: Id }),
    query: InvoiceFiltersOfOrder,
    openapi: { operationId: 'listOrderInvoices' },
    page: Invoice,
    features: { record: invoiceRecord },
    read: ({ org: id, now, ports }, { params, query }) =>
      invoices.ofOrder({ org: id, ...params }, query, todayAt(now, ports.settings)),
  }),
]
