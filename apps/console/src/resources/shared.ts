// What several kinds of records have alike.
import * as api from '@titular/sdk'
import { type Choices, type Column, type Field, textOf } from './resource.ts'

/** What a status was, what it became, when, by whom and why. */
export const HISTORY: readonly Column[] = [
  { field: 'changed_at', as: 'time' },
  { field: 'from_status', as: 'status' },
  { field: 'to_status', as: 'status' },
  { field: 'changed_by_name', as: 'actor' },
  { field: 'note' },
]

/** The invoices of an order. */
export const INVOICES: readonly Column[] = [
  { field: 'number', as: 'code' },
  { field: 'status', as: 'status' },
  { field: 'due_date', as: 'date' },
  { field: 'amount_due', as: 'money' },
  { field: 'total', as: 'money' },
]

export const REASON: Field = { field: 'reason', as: 'long' }
export const NOTE: Field = { field: 'note', as: 'long' }

export const SCOPES = [
  'organization',
  'finances',
  'orders',
  'licenses',
  'tickets',
  'quotes',
  'contracts',
  'documents',
  'downloads',
  'entitlements',
] as const

export const COMPANIES: Choices = { values: ['entity_br', 'entity_global'] }

export const ENTITLEMENTS: Choices = {
  list: api.listEntitlements,
  parameters: { status: ['active'] },
  labelOf: ({ code, product_name }) => `${textOf(code)} ${textOf(product_name)}`,
}
