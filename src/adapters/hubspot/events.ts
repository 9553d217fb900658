// HubSpot's webhooks: signature v3, and an array of events, each an event of the port.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest, isSignedBy } from '#kernel/keys/body-signatures.ts'
import type { ReceivedHeaders } from '#kernel/keys/standard-webhooks.ts'
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
  const events = parts.map(({ event, part }) => {
    const isKnown = Value.Check(HubspotEvent, event)
    return { received: isKnown ? eventOf(options, event) : unreadable(part, 'no event of a known shape'), body: part }
  })
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

function eventOf({ cnpjProperty }: EventOptions, event: HubspotEvent): ReceivedCrmEvent {
  const { subscriptionType, objectTypeId = '', propertyName, propertyValue } = event
  const [named = '', change = ''] = subscriptionType.split('.')
  const object = named === 'object' ? TYPE_IDS[objectTypeId] : named
  const about = { dedupeKey: dedupeKeyOf(event), providerType: subscriptionType }
  if ((object !== 'company' && object !== 'deal') || !CHANGES.has(change) || isOwn(event))
    return { kind: 'ignored', ...about }
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
