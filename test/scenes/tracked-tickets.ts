// Tickets that are linked to issues of a tracker, which is a stand-in over real HTTP.
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { startTracker, type Tracker } from '#test/stand-ins/tracker.ts'
import { subjects } from './tickets.ts'

export type TrackedTickets = Awaited<ReturnType<typeof trackedTickets>>

export async function trackedTickets(name: Tracker['name'], environment: Record<string, string> = {}) {
  const tracker = await startTracker(name)
  const app = await startApp({ environment: { ...tracker.environment, ...environment } })
  tracker.store.now = () => app.clock.now
  const acme = await app.world.organization({ name: 'Acme' })
  return {
    tracker,
    app,
    acme,
    agent: await acme.member({ scopes: ['tickets'] }),
    ...actsOf(app, acme),
    close: async () => {
      await app.close()
      await tracker.close()
    },
  }
}

function actsOf(app: TestApp, organization: Organization) {
  const { staff } = organization
  let hosting: number | undefined
  const work = () => app.service.worker.drain()
  /** As `issue-tracker/sync-due` would find it after that time. */
  const later = async (seconds: number) => {
    app.clock.advance(seconds)
    await app.database.query(`insert into jobs (kind, run_at) values ('issue-tracker/sync-due', $1)`, [app.clock.now])
    await work()
  }
  const ticket = async (more: object = {}): Promise<number> => {
    hosting ??= (await subjects(app, organization)).hosting
    return (await staff.post('/tickets', { title: 'The campus is slow', entitlement_id: hosting, ...more })).data.id
  }
  const link = (id: number, body: object = {}): Promise<Answer> => staff.post(`/tickets/${id}/issue`, body)
  return {
    work,
    later,
    ticket,
    link,
    /** A ticket with a new issue. */
    linked: async (body: object = {}): Promise<number> => {
      const id = await ticket()
      const answer = await link(id, body)
      if (answer.status !== 201) throw new Error(answer.raw.body)
      await work()
      return id
    },
    issue: async (id: number) => (await staff.get(`/tickets/${id}/issue`)).data,
    status: async (id: number): Promise<string> => (await staff.get(`/tickets/${id}`)).data.status,
    move: (id: number, status: string) => staff.post(`/tickets/${id}/status`, { status }),
    comments: async (id: number, by: Speaker = staff) => (await by.get(`/tickets/${id}/comments`)).data,
  }
}
