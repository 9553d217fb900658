// Webhooks as HubSpot sends them: a list of events, with signature v3.
import { createHmac } from 'node:crypto'
import type { Change } from './portal.ts'

type Signing = { to: string; at: Date; secret: string }

/** A text is the body as it is. */
export function signedEvents(events: readonly unknown[] | string, { to, at, secret }: Signing) {
  const body = typeof events === 'string' ? events : JSON.stringify(events)
  const timestamp = String(at.getTime())
  const signature = createHmac('sha256', secret).update(`POST${to}${body}${timestamp}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': timestamp,
  }
  return { body, headers }
}

/** The app that the service is for the CRM: its own changes name it as their source. */
const APP_ID = 11

const NAMES = { companies: 'company', deals: 'deal' } as const

export type Announcement = { changes: readonly Change[]; firstEventId: number; at: Date; isOwn: boolean }

export const eventsOf = ({ changes, firstEventId, at, isOwn }: Announcement, attemptNumber: number) =>
  changes.map(({ object: { id, type }, kind, more }, index) => ({
    eventId: firstEventId + index,
    subscriptionId: 5,
    portalId: 62_515,
    appId: APP_ID,
    occurredAt: at.getTime(),
    subscriptionType: `${NAMES[type]}.${kind}`,
    attemptNumber,
    objectId: Number(id),
    changeSource: isOwn ? 'INTEGRATION' : 'CRM_UI',
    ...(isOwn && { sourceId: String(APP_ID) }),
    ...more,
  }))
