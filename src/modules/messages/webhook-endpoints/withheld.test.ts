// Which events are kept from an endpoint, and which come later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { manyEvents } from '#test/scenes/events.ts'
import { endpointAt, happen, websitesAt, webhookScenes } from '#test/scenes/webhooks.ts'

let app: TestApp
const { scene, send, close } = webhookScenes(() => app)
beforeAll(async () => void (app = await startApp()))
afterAll(close)

describe('an endpoint gets no event', () => {
  it('whose scope its maker no longer holds', async () => {
    const { org, receiver } = await scene()
    const admin = await org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    await endpointAt(admin, receiver.url, { events: ['quote.sent', 'organization.updated'] })
    await app.database.query('update collaborators set can_manage_quotes = false where user_id = $1', [admin.userId])
    await sentQuote(org)
    await happen(org)
    await send()
    expect(receiver.types()).toEqual(['organization.updated', 'organization.updated'])
  })
  it('after its maker has left or was disabled: it is disabled, and an admin can take it over', async () => {
    const { org, receiver } = await scene()
    const leave = async (change: string) => {
      const admin = await org.member({ role: 'admin', scopes: ['organization'] })
      const { id } = await endpointAt(admin, receiver.url, { events: ['organization.updated'] })
      await app.database.query(change, [admin.userId])
      return id
    }
    const left = await leave('delete from collaborators where user_id = $1')
    const disabled = await leave('update users set disabled_at = now() where id = $1')
    await happen(org)
    await send()
    await app.service.worker.drain()
    expect(receiver.received).toHaveLength(1)
    for (const id of [left, disabled]) {
      const endpoint = (await org.owner.get(`/webhook-endpoints/${id}`)).data
      expect(endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'not_a_member' })
    }
    const taken = await org.owner.patch(`/webhook-endpoints/${left}`, { status: 'active' })
    expect(taken.data).toMatchObject({ status: 'active', disabled_reason: null, user_id: org.owner.userId })
    await happen(org)
    await send()
    expect(receiver.received).toHaveLength(3)
  })
  it('of another organization', async () => {
    const [{ org }, other] = [await scene(), await scene()]
    await happen(org)
    await send()
    expect(other.receiver.received).toEqual([])
  })
  it('of an organization that was deleted, nor what was waiting; it comes after a restoration', async () => {
    const { org, receiver } = await scene()
    await happen(org)
    await app.database.query('update organizations set deleted_at = now() where id = $1', [org.id])
    await send()
    expect(receiver.received).toEqual([])
    await app.database.query('update organizations set deleted_at = null where id = $1', [org.id])
    await send()
    expect(receiver.received).toHaveLength(1)
  })
  it('while it is paused; afterwards it gets what happened meanwhile', async () => {
    const { org, receiver, id } = await scene()
    const become = (status: string) => org.owner.patch(`/webhook-endpoints/${id}`, { status })
    const made = await happen(org)
    await become('paused')
    made.push(...(await happen(org)))
    await send()
    expect(receiver.received).toEqual([])
    await become('active')
    await send()
    expect(websitesAt(receiver)).toEqual(made)
  })
  it('while it is paused for longer than events are kept; afterwards it gets what is left', async () => {
    const { org, receiver, id } = await scene()
    const become = (status: string) => org.owner.patch(`/webhook-endpoints/${id}`, { status })
    await become('paused')
    const gone = await manyEvents(app, org.id, { type: 'titular/organization/updated', count: 60 })
    const [left] = await happen(org)
    await app.database.query('delete from events where organization_id = $1 and sequence <= $2', [org.id, gone])
    await become('active')
    await send()
    expect(websitesAt(receiver)).toEqual([left])
  })
  it('while it is paused for longer than some of the next events are kept; afterwards it gets what is left', async () => {
    const { org, receiver, id } = await scene({ events: ['organization.updated'] })
    const become = (status: string) => org.owner.patch(`/webhook-endpoints/${id}`, { status })
    await become('paused')
    const last = await manyEvents(app, org.id, { type: 'titular/site/updated', count: 60 })
    const made = await happen(org)
    await app.database.query('delete from events where organization_id = $1 and sequence <= $2', [org.id, last - 35])
    await become('active')
    await send()
    expect(websitesAt(receiver)).toEqual(made)
  })
  it('after it was deleted', async () => {
    const { org, receiver, id } = await scene()
    await happen(org)
    await org.owner.delete(`/webhook-endpoints/${id}`)
    await send()
    expect(receiver.received).toEqual([])
  })
})
