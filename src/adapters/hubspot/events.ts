// HubSpot's webhooks: signature v3, and an array of events, each an event of the port.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest, isSignedBy } from '#ports/body-signatures.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'
import { COMPANY_FIELDS, type CrmEvent, type ReceivedCrmEvent, type ReceivedCrmEvents } from '#ports/crm.ts'
import { ORGANIZATION_KEY, organizationIn, propertyOf } from './companies.ts'

export type EventOptions = {
  /** The secrets in use of the app whose events come here, such as the old and the new one during a change. */
  webhookSecrets: readonly string[]
  /** The address that HubSpot calls, as it is set there: a part of what is signed. It has no query. */
  webhookUrl: string
  cnpjProperty: string
}

type Request = { headers: ReceivedHeaders; body: Buffer; now: Date }

const TOLERANCE_MS = 300_000

const ObjectId = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^\\d{1,20}$' })])
/** What all events have. Those of associations name no object of their own, and new kinds may have anything else. */
const Named = Type.Object({
  subscriptionType: Type.String({ pattern: '^[\\w.-]{1,100}$' }),
  objectTypeId: Type.Optional(Type.Unknown()),
})
const HubspotEvent = Type.Object({
  eventId: Type.Union([Type.Integer(), Type.String({ maxLength: 100 })]),
  subscriptionType: Type.String({ pattern: '^[A-Za-z_.]{1,100}$' }),
  objectId: ObjectId,
  objectTypeId: Type.Optional(Type.String()),
  occurredAt: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 100 })])),
  appId: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  sourceId: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  propertyName: Type.Optional(Type.String({ maxLength: 200 })),
  propertyValue: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  primaryObjectId: Type.Optional(ObjectId),
  mergedObjectIds: Type.Optional(Type.Array(ObjectId)),
  newObjectId: Type.Optional(Type.Union([ObjectId, Type.Null()])),
})
type HubspotEvent = Static<typeof HubspotEvent>

/** As generic subscriptions (`object.*`) name the types of objects. */
const TYPE_IDS: Readonly<Record<string, string>> = { '0-2': 'company', '0-3': 'deal' }
const CHANGES: ReadonlySet<string> = new Set(['creation', 'propertyChange', 'deletion', 'merge', 'restore'])

export function readHubspotEvents(options: EventOptions, request: Request): ReceivedCrmEvents {
  if (!isSigned(options, request)) return { kind: 'unsigned', reason: 'No secret made this signature in time' }
  const { body } = request
  const parts = partsOf(body)
  if (!parts) return { kind: 'signed', events: [{ received: unreadable(body, 'no list of events'), body }] }
  const events = parts.map(({ event, part }) => ({ received: received(options, event, part), body: part }))
  return { kind: 'signed', events }
}

function isSigned({ webhookSecrets, webhookUrl }: EventOptions, { headers, body, now }: Request): boolean {
  const signature = headers['x-hubspot-signature-v3']
  const timestamp = headers['x-hubspot-request-timestamp']
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp)) > TOLERANCE_MS) return false
  const parts = [`POST${webhookUrl}`, body, timestamp]
  return isSignedBy(webhookSecrets, signature, { parts, encoding: 'base64' })
}

function received(options: EventOptions, event: unknown, part: Buffer): ReceivedCrmEvent {
  if (!Value.Check(Named, event)) return unreadable(part, 'no event of a known shape')
  const { subscriptionType: providerType, objectTypeId } = event
  const object = usedObject(providerType, objectTypeId)
  if (Value.Check(HubspotEvent, event)) return eventOf(options, event, object)
  if (object !== null) return unreadable(part, 'no event of a known shape')
  // The attempt is all that differs between a delivery and its repetition.
  const digest = bodyDigest(Buffer.from(JSON.stringify({ ...event, attemptNumber: 0 })))
  return { kind: 'ignored', dedupeKey: `${providerType}:${digest}`, providerType }
}

/** Null when the type is not used. */
function usedObject(type: string, objectTypeId: unknown): CrmEvent['object'] | null {
  const [named = '', change = ''] = type.split('.')
  const object = named === 'object' ? TYPE_IDS[String(objectTypeId)] : named
  return (object === 'company' || object === 'deal') && CHANGES.has(change) ? object : null
}

function eventOf(
  { cnpjProperty }: EventOptions,
  event: HubspotEvent,
  object: CrmEvent['object'] | null,
): ReceivedCrmEvent {
  const { subscriptionType, propertyName, propertyValue } = event
  const [, change] = subscriptionType.split('.')
  const about = { dedupeKey: dedupeKeyOf(event), providerType: subscriptionType }
  if (object === null || isOwn(event)) return { kind: 'ignored', ...about }
  const mirrored =
    object === 'deal'
      ? ['dealstage']
      : [ORGANIZATION_KEY, ...COMPANY_FIELDS.map((field) => propertyOf(field, { cnpjProperty }))]
  if (change === 'propertyChange' && !mirrored.includes(propertyName ?? '')) return { kind: 'ignored', ...about }
  const organizationId = propertyName === ORGANIZATION_KEY ? organizationIn(propertyValue) : null
  return { kind: 'changed', ...about, object, ids: idsOf(event), organizationId }
}

/** HubSpot does not promise that an eventId is unique; a repeated delivery differs in `attemptNumber` only. */
const dedupeKeyOf = ({ eventId, subscriptionType, objectId, occurredAt, propertyName }: HubspotEvent): string =>
  [eventId, subscriptionType, objectId, occurredAt ?? '', propertyName ?? ''].join(':')

/** A change by the app that also receives the events is one of ours. */
const isOwn = ({ appId, sourceId }: HubspotEvent): boolean =>
  appId !== undefined && sourceId !== undefined && sourceId !== null && String(sourceId) === String(appId)

const idsOf = ({ objectId, primaryObjectId, mergedObjectIds = [], newObjectId }: HubspotEvent): CrmEvent['ids'] => [
  ...new Set([objectId, primaryObjectId, newObjectId, ...mergedObjectIds].flatMap((id) => (id ? [String(id)] : []))),
]

const unreadable = (body: Buffer, reason: string): ReceivedCrmEvent => ({
  kind: 'unreadable',
  dedupeKey: bodyDigest(body),
  providerType: 'unreadable',
  reason,
})

/** Null for what is no list, or too deep to be one of HubSpot's. */
function partsOf(body: Buffer): { event: unknown; part: Buffer }[] | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    if (!Array.isArray(parsed)) return null
    return parsed.map((event: unknown) => ({ event, part: Buffer.from(JSON.stringify(event)) }))
  } catch {
    return null
  }
}
