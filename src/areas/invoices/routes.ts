// The routes that read invoices (spec 4.6).
import { served } from '#areas/documents-of-record/serve-document.ts'
import { org } from '#kernel/access/permissions.ts'
import { fileRoute, route } from '#kernel/http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import { invoiceDocument } from './archive.ts'
import { Invoice, InvoiceFilters, InvoiceFiltersOfOrder } from './invoice.ts'
import { todayAt } from './overdue.ts'
import { invoices } from './queries.ts'

export const invoiceRoutes = [
  route({
    method: 'GET',
    path: '/invoices',
    access: org('finances'),
    purpose: 'List the invoices of the organization.',
    description: '`date_from` and `date_to` filter `issue_date`, both inclusive.',
    query: InvoiceFilters,
    page: Invoice,
    read: ({ org: id, now, ports }, { query }) => invoices.page(id, query, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}',
    access: org('finances'),
    purpose: 'Get an invoice.',
    params: ById,
    data: Invoice,
    read: ({ org: id, now, ports }, { params }) => invoices.byId(id, params.id, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/invoices/order/{order_id}',
    operationId: 'listOrderInvoices',
    access: org('finances'),
    purpose: 'List the invoices of an order.',
    params: Closed({ order_id: Id }),
    query: InvoiceFiltersOfOrder,
    page: Invoice,
    read: ({ org: id, now, ports }, { params, query }) =>
      invoices.ofOrder({ org: id, ...params }, query, todayAt(now, ports.settings)),
  }),
  fileRoute({
    path: '/invoices/{id}/pdf',
    access: org('finances'),
    purpose: 'Download an invoice as PDF.',
    description: 'In the language of `Accept-Language`, else that of the organization’s country.',
    params: ById,
    ...served(invoiceDocument),
  }),
]
