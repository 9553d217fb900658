// What staff do with quotes and with the requests for them.
import * as api from '@titular/sdk'
import { type Action, type Column, isOneOf, type Link, type Declaration, textOf } from './resource.ts'
import type { Section } from './section.ts'
import { HISTORY, INVOICES } from './shared.ts'

const WRITES = 'quotes:write'

export const QUOTE_LINKS: readonly Link[] = [
  { name: 'editQuote', to: ({ id }) => `quote-editor/${textOf(id)}`, permission: WRITES, isOffered: isOneOf('draft') },
]

export const QUOTE_ACTS: readonly Action[] = [
  {
    name: 'sendQuote',
    isBulk: true,
    operation: api.sendQuote,
    permission: WRITES,
    isOffered: isOneOf('draft', 'sent', 'viewed'),
    form: [{ field: 'recipients', as: 'lines' }],
    isMain: true,
  },
  {
    name: 'updateQuoteValidUntil',
    isBulk: true,
    operation: api.updateQuoteValidUntil,
    permission: WRITES,
    isOffered: isOneOf('sent', 'viewed'),
    form: [{ field: 'valid_until', as: 'date', isRequired: true, first: ({ valid_until }) => valid_until }],
  },
  {
    name: 'adjustQuote',
    operation: api.adjustQuote,
    permission: WRITES,
    isOffered: isOneOf('draft'),
    form: [
      { field: 'price_index' },
      { field: 'until_month' },
      { field: 'months', as: 'number' },
      { field: 'at_least', as: 'money' },
      { field: 'at_most', as: 'money' },
      { field: 'adjusted_lines' },
    ],
    // Counted from 1 by people, from 0 by the service.
    shape: ({ adjusted_lines: lines, ...given }) => ({
      ...given,
      ...(lines !== undefined && {
        line_items: textOf(lines)
          .split(/[\s,;]+/)
          .map((line) => Number(line) - 1),
      }),
    }),
    isPreviewed: true,
  },
  {
    name: 'reviseQuote',
    operation: api.reviseQuote,
    permission: WRITES,
    isOffered: isOneOf('sent', 'viewed', 'expired', 'rejected'),
    opens: 'quotes',
  },
  {
    name: 'cancelQuote',
    operation: api.cancelQuote,
    permission: WRITES,
    isOffered: isOneOf('draft', 'sent', 'viewed', 'accepted', 'paid'),
    isPreviewed: true,
    isDangerous: true,
  },
]

export const QUOTE_SECTIONS: readonly Section[] = [
  {
    name: 'links',
    isShown: ({ status }) => status !== 'draft',
    list: api.listQuoteLinks,
    permission: 'quotes:read',
    columns: [
      { field: 'note' },
      { field: 'expires_at', as: 'time' },
      { field: 'revoked_at', as: 'time' },
      { field: 'view_count', as: 'number' },
      { field: 'last_viewed_at', as: 'time' },
      { field: 'created_by_name' },
    ],
    creates: {
      name: 'createQuoteLink',
      operation: api.createQuoteLink,
      permission: WRITES,
      isOffered: isOneOf('sent', 'viewed'),
      form: [{ field: 'note' }, { field: 'expires_at', as: 'time' }],
      shows: ['url'],
    },
    actions: [
      {
        name: 'deleteQuoteLink',
        operation: api.deleteQuoteLink,
        permission: WRITES,
        isOffered: ({ revoked_at }) => revoked_at === null,
        at: ({ id }) => ({ link_id: id }),
        isDangerous: true,
      },
    ],
  },
  {
    name: 'invoices',
    list: api.listOrderInvoices,
    scope: 'finances',
    at: ({ order_id }) => ({ order_id }),
    isShown: ({ order_id }) => typeof order_id === 'number',
    columns: INVOICES,
    opens: { resource: 'invoices' },
  },
  { name: 'history', list: api.listQuoteHistory, columns: HISTORY },
]

const REQUESTED_LINES: readonly Column[] = [{ field: 'product_name' }, { field: 'quantity', as: 'number' }]

export const quoteRequests: Declaration = {
  organization: {
    list: api.listQuoteRequests,
    get: api.getQuoteRequest,
    creates: {
      name: 'createQuoteRequest',
      operation: api.createQuoteRequest,
      isMembers: true,
      form: [
        {
          field: 'product_id',
          isRequired: true,
          chooses: { list: api.listProducts, labelOf: ({ name }) => textOf(name) },
        },
        { field: 'quantity', as: 'number', isRequired: true, first: () => '1' },
        { field: 'currency', chooses: { values: ['BRL', 'USD'] }, isRequired: true, first: () => 'BRL' },
        { field: 'notes', as: 'long' },
      ],
      shape: ({ product_id, quantity, ...others }) => ({ ...others, line_items: [{ product_id, quantity }] }),
    },
  },
  all: { list: api.adminListQuoteRequests },
  titleOf: ({ id }) => `#${textOf(id)}`,
  columns: [
    { field: 'id', as: 'number' },
    { field: 'status', as: 'status' },
    { field: 'requested_by_name', as: 'actor' },
    { field: 'created_at', as: 'time' },
    { field: 'currency' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'notes' },
    { field: 'quote_id', opens: 'quotes' },
    { field: 'decline_reason' },
  ],
  statuses: ['open', 'drafted', 'declined', 'withdrawn'],
  sorts: ['updated_at'],
  actions: [
    {
      name: 'draftQuoteRequest',
      operation: api.draftQuoteRequest,
      permission: WRITES,
      isOffered: isOneOf('open'),
      form: [{ field: 'valid_until', as: 'date', isRequired: true }],
      isMain: true,
      opens: 'quotes',
    },
    {
      name: 'declineQuoteRequest',
      operation: api.declineQuoteRequest,
      permission: WRITES,
      isOffered: isOneOf('open', 'drafted'),
      form: [{ field: 'reason', as: 'long', isRequired: true }],
    },
    {
      name: 'withdrawQuoteRequest',
      operation: api.withdrawQuoteRequest,
      isMembers: true,
      isOffered: isOneOf('open'),
    },
  ],
  sections: [{ name: 'requested', rows: 'line_items', columns: REQUESTED_LINES }],
}
