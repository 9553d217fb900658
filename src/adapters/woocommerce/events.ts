// Reads the shop's webhooks: verifies the signature over the raw bytes, checks the shape, gives the port's event.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest, isSignedBy } from '#ports/body-signatures.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import type { ReceivedCommerceEvent } from '#ports/commerce.ts'

/** `order.deleted` has the id alone. */
const Body = Type.Object({ id: Type.Integer({ minimum: 1 }), date_modified_gmt: Type.Optional(Type.String()) })
const TOPICS: ReadonlySet<string> = new Set(['order.created', 'order.updated', 'order.deleted', 'order.restored'])

export function readShopEvent(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  body: Buffer,
): ReceivedCommerceEvent {
  const { 'x-wc-webhook-signature': signature, 'x-wc-webhook-topic': topic } = headers
  if (signature === undefined && isPing(headers, body)) return { kind: 'ping' }
  if (typeof signature !== 'string') return { kind: 'unsigned', reason: 'no signature' }
  if (!isSignedBy(secrets, signature, { parts: [body], encoding: 'base64' }))
    return { kind: 'unsigned', reason: 'no secret made this signature' }
  const hash = bodyDigest(body)
  const providerType = typeof topic === 'string' && /^[\w.-]{1,100}$/.test(topic) ? topic : 'unreadable'
  if (providerType !== 'unreadable' && !TOPICS.has(providerType))
    return { kind: 'ignored', dedupeKey: `sha256:${hash}`, providerType }
  const order = parsedJson(body)
  if (providerType === 'unreadable' || !Value.Check(Body, order)) {
    const reason = providerType === 'unreadable' ? 'it has no topic' : 'its body has no order id'
    return { kind: 'unreadable', dedupeKey: `sha256:${hash}`, providerType, reason }
  }
  // Not by the shop's Delivery-ID: deliveries within one second share it.
  const dedupeKey = `${providerType}:${order.id}:${order.date_modified_gmt ?? ''}:${hash}`
  return { kind: 'order', dedupeKey: dedupeKey.slice(0, 255), providerType, reference: String(order.id) }
}

/** The form that a new webhook sends once: its own number, and no signature. */
const isPing = ({ 'content-type': type }: ReceivedHeaders, body: Buffer): boolean =>
  typeof type === 'string' &&
  type.startsWith('application/x-www-form-urlencoded') &&
  /^webhook_id=\d{1,12}$/.test(body.toString('latin1', 0, 100))
