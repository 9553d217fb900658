// The issue of a ticket: its endpoints, with Jira's stand-in behind them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { type TrackedTickets, trackedTickets } from '#test/scenes/tracked-tickets.ts'
import { subjects } from '#test/scenes/tickets.ts'
import { textOf } from '../../../adapters/jira/document-format.ts'

let at: TrackedTickets
beforeAll(async () => {
  at = await trackedTickets('jira', { PORTAL_URL: 'https://portal.example' })
})
afterAll(() => at.close())

describe('POST /tickets/{id}/issue', () => {
  it('201 at once, and the job creates the issue without anything of the customer', async () => {
    const id = await at.ticket({ title: 'Maria’s secret', description: 'maria@loja.example', priority: 'high' })
    const answer = await at.link(id)
    expect(answer).toMatchObject({
      status: 201,
      data: { tracker: 'jira', key: null, url: null, status: null, sync_state: 'pending', last_synced_at: null },
    })
    await at.work()
    const issue = await at.issue(id)
    expect(issue).toMatchObject({ key: expect.stringMatching(/^SUP-\d+$/), status: 'To Do', sync_state: 'in_sync' })
    expect(issue).toMatchObject({ url: `${at.tracker.url}/browse/${issue.key}`, last_synced_at: expect.any(String) })
    const { data: ticket } = await at.acme.staff.get(`/tickets/${id}`)
    expect(ticket).toMatchObject({ tracker_key: issue.key, tracker_url: issue.url })
    const stored = at.tracker.store.issues.at(-1)
    expect(stored?.title).toBe(ticket.number)
    expect(textOf(stored?.text)).toMatch(
      new RegExp(`^Ticket ${ticket.number}, priority high\n\nhttps://portal.example/tickets/${id}\n\ntitular-\\w{20}$`),
    )
    expect(JSON.stringify(at.tracker.store.issues)).not.toMatch(/Maria|maria|Acme/)
  })
  it('201 with what staff tell the developers', async () => {
    const id = await at.linked({ title: 'Restore fails', description: 'Above 4 GiB\n\nSince 3.2' })
    const { number } = (await at.acme.staff.get(`/tickets/${id}`)).data
    const stored = at.tracker.store.issues.at(-1)
    expect(stored?.title).toBe(`${number}: Restore fails`)
    expect(textOf(stored?.text)).toContain('Above 4 GiB\n\nSince 3.2')
  })
  it('201 with the key of an existing issue, whose status stays as it is', async () => {
    const { number } = at.tracker.store.add({ title: 'Known', text: '', status: 'Done' })
    at.tracker.comment(number, '/public from before')
    at.app.clock.advance(5)
    const id = await at.linked({ key: `sup-${number}` })
    expect(await at.issue(id)).toMatchObject({ key: `SUP-${number}`, status: 'Done', sync_state: 'in_sync' })
    expect(await at.status(id)).toBe('open')
    expect(await at.comments(id)).toEqual([])
    expect(at.tracker.issue(number)).toMatchObject({ title: 'Known', status: 'Done' })
  })
  it('failed with the reason when the tracker has no such issue, and staff attach another one', async () => {
    const id = await at.linked({ key: 'SUP-99999' })
    const { sync_state, sync_error } = await at.issue(id)
    expect([sync_state, sync_error]).toEqual(['failed', expect.stringContaining('The tracker has no such issue')])
    expect((await at.acme.staff.get(`/tickets/${id}`)).data.tracker_key).toBeNull()
    expect((await at.acme.staff.delete(`/tickets/${id}/issue`)).status).toBe(200)
    expect((await at.link(id)).status).toBe(201)
  })
  it('failed when the issue belongs to a ticket of another organization, and nothing is written there', async () => {
    const id = await at.linked()
    const { key } = await at.issue(id)
    const other = await at.app.world.organization()
    const { hosting } = await subjects(at.app, other)
    const { data: theirs } = await other.staff.post('/tickets', { title: 'Mine', entitlement_id: hosting })
    await other.staff.post(`/tickets/${theirs.id}/issue`, { key })
    await other.owner.post(`/tickets/${theirs.id}/comments`, { body: 'Not for the issue of Acme' })
    await at.work()
    const { data } = await other.staff.get(`/tickets/${theirs.id}/issue`)
    expect(data).toMatchObject({ sync_state: 'failed', sync_error: 'The issue is linked to another ticket' })
    expect(JSON.stringify(at.tracker.store.issues)).not.toContain('Not for the issue of Acme')
  })
  it('409 when the ticket has an issue; of two at once one wins', async () => {
    const id = await at.ticket()
    const answers = await Promise.all([at.link(id), at.link(id)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
    await at.work()
    expect((await at.link(id, { key: 'SUP-1' })).message).toBe(`The ticket is linked to ${(await at.issue(id)).key}`)
  })
  it('409 when the ticket is closed', async () => {
    const id = await at.ticket()
    await at.move(id, 'closed')
    expect((await at.link(id)).status).toBe(409)
  })
  it('422 for a key that is none of the tracker, a url, and a text for an issue that exists', async () => {
    const id = await at.ticket()
    const refused = [
      [{ key: '../rest/api/3/myself' }, 'key'],
      [{ key: 'SUP-1/../2' }, 'key'],
      [{ key: '' }, 'key'],
      [{ url: 'https://x.example' }, 'url'],
      [{ key: 'SUP-1', title: 'x', description: 'y' }, 'description,title'],
      [{ title: 'a\u0000b' }, 'title'],
      [{ labels: [] }, 'labels'],
    ] as const
    for (const [body, fields] of refused) {
      const { status, errors } = await at.link(id, body)
      expect(
        [
          status,
          Object.keys(errors?.fields ?? {})
            .toSorted()
            .join(),
        ],
        JSON.stringify(body),
      ).toEqual([422, fields])
    }
    expect((await at.acme.staff.get(`/tickets/${id}/issue`)).status).toBe(404)
  })
  it('403 for customers, 404 for a ticket of another organization', async () => {
    const id = await at.ticket()
    expect((await at.acme.owner.post(`/tickets/${id}/issue`, {})).status).toBe(403)
    const other = await at.app.world.organization()
    for (const act of [
      other.staff.post(`/tickets/${id}/issue`, {}),
      other.staff.get(`/tickets/${id}/issue`),
      other.staff.delete(`/tickets/${id}/issue`),
      other.staff.post(`/tickets/${id}/issue/sync`),
    ])
      expect((await act).status).toBe(404)
  })
})

describe('GET /tickets/{id}/issue', () => {
  it('shows customers the issue without the reason of a failure, also in the audit log', async () => {
    const id = await at.linked({ key: 'SUP-88888' })
    expect((await at.agent.get(`/tickets/${id}/issue`)).data).toMatchObject({ sync_state: 'failed', sync_error: null })
    const { data } = await at.acme.owner.get('/audit-log?resource=ticket_issue&per_page=100')
    expect(data.length).toBeGreaterThan(0)
    expect(JSON.stringify(data)).not.toMatch(/no such issue|titular-/)
  })
  it('404 without an issue, 403 without the scope', async () => {
    const id = await at.ticket()
    expect((await at.agent.get(`/tickets/${id}/issue`)).status).toBe(404)
    const reader = await at.acme.member({ scopes: ['quotes'] })
    expect((await reader.get(`/tickets/${id}/issue`)).status).toBe(403)
  })
})

describe('DELETE /tickets/{id}/issue', () => {
  it('leaves the issue in the tracker, and nothing travels any more; it can be linked again', async () => {
    const id = await at.linked()
    const { key } = await at.issue(id)
    const number = at.tracker.store.issues.length
    expect((await at.acme.staff.delete(`/tickets/${id}/issue`)).status).toBe(200)
    expect((await at.acme.staff.get(`/tickets/${id}`)).data).toMatchObject({ tracker_key: null, tracker_url: null })
    await at.acme.staff.post(`/tickets/${id}/comments`, { body: 'Nobody there' })
    await at.move(id, 'resolved')
    await at.work()
    expect(at.tracker.issue(number)).toMatchObject({ status: 'To Do', comments: [] })
    expect((await at.acme.staff.delete(`/tickets/${id}/issue`)).status).toBe(404)
    expect((await at.link(id, { key })).status).toBe(201)
    await at.work()
    expect(await at.issue(id)).toMatchObject({ key, sync_state: 'in_sync' })
  })
  it('is harmless while the issue is being created', async () => {
    const id = await at.ticket()
    at.tracker.behave('down')
    await at.link(id)
    await at.work()
    await at.acme.staff.delete(`/tickets/${id}/issue`)
    at.tracker.behave('normal')
    const count = at.tracker.store.issues.length
    await at.later(7200)
    expect(at.tracker.store.issues).toHaveLength(count)
  })
})

describe('without a tracker', () => {
  it('a key is recorded and nothing is sent; a new issue and a synchronization are 409', async () => {
    const app = await startApp()
    const acme = await app.world.organization()
    const { hosting } = await subjects(app, acme)
    const { data: ticket } = await acme.staff.post('/tickets', { title: 'Slow', entitlement_id: hosting })
    const path = `/tickets/${ticket.id}/issue`
    expect((await acme.staff.post(path, { title: 'Slow' })).status).toBe(409)
    const body = { key: 'DEV 42', url: 'https://tracker.example/42' }
    expect((await acme.staff.post(path, body)).data).toMatchObject({ ...body, tracker: 'none', sync_state: 'recorded' })
    const linked = { tracker_key: 'DEV 42', tracker_url: body.url }
    expect((await acme.staff.get(`/tickets/${ticket.id}`)).data).toMatchObject(linked)
    expect((await acme.staff.post(`${path}/sync`)).status).toBe(409)
    await acme.staff.post(`/tickets/${ticket.id}/comments`, { body: 'x' })
    await app.service.worker.drain()
    expect((await acme.staff.get(path)).data).toMatchObject({ sync_state: 'recorded', last_synced_at: null })
    expect((await app.world.anonymous.post('/webhooks/issue-tracker', '{}', {})).status).toBe(401)
    expect((await acme.staff.delete(path)).status).toBe(200)
    await app.close()
  })
})
