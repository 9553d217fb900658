// docs/interface/sales.md, Credit notes.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { served } from '#modules/documents/documents-of-record/serve-document.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { integrationRoute } from '#http/integration-route.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { creditNoteRecord } from './credit-note-record.ts'
import { creditInvoice } from './credit-invoice.ts'
import {
  CreditNote,
  AdministratorsCreditNoteFilters,
  CreditNoteFilters,
  creditNotesTable,
  NewCreditNote,
} from './credit-note.ts'
import { creditNoteDocument } from './archive.ts'
import { creditNotes } from './queries.ts'

export const creditNoteRoutes = [
  route({
    method: 'GET',
    path: '/credit-notes',
    access: org('finances'),
    purpose: 'List the credit notes of the organization.',
    description: '`date_from` and `date_to` filter `issue_date`, both inclusive.',
    query: CreditNoteFilters,
    page: CreditNote,
    features: { record: creditNoteRecord },
    read: ({ org: id }, { query }) => creditNotes.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/credit-notes',
    access: vendor('finances'),
    purpose: 'List the credit notes of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsCreditNoteFilters,
    page: acrossItem(CreditNote),
    features: { record: creditNoteRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => creditNotes.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/credit-notes/{id}',
    access: org('finances'),
    purpose: 'Get a credit note.',
    description:
      'It never changes. By itself it pays nothing back: a refund does, and issues one where staff have not ' +
      'credited the amount yet.',
    params: ById,
    data: CreditNote,
    features: { record: creditNoteRecord },
    read: ({ org: id }, { params }) => creditNotes.byId(id, params.id),
  }),
  integrationRoute({
    path: '/credit-notes/{id}',
    access: staff('finances'),
    record: 'a credit note',
    table: creditNotesTable,
    data: CreditNote,
    view: creditNotes.afterChange,
  }),
  fileRoute({
    path: '/credit-notes/{id}/pdf',
    access: org('finances'),
    purpose: 'Download a credit note as PDF.',
    description: 'In the language of `Accept-Language`, else that of the organization’s country.',
    params: ById,
    ...served(creditNoteDocument),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/credit-notes',
    access: staff('finances'),
    purpose: 'Create a credit note for an invoice.',
    description:
      'Lowers the amount due of an unpaid invoice, which becomes void when nothing is left. Does not refund ' +
      'a paid one.',
    params: ById,
    body: NewCreditNote,
    openapi: { example: { reason: 'Two seats were billed twice', amount: '60.00' } },
    data: CreditNote,
    status: 201,
    fails: ['status_not_allowed', 'external_id_taken'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await creditInvoice(ctx, params.id, body),
      message: 'Credit note issued',
    }),
  }),
]
