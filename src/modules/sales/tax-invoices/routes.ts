// Spec 4.6, the tax invoices, and what docs/interface/sales.md adds to them.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { taxInvoiceAcrossRecord, taxInvoiceItemRecord, taxInvoiceRecord } from './tax-invoice-record.ts'
import { reasonRules } from './cancellation-reason.ts'
import { served } from '#modules/documents/documents-of-record/serve-document.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { integrationRoute } from '#http/integration-route.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import { cancelTaxInvoice } from './cancel-tax-invoice.ts'
import { taxInvoiceXml, XML, xmlFile } from './document.ts'
import { taxInvoiceDocument } from './archive.ts'
import { issueTaxInvoices, rulesOf } from './open-tax-invoices.ts'
import { taxInvoices } from './queries.ts'
import { retryTaxInvoice } from './retry-tax-invoice.ts'
import { changedTaxInvoice, viewTaxInvoice } from './view-tax-invoice.ts'
import { substituteTaxInvoice } from './substitute-tax-invoice.ts'
import {
  AdministratorsTaxInvoiceFilters,
  Cancellation,
  NewTaxInvoice,
  Substitution,
  TaxInvoice,
  TaxInvoiceFilters,
  TaxInvoiceFiltersOfOrder,
  TaxInvoiceListItem,
  TaxInvoicesMade,
  taxInvoicesTable,
} from './tax-invoice.ts'

export const taxInvoiceRoutes = [
  route({
    method: 'GET',
    path: '/tax-invoices',
    access: org('finances'),
    purpose: 'List the tax invoices of the organization.',
    description: '`date_from` and `date_to` filter `issued_at`; they are days in UTC, both inclusive.',
    query: TaxInvoiceFilters,
    page: TaxInvoiceListItem,
    features: { record: taxInvoiceItemRecord },
    read: ({ org: id }, { query }) => taxInvoices.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/tax-invoices',
    access: vendor('finances'),
    purpose: 'List the tax invoices of all organizations.',
    description:
      'Newest first, each with its organization, also of deleted ones. Those in `error` are in `GET /admin/queue` too.',
    query: AdministratorsTaxInvoiceFilters,
    page: acrossItem(TaxInvoiceListItem),
    features: { record: taxInvoiceAcrossRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => taxInvoices.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/tax-invoices',
    access: staff('finances'),
    purpose: 'Issue the tax invoices of an invoice.',
    description:
      'For open and paid invoices of `entity_br`: one for each service code, for the lines that no tax ' +
      'invoice in force covers. They are pending until the authority has answered. They are issued ' +
      'automatically by the rule of the organization, the products or the settings.',
    body: NewTaxInvoice,
    openapi: { example: { invoice_id: 1, description: 'Licença de uso de software, 12 meses' } },
    data: TaxInvoicesMade,
    status: 201,
    fails: ['NOT_FOUND', 'already_declared', 'not_taxable'],
    before: rulesOf,
    run: async (ctx, { body }, rules) => {
      const made = await issueTaxInvoices(ctx, body, rules)
      const created_ids = made.map(({ id }) => id)
      const data = { ...(await changedTaxInvoice(ctx, created_ids[0] ?? 0)), created_ids }
      return { data, message: 'Tax invoice queued' }
    },
  }),
  route({
    method: 'GET',
    path: '/tax-invoices/{id}',
    access: org('finances'),
    purpose: 'Get a tax invoice.',
    description: '`error_explanation` is in the language of `Accept-Language`, else the caller’s.',
    params: ById,
    data: TaxInvoice,
    features: { record: taxInvoiceRecord },
    read: ({ org: id }, { params }) => viewTaxInvoice(id, params.id),
  }),
  integrationRoute({
    path: '/tax-invoices/{id}',
    access: staff('finances'),
    record: 'a tax invoice',
    table: taxInvoicesTable,
    data: TaxInvoice,
    view: changedTaxInvoice,
  }),
  fileRoute({
    path: '/tax-invoices/{id}/xml',
    access: org('finances'),
    purpose: 'Download a tax invoice as XML.',
    description: 'Exactly the bytes that the authority signed, also after a cancellation. 409 while it is not issued.',
    params: ById,
    contentType: XML,
    fails: ['status_not_allowed'],
    read: ({ org: id }, { params }) => taxInvoiceXml(id, params.id),
    make: (_outside, found) => xmlFile(found),
  }),
  fileRoute({
    path: '/tax-invoices/{id}/pdf',
    access: org('finances'),
    purpose: 'Download a tax invoice as PDF (DANFSe).',
    description:
      'Rendered from the authorized XML, always in Portuguese. 409 while it is not issued, or when the ' +
      'layout of its XML is not supported.',
    params: ById,
    fails: ['document_unreadable', 'status_not_allowed'],
    ...served(taxInvoiceDocument),
  }),
  route({
    method: 'GET',
    path: '/tax-invoices/order/{order_id}',
    access: org('finances'),
    purpose: 'List the tax invoices of an order.',
    description: 'Newest first, of all invoices of the order, those that were cancelled or replaced too.',
    params: Closed({ order_id: Id }),
    query: TaxInvoiceFiltersOfOrder,
    openapi: { operationId: 'listOrderTaxInvoices' },
    page: TaxInvoiceListItem,
    features: { record: taxInvoiceItemRecord },
    read: ({ org: id }, { params, query }) => taxInvoices.ofOrder(id, params.order_id, query),
  }),
  route({
    method: 'POST',
    path: '/tax-invoices/{id}/retry',
    access: staff('finances'),
    purpose: 'Retry a tax invoice that ended in an error.',
    description:
      'The number stays. After a refusal it is declared anew, by today’s fiscal profile and the ' +
      'organization’s current data. After an unclear answer the authority is asked for its result, and the ' +
      'same declaration is sent again only if the authority does not know it.',
    params: ById,
    data: TaxInvoice,
    fails: [
      'already_declared',
      'fiscal_profile_missing',
      'fully_credited',
      'invoice_void',
      'not_configured',
      'service_code_missing',
      'several_service_codes',
      'status_not_allowed',
    ],
    before: rulesOf,
    run: async (ctx, { params }, rules) => {
      await retryTaxInvoice(ctx, params.id, rules)
      return { data: await changedTaxInvoice(ctx, params.id), message: 'Tax invoice queued' }
    },
  }),
  route({
    method: 'POST',
    path: '/tax-invoices/{id}/cancel',
    access: staff('finances'),
    purpose: 'Cancel a tax invoice.',
    description:
      'At once when the authority cannot have received it. An issued one is `cancelling` until the ' +
      'authority has answered; when it refuses, the tax invoice stays issued, with the authority’s code and ' +
      'message.',
    params: ById,
    body: Cancellation,
    rules: reasonRules,
    openapi: { example: { reason_code: '1', reason: 'Issued for the wrong company' } },
    data: TaxInvoice,
    fails: ['already_in_progress', 'being_replaced', 'outcome_unknown', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      await cancelTaxInvoice(ctx, params.id, body)
      const data = await changedTaxInvoice(ctx, params.id)
      return { data, message: data.status === 'cancelled' ? 'Tax invoice cancelled' : 'Cancellation queued' }
    },
  }),
  route({
    method: 'POST',
    path: '/tax-invoices/{id}/substitute',
    access: staff('finances'),
    purpose: 'Substitute an issued tax invoice.',
    description:
      'Returns the successor. The old one stays issued until the successor is; then it is cancelled with ' +
      'the substatus `substituted`, and each names the other.',
    params: ById,
    body: Substitution,
    rules: reasonRules,
    openapi: { example: { reason_code: '99', reason: 'The address of the recipient was wrong' } },
    data: TaxInvoice,
    status: 201,
    fails: [
      'already_in_progress',
      'being_replaced',
      'fiscal_profile_missing',
      'fully_credited',
      'invoice_void',
      'not_configured',
      'service_code_missing',
      'several_service_codes',
      'status_not_allowed',
    ],
    before: rulesOf,
    run: async (ctx, { params, body }, rules) => {
      const { id } = await substituteTaxInvoice(ctx, params.id, body, rules)
      return { data: await changedTaxInvoice(ctx, id), message: 'Tax invoice queued' }
    },
  }),
]
