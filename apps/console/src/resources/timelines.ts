// What stands in the timelines of records, by kind.
import * as api from '@titular/sdk'
import type { Column, Item } from './resource.ts'
import type { Section, TimelineSource } from './section.ts'

/** Most lists are asked for by the record's id, and their rows were made at their time. */
const source = (
  given: Omit<TimelineSource, 'at' | 'time'> & Partial<Pick<TimelineSource, 'at' | 'time'>>,
): TimelineSource => ({ at: ({ id }) => ({ id }), time: 'created_at', ...given })

const AMOUNT: readonly Column[] = [
  { field: 'amount', as: 'money' },
  { field: 'status', as: 'status' },
]
const SOLD: readonly Column[] = [
  { field: 'number', as: 'code' },
  { field: 'total', as: 'money' },
  { field: 'status', as: 'status' },
]

const states = (list: api.AnyOperation): TimelineSource =>
  source({
    name: 'state',
    list,
    time: 'changed_at',
    columns: [
      { field: 'from_status', as: 'status' },
      { field: 'to_status', as: 'status' },
      { field: 'changed_by_name', as: 'actor' },
      { field: 'note' },
    ],
  })

const tickets = (at: (record: Item) => Item): TimelineSource =>
  source({
    name: 'ticket',
    list: api.listTickets,
    at,
    columns: [{ field: 'number', as: 'code' }, { field: 'title' }, { field: 'status', as: 'status' }],
    opens: 'tickets',
  })

const invoices = (list: api.AnyOperation, at: (record: Item) => Item): TimelineSource =>
  source({
    name: 'invoice',
    list,
    at,
    columns: SOLD,
    opens: 'invoices',
  })

const timeline = (...kinds: readonly TimelineSource[]): Section => ({
  name: 'timeline',
  timeline: kinds,
  columns: [],
  isFolded: () => true,
})

export const timelineOfInvoice = timeline(
  states(api.listInvoiceHistory),
  source({
    name: 'payment',
    list: api.listInvoicePayments,
    columns: [
      { field: 'amount', as: 'money' },
      { field: 'payment_method', as: 'value' },
    ],
    opens: 'payments',
  }),
  source({
    name: 'creditNote',
    list: api.listCreditNotes,
    at: ({ id }) => ({ invoice_id: id }),
    columns: [
      { field: 'number', as: 'code' },
      { field: 'total', as: 'money' },
    ],
    opens: 'credit-notes',
  }),
  source({
    name: 'dispute',
    scope: 'finances',
    list: api.listDisputes,
    at: ({ id }) => ({ invoice_id: id }),
    columns: AMOUNT,
  }),
  source({
    name: 'mail',
    list: api.listInvoiceMails,
    permission: 'finances:read',
    columns: [{ field: 'subject' }, { field: 'email' }, { field: 'status', as: 'status' }],
  }),
  tickets(({ id }) => ({ invoice_id: id })),
)

export const timelineOfOrder = timeline(
  states(api.listOrderHistory),
  invoices(api.listOrderInvoices, ({ id }) => ({ order_id: id })),
  source({
    name: 'refund',
    list: api.listRefunds,
    at: ({ id }) => ({ order_id: id }),
    columns: AMOUNT,
    opens: 'refunds',
  }),
  tickets(({ id }) => ({ order_id: id })),
)

export const timelineOfEntitlement = timeline(
  source({
    name: 'order',
    list: api.listEntitlementOrders,
    time: 'date_created',
    columns: SOLD,
    opens: 'orders',
  }),
  invoices(api.listInvoices, ({ id }) => ({ entitlement_id: id })),
  source({
    name: 'contract',
    list: api.listEntitlementContracts,
    columns: [{ field: 'title' }, { field: 'status', as: 'status' }],
    opens: 'contracts',
  }),
  tickets(({ id }) => ({ entitlement_id: id })),
)
