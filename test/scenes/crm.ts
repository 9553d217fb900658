// The service with HubSpot for both legal entities: stand-ins over real HTTP, one portal each.
import { hubspot, type HubspotOptions } from '../../src/adapters/hubspot/hubspot.ts'
import type { Company } from '#kernel/values/schema.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { signedEvents } from '../../src/adapters/sandbox/crm/events.ts'
import { type HubspotStandIn, hubspotStandIn } from '#test/stand-ins/hubspot.ts'

/** The adapter as the settings create it, but with a short timeout. */
export const hubspotOf = ({ url, token, secret }: HubspotStandIn, more: Partial<HubspotOptions> = {}) =>
  hubspot({
    company: 'entity_br',
    token,
    webhookSecrets: [secret],
    webhookUrl: 'https://portal.example.com/api/v1/webhooks/crm/entity_br',
    cnpjProperty: 'cnpj',
    url,
    timeoutMs: 1000,
    ...more,
  })

export const GLOBAL_SECRET = 'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz'

export type CrmScene = {
  app: TestApp
  portal: HubspotStandIn
  globalPortal: HubspotStandIn
  administrator: Speaker
  close: () => Promise<void>
}

export async function crmScene(): Promise<CrmScene> {
  const [portal, globalPortal] = [await hubspotStandIn(), await hubspotStandIn()]
  const app = await startApp({
    environment: {
      PUBLIC_URL: 'https://api.example.test',
      ENTITY_BR_CRM: 'hubspot',
      HUBSPOT_BR_TOKEN: portal.token,
      HUBSPOT_BR_WEBHOOK_SECRETS: `the-secret-of-last-year,${portal.secret}`,
      ENTITY_GLOBAL_CRM: 'hubspot',
      HUBSPOT_GLOBAL_TOKEN: globalPortal.token,
      HUBSPOT_GLOBAL_WEBHOOK_SECRETS: GLOBAL_SECRET,
      // Both portals are at one address in the settings; this one is the Brazilian entity's.
      HUBSPOT_URL: portal.url,
    },
    ports: {
      crm: {
        entity_br: hubspotOf(portal, { webhookUrl: webhookUrl('entity_br') }),
        entity_global: hubspotOf(globalPortal, {
          company: 'entity_global',
          webhookSecrets: [GLOBAL_SECRET],
          webhookUrl: webhookUrl('entity_global'),
        }),
      },
    },
  })
  return {
    app,
    portal,
    globalPortal,
    administrator: await app.world.user({ roles: ['customer', 'administrator'] }),
    close: async () => {
      await app.close()
      await portal.close()
      await globalPortal.close()
    },
  }
}

export const webhookUrl = (company: Company): string => `https://api.example.test/api/v1/webhooks/crm/${company}`

/** Sends events as HubSpot does, and runs the jobs. */
export async function sendEvents({ app, portal }: CrmScene, events: unknown[] | string, secret = portal.secret) {
  const { body, headers } = signedEvents(events, { to: webhookUrl('entity_br'), at: app.clock.now, secret })
  const answer = await app.world.anonymous.post('/webhooks/crm/entity_br', body, headers)
  await app.service.worker.drain()
  return answer
}

let next = 1
export const hubspotEvent = (subscriptionType: string, objectId: string, more: object = {}) => ({
  eventId: next++,
  subscriptionId: 5,
  portalId: 62_515,
  appId: 11,
  occurredAt: 1_760_000_000_000,
  subscriptionType,
  attemptNumber: 0,
  objectId: Number(objectId),
  changeSource: 'CRM_UI',
  ...more,
})

/** The organization with an edit by its owner, after which it is in the CRM. */
export async function inCrm({ app }: CrmScene, acme: Organization, fields: object = {}): Promise<Answer['data']> {
  const answer = await acme.owner.put(`/organizations/${acme.id}`, { phone: '+55 11 5555-0100', ...fields })
  if (answer.status !== 200) throw new Error(answer.raw.body)
  await app.service.worker.drain()
  return (await acme.owner.get(`/organizations/${acme.id}`)).data
}
