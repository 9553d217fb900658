// Environments of an organization, which a provisioning system is asked for over real HTTP.
import { expect } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { startProvisioningSystem } from '#test/stand-ins/provisioning-system.ts'

export async function provisioningScene() {
  const system = await startProvisioningSystem()
  const app = await startApp({ environment: system.environment })
  const acme = await app.world.organization({ name: 'Acme' })
  const member = await acme.member({ scopes: ['entitlements'] })
  const entitlement = async (): Promise<number> => {
    const body = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: acme.id }
    return (await acme.staff.post('/entitlements', body)).data.id
  }
  const entitlementId = await entitlement()
  const work = () => app.service.worker.drain()
  const environment = async (more: object = {}): Promise<number> => {
    const body = { name: 'Campus', platform: 'moodle', environment_type: 'production', entitlement_id: entitlementId }
    const answer = await acme.staff.post('/environments', { ...body, ...more })
    expect(answer.status, answer.raw.body).toBe(201)
    return answer.data.id
  }
  /** A signed report about a request of the environment. */
  const report = (id: number, attempt: number, data: object) => {
    const about = { request_id: `environment-${acme.id}-${id}-${attempt}`, ...data }
    const { headers, body } = system.report(about, app.clock.now)
    return app.world.anonymous.post('/webhooks/provisioning', body, headers)
  }
  return {
    system,
    app,
    acme,
    member,
    entitlement,
    entitlementId,
    environment,
    /** One that the system has set up. */
    running: async (more: object = {}): Promise<number> => {
      system.behave('done')
      const id = await environment(more)
      await work()
      return id
    },
    work,
    /** All tries of what is due. */
    passTries: async (): Promise<void> => {
      for (let tries = 0; tries < 12; tries++) {
        app.clock.advance(600)
        await work()
      }
    },
    /** What is due then; people's sessions would have ended. */
    workAfter: async (seconds: number): Promise<void> => {
      app.clock.advance(seconds)
      await work()
      app.clock.advance(-seconds)
    },
    view: async (id: number) => (await member.get(`/environments/${id}`)).data,
    steps: async (id: number): Promise<string[]> =>
      (await member.get(`/environments/${id}/history`)).data.map(({ to_status: to }: { to_status: string }) => to),
    move: async (id: number, status: string) => {
      const answer = await acme.staff.post(`/environments/${id}/status`, { status })
      expect(answer.status, answer.raw.body).toBe(200)
    },
    /** What the system was asked for about the environment, in order: `suspend 2`. */
    acts: (id: number): string[] =>
      system.requests.flatMap(({ id: requestId, body }) => {
        const [, organizationId, environmentId, attempt] = requestId.split('-')
        const isMine = organizationId === String(acme.id) && environmentId === String(id)
        return isMine ? [`${body.type.replace('environment.', '')} ${attempt}`] : []
      }),
    report,
    /** A report, and what follows from it. */
    reported: async (id: number, attempt: number, data: object): Promise<void> => {
      expect((await report(id, attempt, data)).status).toBe(200)
      await work()
    },
    confirm: (id: number) => acme.staff.post(`/environments/${id}/confirm`),
    waiting: async (id: number): Promise<string[]> => {
      const { data } = await acme.staff.get('/admin/queue?kind=environments&per_page=100')
      return data.filter((item: { id: number }) => item.id === id).map((item: { label: string }) => item.label)
    },
    again: (id: number) => acme.staff.post(`/environments/${id}/provision`),
    requestId: (id: number, attempt = 1) => `environment-${acme.id}-${id}-${attempt}`,
    /** The system works, and was asked for nothing. */
    reset: () => {
      system.behave('done')
      system.requests.length = 0
      system.overlaps.length = 0
    },
    close: async () => {
      await app.close()
      await system.close()
    },
  }
}
export type ProvisioningScene = Awaited<ReturnType<typeof provisioningScene>>
