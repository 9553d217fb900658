// Between an order of the shop and the port's.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isCurrency } from '#kernel/values/money.ts'
import { cut, oneLine, storable } from '#kernel/values/text/text.ts'
import { visibleIn } from '#kernel/values/text/visible-text.ts'
import {
  CommerceRefused,
  CommerceUnavailable,
  type OrderMark,
  type PlatformOrder,
  type PlatformOrderRequest,
  type PlatformRefund,
} from '#ports/commerce.ts'
import { amountOf, entriesOf, type Fields, fieldsIn, gmtIn, idIn, textOf, UnusableField } from './fields.ts'
import { linesOf } from './lines.ts'

/** As much as an order's notes hold here. */
const MAX_NOTE_LENGTH = 20_000

/** Anything else may be another answer later: a page of a proxy, an error of an extension. */
const ShopOrder = Type.Object({ id: Type.Integer({ minimum: 1 }) })

/** Written with our orders; whoever wants to give an order to an organization sets the second one in the shop. */
export const ORDER_META = 'titular_order_id'
export const ORGANIZATION_META = 'titular_organization_id'

/** States of the shop with another name here. */
const STATUS: ReadonlyMap<string, string> = new Map([
  ['trash', 'trashed'],
  ['auto-draft', 'draft'],
  ['checkout-draft', 'draft'],
])

export function orderOf(answer: unknown): PlatformOrder {
  if (!Value.Check(ShopOrder, answer)) throw new CommerceUnavailable('The shop’s answer is no order as its API has it')
  try {
    return read(String(answer.id), fieldsIn(answer))
  } catch (error) {
    if (!(error instanceof UnusableField)) throw error
    throw new CommerceRefused(`Order ${answer.id} of the shop cannot be read: ${error.message}`)
  }
}

function read(reference: string, order: Fields): PlatformOrder {
  const currency = currencyOf(order['currency'])
  const billing = fieldsIn(order['billing'])
  const organizationId = idIn(metaOf(order, ORGANIZATION_META))
  const person = [billing['first_name'], billing['last_name']].map(textOf).filter(Boolean).join(' ')
  return {
    reference,
    number: numberOf(order['number']) || reference,
    status: statusOf(order['status']),
    currency,
    total: amountOf('total', order['total'], currency),
    modifiedAt: modifiedAt(order),
    paidAt: gmtIn(order['date_paid_gmt']),
    paymentMethod: textOf(order['payment_method']) || null,
    paymentMethodTitle: textOf(order['payment_method_title']) || null,
    billingName: textOf(billing['company']) || person || null,
    billingEmail: textOf(billing['email']).toLowerCase() || null,
    // Where the usual extension for Brazil keeps it: in the address, or only among the meta data.
    billingCnpj: textOf(billing['cnpj']) || textOf(metaOf(order, '_billing_cnpj')) || null,
    note: noteOf(order['customer_note']),
    lines: linesOf(order, currency),
    refunds: entriesOf(order['refunds']).map(({ id, reason, total }, index) => ({
      reference: String(id),
      amount: amountOf(`refunds[${index}].total`, total, currency).replace('-', ''),
      refundId: refundIn(typeof reason === 'string' ? reason : ''),
    })),
    mark: markOf(order),
    organizationId,
  }
}

function currencyOf(value: unknown): string {
  if (typeof value === 'string' && isCurrency(value)) return value
  throw new UnusableField('currency', value, 'which is none that is in use here')
}

function statusOf(value: unknown): string {
  const status = textOf(value)
  if (status === '') throw new UnusableField('status', value, 'which is no status')
  return STATUS.get(status) ?? status
}

const numberOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? visibleIn(oneLine(String(value), 100)) : ''

const noteOf = (value: unknown): string | null =>
  typeof value === 'string' ? cut(storable(value).trim(), MAX_NOTE_LENGTH) || null : null

/** Long ago for an order that does not tell, so that nothing counts as known of it. */
const modifiedAt = (order: Fields): Date =>
  gmtIn(order['date_modified_gmt']) ?? gmtIn(order['date_created_gmt']) ?? new Date(0)

/**
 * Of an order in a list: its id, its last change, and whose copy it is. Reads nothing else, since one odd order must
 * not hide the others.
 */
export function listed(answer: unknown): { reference: string; modifiedAt: Date; mark: OrderMark | null } | null {
  if (!Value.Check(ShopOrder, answer)) return null
  const order = fieldsIn(answer)
  return { reference: String(answer.id), modifiedAt: modifiedAt(order), mark: markOf(order) }
}

function markOf(order: Fields): OrderMark | null {
  const [organizationId, orderId] = [idIn(metaOf(order, ORGANIZATION_META)), idIn(metaOf(order, ORDER_META))]
  return organizationId !== null && orderId !== null ? { organizationId, orderId } : null
}

const metaOf = ({ meta_data }: Fields, key: string): unknown =>
  entriesOf(meta_data).find((one) => one['key'] === key)?.['value']

/** A refund is recognized by its reason, since the shop keeps nothing else of ours with it. */
export const refundReason = ({ refundId, reason }: PlatformRefund): string =>
  reason === null ? `Titular refund ${refundId}` : `Titular refund ${refundId}: ${reason}`
const refundIn = (reason: string): number | null => idIn(/^Titular refund (\d{1,15})(?::|$)/.exec(reason)?.[1])

/** Fees instead of products: they need no entry in the shop's catalogue, and no tax is added to them. */
export function newOrder(request: PlatformOrderRequest): object {
  const { mark, status, currency, lines, billingName, billingEmail, number } = request
  return {
    status,
    currency,
    billing: { company: billingName ?? '', ...(billingEmail === null ? {} : { email: billingEmail }) },
    fee_lines: lines.map(({ description, total }) => ({ name: description, total, tax_status: 'none' })),
    meta_data: [
      { key: ORDER_META, value: String(mark.orderId) },
      { key: ORGANIZATION_META, value: String(mark.organizationId) },
      { key: 'titular_order_number', value: number },
    ],
  }
}
