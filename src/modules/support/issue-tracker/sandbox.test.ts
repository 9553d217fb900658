// Tickets with the sandbox's issue tracker, from the settings to the events that come back.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { until } from '#test/harness/until.ts'
import { subjects } from '#test/scenes/tickets.ts'

let app: TestApp
let acme: Organization
let entitlement_id: number
beforeAll(async () => {
  app = await appOfFile({ listens: true, environment: { ISSUE_TRACKER: 'sandbox' } })
  acme = await app.world.organization({ name: 'Acme' })
  entitlement_id = (await subjects(app, acme)).hosting
})

const linked = async (issue: object): Promise<number> => {
  const { id } = (await acme.staff.post('/tickets', { title: 'It is slow', entitlement_id })).data
  await acme.staff.post(`/tickets/${id}/issue`, issue)
  await app.service.worker.drain()
  return id
}
const issueOf = async (id: number) => (await acme.staff.get(`/tickets/${id}/issue`)).data
const asDeveloper = (method: string, path: string, body: object) =>
  fetch(`${app.url}/sandbox/tracker/repos/titular/support/issues${path}`, {
    method,
    headers: { authorization: 'Bearer developer', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a ticket in the sandbox’s tracker', () => {
  it('has an issue there, and what a developer says and does comes back by itself', async () => {
    const id = await linked({ title: 'Campus “Ünï” 🎉' })
    const { key, tracker, url } = await issueOf(id)
    expect([tracker, url]).toEqual([
      'github-sandbox',
      expect.stringContaining('/sandbox/tracker/titular/support/issues/'),
    ])
    expect(await (await fetch(url)).text()).toContain('Campus “Ünï” 🎉')
    app.clock.advance(1)
    const number = key.slice(1)
    expect((await asDeveloper('POST', `/${number}/comments`, { body: '/public It was the disk.' })).status).toBe(201)
    expect((await asDeveloper('PATCH', `/${number}`, { state: 'closed', state_reason: 'completed' })).status).toBe(200)
    await until(async () => {
      await app.service.worker.drain()
      return (await acme.staff.get(`/tickets/${id}`)).data.status === 'resolved'
    })
    const { data: comments } = await acme.staff.get(`/tickets/${id}/comments`)
    expect(comments).toMatchObject([{ body: 'It was the disk.', author_name: 'developer', by_staff: true }])
  })
  it('fails by the wish in the title of the issue', async () => {
    const refused = await linked({ title: 'sandbox: refuse' })
    expect(await issueOf(refused)).toMatchObject({ sync_state: 'failed', key: null })
    const lost = await linked({ title: 'sandbox: unclear' })
    expect(await issueOf(lost)).toMatchObject({ sync_state: 'pending', key: null })
    await acme.staff.post(`/tickets/${lost}/issue/sync`)
    await app.service.worker.drain()
    expect(await issueOf(lost)).toMatchObject({ sync_state: 'in_sync', key: expect.stringMatching(/^#\d+$/) })
  })
})
