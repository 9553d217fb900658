// Tickets with the sandbox's issue tracker, as each that it can be, from the settings to what comes back.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { until } from '#test/harness/until.ts'
import { subjects } from '#test/scenes/tickets.ts'

const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

type Act = readonly [method: string, path: string, body: object]

/** What a developer says and does, by the API of the real tracker. */
const KINDS = {
  sandbox: {
    name: 'github-sandbox',
    credential: { authorization: 'Bearer developer' },
    number: (key: string) => key.slice(1),
    page: '/titular/support/issues/',
    say: (number: string, body: string): Act => ['POST', `/repos/titular/support/issues/${number}/comments`, { body }],
    end: (number: string): Act => ['PATCH', `/repos/titular/support/issues/${number}`, { state: 'closed' }],
  },
  'jira-sandbox': {
    name: 'jira-sandbox',
    credential: { authorization: `Basic ${Buffer.from('developer:developer').toString('base64')}` },
    number: (key: string) => key,
    page: '/browse/SUP-',
    say: (key: string, text: string): Act => ['POST', `/rest/api/3/issue/${key}/comment`, { body: document(text) }],
    end: (key: string): Act => ['POST', `/rest/api/3/issue/${key}/transitions`, { transition: { id: '13' } }],
  },
  'redmine-sandbox': {
    name: 'redmine-sandbox',
    credential: { 'x-redmine-api-key': 'developer' },
    number: (key: string) => key.slice(1),
    page: '/issues/',
    say: (number: string, notes: string): Act => ['PUT', `/issues/${number}.json`, { issue: { notes } }],
    end: (number: string): Act => ['PUT', `/issues/${number}.json`, { issue: { status_id: 3 } }],
  },
} as const

describe.each(['sandbox', 'jira-sandbox', 'redmine-sandbox'] as const)('a ticket with ISSUE_TRACKER=%s', (choice) => {
  const { name, credential, number, page, say, end } = KINDS[choice]
  let app: TestApp
  let acme: Organization
  let entitlement_id: number
  beforeAll(async () => {
    app = await appOfFile({ listens: true, environment: { ISSUE_TRACKER: choice } })
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

  it('has an issue there, and what a developer says and does comes back by itself', async () => {
    const id = await linked({ title: 'Campus “Ünï” 🎉' })
    const { key, tracker, url } = await issueOf(id)
    expect([tracker, url]).toEqual([name, expect.stringContaining(`/sandbox/tracker${page}`)])
    expect(await (await fetch(url)).text()).toContain('Campus “Ünï” 🎉')
    app.clock.advance(1)
    const act = ([method, path, body]: Act) =>
      fetch(`${app.url}/sandbox/tracker${path}`, {
        method,
        headers: { ...credential, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await act(say(number(key), '/public It was the disk.'))).ok).toBe(true)
    expect((await act(end(number(key)))).ok).toBe(true)
    // Redmine sends no events: its issues are looked at every two minutes.
    if (choice === 'redmine-sandbox') {
      app.clock.advance(121)
      await app.database.query(`insert into jobs (kind, run_at) values ('issue-tracker/sync-due', $1)`, [app.clock.now])
    }
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
    expect(await issueOf(lost)).toMatchObject({ sync_state: 'in_sync', key: expect.stringMatching(/^(#|SUP-)\d+$/) })
  })
})

describe('the issue of a ticket in the sandbox’s Jira', () => {
  it('is followed into another project, and missed when it is deleted', async () => {
    const app = await appOfFile({ listens: true, environment: { ISSUE_TRACKER: 'jira-sandbox' } })
    const acme = await app.world.organization({ name: 'Acme' })
    const entitlement_id = (await subjects(app, acme)).hosting
    const { id } = (await acme.staff.post('/tickets', { title: 'It is slow', entitlement_id })).data
    await acme.staff.post(`/tickets/${id}/issue`)
    await app.service.worker.drain()
    const issue = async () => (await acme.staff.get(`/tickets/${id}/issue`)).data
    const { key } = await issue()
    const { credential } = KINDS['jira-sandbox']
    const ask = (method: string, path: string, body?: object) =>
      fetch(`${app.url}/sandbox/tracker/rest/api/3${path}`, {
        method,
        headers: { ...credential, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const comes = (isThere: (now: { key: string; sync_state: string }) => boolean) =>
      until(async () => {
        await app.service.worker.drain()
        return isThere(await issue())
      })
    const target = { 'OPS,10001': { issueIdsOrKeys: [key], inferFieldDefaults: true } }
    expect((await ask('POST', '/bulk/issues/move', { targetToSourcesMapping: target })).status).toBe(201)
    await comes((now) => now.key === key.replace('SUP', 'OPS'))
    expect((await acme.staff.get(`/tickets/${id}`)).data.tracker_url).toMatch(/\/browse\/OPS-\d+$/)
    expect((await ask('DELETE', `/issue/${key}`)).status).toBe(204)
    await comes((now) => now.sync_state === 'failed')
    expect((await issue()).sync_error).toContain('no such issue')
    expect((await acme.staff.get(`/tickets/${id}`)).data.status).toBe('open')
  })
})
