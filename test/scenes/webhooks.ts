// Webhook endpoints for tests: one at a receiver, events, and their deliveries.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/stand-ins/webhook-receiver.ts'

export async function endpointAt(by: Speaker, url: string, more: object = {}): Promise<Answer['data']> {
  const answer = await by.post('/webhook-endpoints', { url, events: ['*'], ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

export type Hooked = { org: Organization; receiver: WebhookReceiver; id: number; secret: string }

/** An organization with an endpoint for changes of the organization. */
export async function hooked(app: TestApp, more: object = {}): Promise<Hooked> {
  const [org, receiver] = [await app.world.organization(), await webhookReceiver()]
  const { id, secret } = await endpointAt(org.owner, receiver.url, { events: ['organization.updated'], ...more })
  return { org, receiver, id, secret }
}

/** The scenes of a test file; `close` closes the service and all receivers. */
export function webhookScenes(app: () => TestApp) {
  const open: WebhookReceiver[] = []
  return {
    async scene(more: object = {}): Promise<Hooked> {
      const made = await hooked(app(), more)
      open.push(made.receiver)
      return made
    },
    send: () => app().service.deliverer.drain(),
    async close(): Promise<void> {
      await app().close()
      for (const receiver of open) await receiver.close()
    },
  }
}

let changes = 0
/** So many events `organization.updated`, each with another website. */
export async function happen({ id, owner }: Organization, count = 1): Promise<string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index++) {
    const website = `https://site-${++changes}.example`
    made.push(website)
    expect((await owner.put(`/organizations/${id}`, { website })).status).toBe(200)
  }
  return made
}

export const websitesAt = ({ received }: WebhookReceiver): unknown[] => received.map(({ data }) => data['website'])

export async function deliveriesOf({ org, id }: Pick<Hooked, 'org' | 'id'>, query = ''): Promise<Answer['data']> {
  const answer = await org.owner.get(`/webhook-endpoints/${id}/deliveries${query}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}

export const endpointOf = async ({ org, id }: Pick<Hooked, 'org' | 'id'>): Promise<Answer['data']> =>
  (await org.owner.get(`/webhook-endpoints/${id}`)).data
