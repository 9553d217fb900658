// HubSpot's webhooks: the signature, HubSpot's own test vector, and what each type of event becomes.
import { describe, expect, it } from 'vitest'
import { signedEvents } from '../sandbox/crm/events.ts'
import { readHubspotEvents } from './events.ts'

const SECRET = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy'
const to = 'https://api.example.test/v1/webhooks/crm'
const options = { webhookSecrets: ['an older secret', SECRET], webhookUrl: to, cnpjProperty: 'cnpj' }
const now = new Date(1_760_000_000_000)

const VECTOR = {
  body: '[{"eventId":1,"subscriptionType":"company.propertyChange","objectId":123}]',
  headers: {
    'x-hubspot-signature-v3': 'l1Mw78D/V7xBPypp3PI4d1IWgMn79qvPLO2SRpwjgdQ=',
    'x-hubspot-request-timestamp': '1760000000000',
  },
}

const kindOf = (given: { body: string; headers: Record<string, string> }, more: object = {}, at = now) =>
  readHubspotEvents({ ...options, ...more }, { headers: given.headers, body: Buffer.from(given.body), now: at }).kind

describe('the signature', () => {
  it('is that of the published vector', () => {
    expect(kindOf(VECTOR)).toBe('signed')
  })
  it.each([
    ['another secret', VECTOR, { webhookSecrets: ['of the other legal entity'] }],
    ['another address', VECTOR, { webhookUrl: `${to}/entity_br` }],
    ['a body that was written anew', { ...VECTOR, body: VECTOR.body.replace(',', ', ') }, {}],
    ['no header', { ...VECTOR, headers: {} }, {}],
    ['two timestamps', { ...VECTOR, headers: { ...VECTOR.headers, 'x-hubspot-request-timestamp': '1, 2' } }, {}],
  ])('is wrong for %s', (_what, given, more) => {
    expect(kindOf(given, more)).toBe('unsigned')
  })
  it('is good for 300 seconds', () => {
    expect(kindOf(VECTOR, {}, new Date(now.getTime() + 300_000))).toBe('signed')
    expect(kindOf(VECTOR, {}, new Date(now.getTime() + 300_001))).toBe('unsigned')
    expect(kindOf(VECTOR, {}, new Date(now.getTime() - 300_001))).toBe('unsigned')
  })
})

const EVENT = { eventId: 100, appId: 11, occurredAt: 1_760_000_000_000, objectId: 7, attemptNumber: 0 }

function read(...events: unknown[]) {
  const { body, headers } = signedEvents(events, { to, at: now, secret: SECRET })
  const answer = readHubspotEvents(options, { headers, body: Buffer.from(body), now })
  if (answer.kind === 'unsigned') throw new Error(answer.reason)
  return answer.events.map(({ received }) => received)
}
const one = (more: object) => read({ ...EVENT, ...more })[0]

describe('an event', () => {
  it('is a change of the company or deal that it names', () => {
    expect(one({ subscriptionType: 'company.propertyChange', propertyName: 'phone', propertyValue: '1' })).toEqual({
      kind: 'changed',
      dedupeKey: '100:company.propertyChange:7:1760000000000:phone',
      providerType: 'company.propertyChange',
      object: 'company',
      ids: ['7'],
      organizationId: null,
    })
    expect(one({ subscriptionType: 'deal.propertyChange', propertyName: 'dealstage' })).toMatchObject({
      object: 'deal',
    })
    const generic = { subscriptionType: 'object.deletion', objectTypeId: '0-3', objectId: '7' }
    expect(one(generic)).toMatchObject({ kind: 'changed', object: 'deal', ids: ['7'] })
  })
  it('names all companies of a merge, and the organization that a company was given to', () => {
    const merge = { subscriptionType: 'company.merge', primaryObjectId: 8, mergedObjectIds: [7, 9], newObjectId: 8 }
    expect(one(merge)).toMatchObject({ kind: 'changed', ids: ['7', '8', '9'] })
    const given = { subscriptionType: 'company.propertyChange', propertyName: 'titular_organization_id' }
    expect(one({ ...given, propertyValue: '42' })).toMatchObject({ organizationId: 42 })
    expect(one({ ...given, propertyValue: '42; drop' })).toMatchObject({ organizationId: null })
  })
  it.each([
    ['a property that is not sent', { subscriptionType: 'company.propertyChange', propertyName: 'industry' }],
    ['another object', { subscriptionType: 'contact.creation' }],
    ['another type of change', { subscriptionType: 'company.associationChange' }],
    [
      'our own change',
      {
        subscriptionType: 'company.propertyChange',
        propertyName: 'phone',
        changeSource: 'INTEGRATION',
        sourceId: '11',
      },
    ],
  ])('is ignored: %s', (_what, event) => {
    expect(one(event)).toMatchObject({ kind: 'ignored' })
  })
  it.each([
    { subscriptionType: 'company.associationChange', objectId: undefined, fromObjectId: 211, toObjectId: 212 },
    { subscriptionType: 'object.associationChange', objectId: undefined, objectTypeId: 2 },
    { subscriptionType: 'conversation.newMessage', objectId: null, eventId: null },
    { subscriptionType: 'p1_car.creation', objectId: {} },
  ])('is ignored, once, when its type is not used, whatever its shape: %j', (event) => {
    expect(one(event)).toMatchObject({ kind: 'ignored', providerType: event.subscriptionType })
    expect(one({ ...event, attemptNumber: 4 })).toEqual(one(event))
    expect(one({ ...event, occurredAt: 1 })).not.toEqual(one(event))
  })
  it('is unreadable when its type is used and it names no object', () =>
    expect(one({ subscriptionType: 'company.deletion', objectId: undefined })).toMatchObject({ kind: 'unreadable' }))
  it('is unreadable when its shape is unknown, without hiding the others', () => {
    const good = { ...EVENT, subscriptionType: 'company.deletion' }
    expect(read(null, 7, { eventId: 1 }, good, []).map(({ kind }) => kind)).toEqual([
      'unreadable',
      'unreadable',
      'unreadable',
      'changed',
      'unreadable',
    ])
  })
  it('is unreadable as a whole when the body is no list, or too deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const body of ['', 'no JSON', '{}', 'null', deep]) {
      const { headers } = signedEvents(body, { to, at: now, secret: SECRET })
      expect(readHubspotEvents(options, { headers, body: Buffer.from(body), now })).toMatchObject({
        kind: 'signed',
        events: [{ received: { kind: 'unreadable' }, body: Buffer.from(body) }],
      })
    }
  })
  it('keeps its dedupe key when it is sent again', () => {
    const event = { subscriptionType: 'company.deletion' }
    expect(one({ ...event, attemptNumber: 3 })).toEqual(one(event))
  })
})
