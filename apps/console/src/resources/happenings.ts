// What stands in the timelines of records, by kind.
import * as api from '@titular/sdk'
import type { AnyOperation } from '@titular/sdk'
import type { Happening, Item, Section } from './resource.ts'

const byId = ({ id }: Item): Item => ({ id })

const states = (list: AnyOperation): Happening => ({
  name: 'state',
  list,
  at: byId,
  time: 'changed_at',
  columns: [
    { field: 'from_status', as: 'status' },
    { field: 'to_status', as: 'status' },
    { field: 'changed_by_name', as: 'actor' },
    { field: 'note' },
  ],
})

const tickets = (at: (record: Item) => Item): Happening => ({
  name: 'ticket',
  list: api.listTickets,
  at,
  time: 'created_at',
  columns: [{ field: 'number', as: 'code' }, { field: 'title' }, { field: 'status', as: 'status' }],
  opens: 'tickets',
})

const invoices = (list: AnyOperation, at: (record: Item) => Item): Happening => ({
  name: 'invoice',
  list,
  at,
  time: 'created_at',
  columns: [
    { field: 'number', as: 'code' },
    { field: 'total', as: 'money' },
    { field: 'status', as: 'status' },
  ],
  opens: 'invoices',
})

const timeline = (...kinds: readonly Happening[]): Section => ({
  name: 'timeline',
  timeline: kinds,
  columns: [],
  isFolded: () => true,
})

export const timelineOfInvoice = timeline(
  states(api.listInvoiceHistory),
  {
    name: 'payment',
    list: api.listInvoicePayments,
    at: byId,
    time: 'created_at',
    columns: [
      { field: 'amount', as: 'money' },
      { field: 'payment_method', as: 'value' },
    ],
    opens: 'payments',
  },
  {
    name: 'creditNote',
    list: api.listCreditNotes,
    at: ({ id }) => ({ invoice_id: id }),
    time: 'created_at',
    columns: [
      { field: 'number', as: 'code' },
      { field: 'total', as: 'money' },
    ],
    opens: 'credit-notes',
  },
  {
    name: 'dispute',
    scope: 'finances',
    list: api.listDisputes,
    at: ({ id }) => ({ invoice_id: id }),
    time: 'created_at',
    columns: [
      { field: 'amount', as: 'money' },
      { field: 'status', as: 'status' },
    ],
  },
  {
    name: 'mail',
    list: api.listInvoiceMails,
    at: byId,
    permission: 'finances:read',
    time: 'created_at',
    columns: [{ field: 'subject' }, { field: 'email' }, { field: 'status', as: 'status' }],
  },
  tickets(({ id }) => ({ invoice_id: id })),
)

export const timelineOfOrder = timeline(
  states(api.listOrderHistory),
  invoices(api.listOrderInvoices, ({ id }) => ({ order_id: id })),
  {
    name: 'refund',
    list: api.listRefunds,
    at: ({ id }) => ({ order_id: id }),
    time: 'created_at',
    columns: [
      { field: 'amount', as: 'money' },
      { field: 'status', as: 'status' },
    ],
    opens: 'refunds',
  },
  tickets(({ id }) => ({ order_id: id })),
)

export const timelineOfEntitlement = timeline(
  {
    name: 'order',
    list: api.listEntitlementOrders,
    at: byId,
    time: 'date_created',
    columns: [
      { field: 'number', as: 'code' },
      { field: 'total', as: 'money' },
      { field: 'status', as: 'status' },
    ],
    opens: 'orders',
  },
  invoices(api.listInvoices, ({ id }) => ({ entitlement_id: id })),
  {
    name: 'contract',
    list: api.listEntitlementContracts,
    at: byId,
    time: 'created_at',
    columns: [{ field: 'title' }, { field: 'status', as: 'status' }],
    opens: 'contracts',
  },
  tickets(({ id }) => ({ entitlement_id: id })),
)
