// The routes that create and move invoices, for staff (spec 2.9; docs/interface/sales.md, Invoices).
import { staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeDueDate, DueDateChange } from './change-due-date.ts'
import { changeDraft, draftInvoice } from './draft-invoice.ts'
import { finalizeInvoice, giveUpInvoice, voidByHand } from './finalize-invoice.ts'
import { Invoice, InvoiceChange, NewInvoice } from './invoice.ts'
import { remindNow } from './remind-now.ts'
import { sendInvoice } from './send-invoice.ts'
import { invoiceChangeRules, invoiceRules } from './invoice-rules.ts'

const example = {
  currency: 'BRL',
  company: 'entity_br',
  due_date: '2999-12-31',
  line_items: [{ product_name: 'Migration', quantity: 2, unit_price: '150.00' }],
}
const change = { notes: 'By the contract of May', total: '300.00' }
const partly =
  'Only the given fields change. With `total` alone the lines become one. 409 when the invoice is not a ' +
  'draft, unless only `external_id` and `metadata` are given.'

export const invoiceStaffRoutes = [
  route({
    method: 'POST',
    path: '/invoices/{id}/remind',
    access: staff('finances'),
    purpose: 'Remind the customer of an invoice now.',
    description:
      'Also where a hold or the schedule would not; the steps of the schedule go on as before. 409 unless something ' +
      'of it is due, and within an hour of the last reminder.',
    params: ById,
    data: Invoice,
    status: 202,
    fails: ['reminded_lately', 'status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await remindNow(ctx, params.id),
      message: 'The customer is being reminded',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/send',
    access: staff('finances'),
    purpose: 'Send an open invoice again by mail.',
    description: 'To those who get such mails now, with its PDF. 409 unless it is open.',
    params: ById,
    data: Invoice,
    status: 202,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await sendInvoice(ctx, params.id), message: 'The invoice is being sent' }),
  }),
  route({
    method: 'POST',
    path: '/invoices',
    access: staff('finances'),
    purpose: 'Create an invoice.',
    description:
      'A draft unless `status` is `open`. With `line_items` the total is their sum. A `number` makes it an ' +
      'imported invoice.',
    body: NewInvoice,
    rules: invoiceRules,
    openapi: { example },
    data: Invoice,
    status: 201,
    fails: ['external_id_taken', 'number_taken'],
    run: async (ctx, { body }) => ({ data: await draftInvoice(ctx, body), message: 'Invoice created' }),
  }),
  route({
    method: 'PATCH',
    path: '/invoices/{id}',
    access: staff('finances'),
    purpose: 'Update a draft invoice.',
    description: partly,
    params: ById,
    body: InvoiceChange,
    rules: invoiceChangeRules,
    openapi: { example: change },
    data: Invoice,
    fails: ['external_id_taken', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await changeDraft(ctx, params.id, body),
      message: 'Invoice updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/finalize',
    access: staff('finances'),
    purpose: 'Finalize a draft invoice.',
    description: 'Allocates its number and opens a checkout. From then on it can only be corrected by credit notes.',
    params: ById,
    data: Invoice,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await finalizeInvoice(ctx, params.id), message: 'Invoice finalized' }),
  }),
  route({
    method: 'PUT',
    path: '/invoices/{id}/due-date',
    access: staff('finances'),
    purpose: 'Update the due date of an open invoice.',
    description:
      'The customer gets a mail. Overdue, reminders, suspension and late charges follow the new date; a ' +
      'checkout at the payment provider is replaced, because its date cannot be changed.',
    params: ById,
    body: DueDateChange,
    openapi: {
      example: { due_date: '2999-12-31', reason: 'Payment plan agreed on' },
    },
    data: Invoice,
    fails: ['status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await changeDueDate(ctx, params.id, body),
      message: 'Due date changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/void',
    access: staff('finances'),
    purpose: 'Void an invoice that is not paid.',
    description:
      'Its checkout is closed and its tax invoices are cancelled; it keeps its number, and its order stays. What ' +
      'was paid of it stays there until staff refund it. 409 for one that is paid or void; it cannot be taken back.',
    params: ById,
    data: Invoice,
    fails: ['status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params }) => ({ data: await voidByHand(ctx, params.id), message: 'Invoice void' }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/mark-uncollectible',
    access: staff('finances'),
    purpose: 'Mark an invoice as uncollectible.',
    description: 'It can still be paid.',
    params: ById,
    data: Invoice,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await giveUpInvoice(ctx, params.id),
      message: 'Invoice marked as uncollectible',
    }),
  }),
]
