// The sandbox's issue tracker over real HTTP, as GitHub, Jira and Redmine: the port's contract by the adapter of each,
// what people do in it, its events, faults by wish, and what it keeps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueTrackerContract, newMark } from '#ports/issue-tracker.contract.ts'
import { IssueMissing, StatusNotAllowed, TrackerRefused, TrackerUnavailable } from '#ports/issue-tracker.ts'
import { until } from '#test/harness/until.ts'
import { systemOf } from '#test/scenes/sandbox-system.ts'
import { githubIssues } from '../../github-issues/github-issues.ts'
import { jira } from '../../jira/jira.ts'
import { redmine } from '../../redmine/redmine.ts'
import { issueStore } from './issues.ts'
import { openTracker, PROTOCOLS } from './tracker.ts'

const [TOKEN, SECRET] = ['token-of-the-service', 'secret-of-the-webhook']
const LONG_AGO = new Date(0)

const document = (text: string) => ({
  body: { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] },
})

type Account = { url: string; token: string; project: string; webhookSecrets: string[]; timeoutMs?: number }

/** How the service and people speak with each; `of` gives the address of an issue from its id. */
const KINDS = {
  github: {
    project: 'titular/support',
    statuses: ['open', 'completed'],
    adapter: (account: Account) => githubIssues({ ...account, repository: account.project, name: 'github-sandbox' }),
    of: (id: string) => `/repos/titular/support/issues/${id}`,
    say: (text: string) => ['POST', '/comments', { body: text }] as const,
    end: ['PATCH', '', { state: 'closed', state_reason: 'completed' }] as const,
    another: { project: 'titular/other' },
  },
  jira: {
    project: 'SUP',
    statuses: ['To Do', 'Done'],
    adapter: (account: Account) => jira({ ...account, user: 'titular', issueType: 'Task', name: 'jira-sandbox' }),
    of: (id: string) => `/rest/api/3/issue/${id}`,
    say: (text: string) => ['POST', '/comment', document(text)] as const,
    end: ['POST', '/transitions', { transition: { id: '13' } }] as const,
    another: { project: 'OTHER' },
  },
  redmine: {
    project: 'support',
    statuses: ['New', 'In Progress'],
    adapter: (account: Account) => redmine({ ...account, name: 'redmine-sandbox' }),
    of: (id: string) => `/issues/${id}.json`,
    say: (text: string) => ['PUT', '', { issue: { notes: text } }] as const,
    end: ['PUT', '', { issue: { status_id: 2 } }] as const,
    another: { project: 'other' },
  },
} as const

const NAMES = ['github', 'jira', 'redmine'] as const
type Name = (typeof NAMES)[number]

async function opened(name: Name) {
  const { adapter, project, of } = KINDS[name]
  const system = await systemOf((at) =>
    openTracker({
      ...at,
      protocol: name,
      project,
      webhookUrl: `${at.publicUrl}/api/v1/webhooks/issue-tracker`,
      token: TOKEN,
      webhookSecret: SECRET,
    }),
  )
  const url = `${system.url}/sandbox/tracker`
  const account = { url, token: TOKEN, project, webhookSecrets: ['older', SECRET] }
  const tracker = adapter(account)
  /** As somebody calls the API. */
  const call = (token: string, method: string, path: string, body?: object) => {
    const { header, of: credentialOf } = PROTOCOLS[name].credential
    const headers = { [header]: credentialOf(token, token), 'content-type': 'application/json' }
    return fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }
  const close = async () => {
    await tracker.close()
    await system.close()
  }
  const act = (id: string, [method, path, body]: readonly [string, string, object], by = 'developer') =>
    call(by, method, `${of(id)}${path}`, body)
  return { name, system, tracker, url, account, call, act, close }
}

for (const name of NAMES)
  issueTrackerContract(`of the sandbox, as ${name}`, async () => {
    const { tracker, act, close } = await opened(name)
    const { statuses, say } = KINDS[name]
    const comment = async (id: string, text: string) => void (await act(id, say(text)))
    return { tracker, first: statuses[0], second: statuses[1], comment, close }
  })

describe.each(NAMES)('the sandbox’s issue tracker as %s', (name) => {
  const { statuses, say, end, of, another, adapter } = KINDS[name]
  let at: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    at = await opened(name)
  })
  afterAll(() => at.close())
  const make = (title = 'SR-20260001', text = 'slow') => at.tracker.create({ title, text, mark: newMark() })

  it('announces each change, whoever made it, in signed events; Redmine sends none', async () => {
    const { id } = await make()
    expect((await at.act(id, say('/public “Done” 🎉'))).ok).toBe(true)
    expect((await at.act(id, end)).ok).toBe(true)
    expect((await at.tracker.read(id)).status).toBe(statuses[1])
    const count = name === 'redmine' ? 0 : 3
    await until(async () => at.system.received.length === count)
    const events = at.system.received.map(({ headers, body }) => at.tracker.readEvent(headers, body))
    expect(events).toEqual(
      Array.from({ length: count }, () => expect.objectContaining({ kind: 'changed', issueId: id })),
    )
    const keys = events.map((event) => (event.kind === 'changed' ? event.dedupeKey : ''))
    expect(new Set(keys).size).toBe(count)
  })
  it('keeps issues and comments over a restart, and gives no number twice', async () => {
    const issue = await make()
    await at.tracker.comment(issue.id, { text: 'kept', mark: newMark() })
    await at.system.restart()
    expect(await at.tracker.read(issue.id)).toEqual(issue)
    expect(await at.tracker.comments(issue.id, LONG_AGO)).toMatchObject([{ author: 'titular', mayBePublic: true }])
    expect(Number((await make()).id)).toBe(Number(issue.id) + 1)
  })
  it('shows an issue at its address as text, whatever is in it', async () => {
    const { id, url } = await make('SR-1: <script>alert(1)</script>', 'One\n\nTwo')
    await at.act(id, say('<b>three</b>'))
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await page.text()
    expect(text).toContain(`SR-1: <script>alert(1)</script> (${statuses[0]})`)
    expect(text).toMatch(/One\n+Two\n[\s\S]*--- developer, .*\n\n<b>three<\/b>\n/)
    expect((await fetch(url.replace(/\d+$/, '99999'))).status).toBe(404)
  })
  it('lets a visitor comment', async () => {
    const { id } = await make()
    await at.act(id, say('/public from outside'), 'visitor')
    // Redmine does not tell who belongs to the team.
    const expected = { author: 'visitor', mayBePublic: name === 'redmine' }
    expect(await at.tracker.comments(id, LONG_AGO)).toMatchObject([expected])
  })
  it('refuses other tokens, other projects, and what nobody can read', async () => {
    const { id } = await make()
    for (const token of ['other', 'constructor', '']) expect((await at.call(token, 'GET', of(id))).status).toBe(401)
    expect((await at.act(id, [end[0], end[1], {}])).status).toBeLessThan(500)
    for (const body of [[], { fields: [] }, { issue: 7 }, { body: { type: 'doc' } }])
      expect((await at.act(id, [say('')[0], say('')[1], body])).status).toBeGreaterThanOrEqual(400)
    for (const path of ['', '/', '//[', '/issues', '/rest/api/3/issue', '/%00', '/browse/X-1/..'])
      expect([401, 404]).toContain((await at.call('developer', 'GET', path)).status)
    const elsewhere = adapter({ ...at.account, ...another })
    await expect(elsewhere.create({ title: 'x', text: '', mark: newMark() })).rejects.toThrow(TrackerRefused)
    await elsewhere.close()
    expect(at.system.errors).toEqual([])
  })
  it('fails as it is wished to', async () => {
    await expect(make('SR-1: sandbox: refuse')).rejects.toThrow(TrackerRefused)
    for (const [wish, retryAfterSeconds] of [
      ['unavailable', 0],
      ['limited', 30],
    ] as const) {
      const mark = newMark()
      const wished = { title: `SR-2 sandbox: ${wish}`, text: '', mark }
      await expect(at.tracker.create(wished)).rejects.toMatchObject({ retryAfterSeconds })
      expect(await at.tracker.find(mark, LONG_AGO)).toEqual([])
      const { id } = await at.tracker.create(wished)
      expect(await at.tracker.find(mark, LONG_AGO)).toMatchObject([{ id }])
    }
    const { id } = await make()
    const hasty = adapter({ ...at.account, timeoutMs: 300 })
    for (const wish of ['unclear', 'late'])
      await expect(hasty.comment(id, { text: `sandbox: ${wish}`, mark: newMark() })).rejects.toThrow(TrackerUnavailable)
    expect(await at.tracker.comments(id, LONG_AGO)).toHaveLength(2)
    await hasty.close()
    expect(at.system.errors).toEqual([])
  })
})

describe('the sandbox’s GitHub', () => {
  it('refuses what GitHub’s API does not take', async () => {
    const { tracker, call, close } = await opened('github')
    const { id } = await tracker.create({ title: 'SR-20260001', text: 'slow', mark: newMark() })
    const issues = '/repos/titular/support/issues'
    const status = async (method: string, path: string, body?: object) =>
      (await call('developer', method, `${issues}${path}`, body)).status
    expect(await status('POST', '', {})).toBe(422)
    expect(await status('PATCH', `/${id}`, { state: 'gone' })).toBe(422)
    expect([await status('DELETE', `/${id}`), await status('DELETE', `/${id}`, {})]).toEqual([400, 404])
    expect(await status('GET', '/0')).toBe(404)
    await close()
  })
})

describe.each(['jira', 'redmine'] as const)('the sandbox’s %s', (name) => {
  it('deletes an issue, and does not give its number again', async () => {
    const { tracker, call, system, close } = await opened(name)
    const make = () => tracker.create({ title: 'SR-4', text: '', mark: newMark() })
    const { id } = await make()
    expect((await call('developer', 'DELETE', KINDS[name].of(id))).status).toBe(204)
    await expect(tracker.read(id)).rejects.toThrow(IssueMissing)
    await system.restart()
    await expect(tracker.comment(id, { text: 'x', mark: newMark() })).rejects.toThrow(IssueMissing)
    expect(Number((await make()).id)).toBe(Number(id) + 1)
    await close()
  })
  it('has no way to another status for an issue that wishes it', async () => {
    const { tracker, close } = await opened(name)
    const [first, second] = KINDS[name].statuses
    const { id } = await tracker.create({ title: 'SR-3 sandbox: stuck', text: '', mark: newMark() })
    await expect(tracker.changeStatus(id, second)).rejects.toThrow(StatusNotAllowed)
    expect((await tracker.read(id)).status).toBe(first)
    await close()
  })
})

describe('the sandbox’s Jira', () => {
  let at: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    at = await opened('jira')
  })
  afterAll(() => at.close())
  const make = () => at.tracker.create({ title: 'SR-20260001', text: 'slow', mark: newMark() })

  it('moves an issue into another project: it keeps its id, and is found by the old key and the new one', async () => {
    const { id, key } = await make()
    const move = { targetToSourcesMapping: { 'OPS,10001': { issueIdsOrKeys: [key], inferFieldDefaults: true } } }
    expect((await at.call('developer', 'POST', '/rest/api/3/bulk/issues/move', move)).status).toBe(201)
    const moved = await at.tracker.read(id)
    expect(moved.key).toBe(key.replace('SUP', 'OPS'))
    expect([await at.tracker.read(key), await at.tracker.read(moved.key)]).toEqual([moved, moved])
    expect((await fetch(moved.url)).status).toBe(200)
    await until(async () => at.system.received.length === 2)
  })
  it('keeps a comment for developers from customers, and takes no text that is no document', async () => {
    const { id } = await make()
    const visibility = { type: 'role', value: 'Developers' }
    expect((await at.act(id, ['POST', '/comment', { ...document('/public No'), visibility }])).status).toBe(201)
    expect(await at.tracker.comments(id, LONG_AGO)).toMatchObject([{ body: '/public No', mayBePublic: false }])
    const wrong = ['text', '', 'x'.repeat(32_768)].map((text, index) => (index === 0 ? { body: text } : document(text)))
    for (const body of wrong) expect((await at.act(id, ['POST', '/comment', body])).status).toBe(400)
  })
  it('gives comments page by page', async () => {
    const { id } = await make()
    for (let count = 0; count < 120; count++) await at.tracker.comment(id, { text: `note ${count}`, mark: newMark() })
    expect((await at.tracker.comments(id, LONG_AGO)).map(({ body }) => body.split('\n')[0])).toEqual(
      Array.from({ length: 120 }, (_, count) => `note ${count}`),
    )
  })
  it('says of an event how often it was sent before, and nothing else changes', () => {
    const { event, retryGapsMs } = PROTOCOLS.jira
    const issue = issueStore([], () => new Date()).add({ title: 'x', text: null, status: 'To Do' })
    const place = { project: 'SUP', url: 'https://jira.example' }
    const sent = (attempt: number) =>
      event?.(place, { type: 'jira:issue_updated', issue }, { secret: SECRET, id: 'e-1', attempt })
    const [first, again] = [sent(0), sent(2)]
    expect(again).toEqual({ ...first, headers: { ...first?.headers, 'x-atlassian-webhook-retry': '2' } })
    expect(retryGapsMs).toHaveLength(5)
  })
})
