// Spec 2.9, creating; and the staff's moves of docs/interface.md, Invoices.
import { staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeDraft, createByHand } from './draft-invoice.ts'
import { finalizeInvoice, giveUpInvoice, voidByHand } from './finalize-invoice.ts'
import { Invoice, InvoiceChange, NewInvoice } from './invoice.ts'
import { invoiceChangeRules, invoiceRules } from './invoice-rules.ts'

const example = {
  currency: 'BRL',
  company: 'entity_br',
  due_date: '2999-12-31',
  line_items: [{ product_name: 'Migration', quantity: 2, unit_price: '150.00' }],
}
const change = { notes: 'By the contract of May', total: '300.00' }
const partly = 'Only the fields that are present change. With `total` alone the lines become one. What is final: 409.'

export const invoiceStaffRoutes = [
  route({
    method: 'POST',
    path: '/invoices',
    access: staff,
    purpose: 'Write an invoice by hand.',
    description:
      'A draft unless `status` says `open`. With `line_items` the total follows from them. A `number` makes it an imported invoice.',
    body: NewInvoice,
    rules: invoiceRules,
    example,
    data: Invoice,
    status: 201,
    fails: ['CONFLICT'],
    run: async (ctx, { body }) => ({ data: await createByHand(ctx, body), message: 'Invoice created' }),
  }),
  route({
    method: 'PUT',
    path: '/invoices/{id}',
    access: staff,
    purpose: 'Edit a draft.',
    description: partly,
    params: ById,
    body: InvoiceChange,
    rules: invoiceChangeRules,
    example: change,
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await changeDraft(ctx, params.id, body),
      message: 'Invoice updated',
    }),
  }),
  route({
    method: 'PATCH',
    path: '/invoices/{id}',
    operationId: 'patchInvoice',
    access: staff,
    purpose: 'Edit a draft; the same as PUT.',
    description: partly,
    params: ById,
    body: InvoiceChange,
    rules: invoiceChangeRules,
    example: change,
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await changeDraft(ctx, params.id, body),
      message: 'Invoice updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/finalize',
    access: staff,
    purpose: 'Open a draft.',
    description: 'Gives it its number and opens a checkout; from then on it is corrected by credit notes only.',
    params: ById,
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await finalizeInvoice(ctx, params.id), message: 'Invoice finalized' }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/void',
    access: staff,
    purpose: 'Void an invoice that is not paid.',
    params: ById,
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await voidByHand(ctx, params.id), message: 'Invoice void' }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/mark-uncollectible',
    access: staff,
    purpose: 'Give up on an open invoice.',
    description: 'It can still be paid.',
    params: ById,
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await giveUpInvoice(ctx, params.id),
      message: 'Invoice marked as uncollectible',
    }),
  }),
]
