// The sandbox's issue tracker over real HTTP: the port's contract by GitHub's adapter, what people do in it, its
// events, faults by wish, and what it keeps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueTrackerContract, newMark } from '#ports/issue-tracker.contract.ts'
import { type IssueTracker, TrackerRefused, TrackerUnavailable } from '#ports/issue-tracker.ts'
import { until } from '#test/harness/until.ts'
import { systemOf } from '#test/scenes/sandbox-system.ts'
import { githubIssues } from '../../github-issues/github-issues.ts'
import { openTracker } from './tracker.ts'

const [TOKEN, SECRET, REPOSITORY] = ['token-of-the-service', 'secret-of-the-webhook', 'titular/support']

async function opened() {
  const system = await systemOf((at) =>
    openTracker({
      ...at,
      repository: REPOSITORY,
      webhookUrl: `${at.publicUrl}/api/v1/webhooks/issue-tracker`,
      token: TOKEN,
      webhookSecret: SECRET,
    }),
  )
  const url = `${system.url}/sandbox/tracker`
  const tracker = githubIssues({
    url,
    token: TOKEN,
    repository: REPOSITORY,
    webhookSecrets: ['older', SECRET],
    name: 'github-sandbox',
  })
  /** As somebody calls GitHub's API. */
  const call = (token: string, method: string, path: string, body?: object) =>
    fetch(`${url}/repos/${REPOSITORY}/issues${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const close = async () => {
    await tracker.close()
    await system.close()
  }
  return { system, tracker, url, call, close }
}

issueTrackerContract('of the sandbox', async () => {
  const { tracker, call, close } = await opened()
  const comment = async (id: string, body: string) =>
    void (await call('developer', 'POST', `/${id}/comments`, { body }))
  return { tracker, first: 'open', second: 'completed', comment, close }
})

describe('the sandbox’s issue tracker', () => {
  let at: Awaited<ReturnType<typeof opened>>
  let tracker: IssueTracker
  beforeAll(async () => {
    at = await opened()
    ;({ tracker } = at)
  })
  afterAll(() => at.close())
  const make = (title = 'SR-20260001', text = 'slow') => tracker.create({ title, text, mark: newMark() })

  it('announces each change, whoever made it, in signed events', async () => {
    const { id } = await make()
    await at.call('developer', 'POST', `/${id}/comments`, { body: '/public “Done” 🎉' })
    await at.call('developer', 'PATCH', `/${id}`, { state: 'closed', state_reason: 'not_planned' })
    await until(async () => at.system.received.length === 3)
    const events = at.system.received.map(({ headers, body }) => tracker.readEvent(headers, body))
    const changed = expect.objectContaining({ kind: 'changed', issueId: id })
    expect(events).toEqual([changed, changed, changed])
    expect(new Set(at.system.received.map(({ headers }) => headers['x-github-delivery'])).size).toBe(3)
    expect((await tracker.read(id)).status).toBe('not_planned')
  })
  it('keeps issues and comments over a restart, and gives no number twice', async () => {
    const issue = await make()
    await tracker.comment(issue.id, { text: 'kept', mark: newMark() })
    await at.system.restart()
    expect(await tracker.read(issue.id)).toEqual(issue)
    expect(await tracker.comments(issue.id, new Date(0))).toMatchObject([{ author: 'titular', mayBePublic: true }])
    expect(Number((await make()).id)).toBe(Number(issue.id) + 1)
  })
  it('shows an issue at its address as text, whatever is in it', async () => {
    const { url } = await make('SR-1: <script>alert(1)</script>')
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await page.text()).toContain('<script>alert(1)</script> (open)')
    expect((await fetch(url.replace(/\d+$/, '99999'))).status).toBe(404)
  })
  it('lets a visitor comment, who does not speak for the vendor', async () => {
    const { id } = await make()
    await at.call('visitor', 'POST', `/${id}/comments`, { body: '/public from outside' })
    expect(await tracker.comments(id, new Date(0))).toMatchObject([{ author: 'visitor', mayBePublic: false }])
  })
  it('refuses other tokens, other repositories and what GitHub’s API does not take', async () => {
    for (const token of ['other', 'constructor', '']) expect((await at.call(token, 'GET', '')).status).toBe(401)
    const { id } = await make()
    expect((await at.call('developer', 'POST', '', {})).status).toBe(422)
    expect((await at.call('developer', 'PATCH', `/${id}`, { state: 'gone' })).status).toBe(422)
    expect((await at.call('developer', 'DELETE', `/${id}`)).status).toBe(400)
    expect((await at.call('developer', 'GET', '/0')).status).toBe(404)
    const elsewhere = githubIssues({ url: at.url, token: TOKEN, repository: 'titular/other', webhookSecrets: [] })
    await expect(elsewhere.create({ title: 'x', text: '', mark: newMark() })).rejects.toThrow(TrackerRefused)
    await elsewhere.close()
  })
  it('fails as it is wished to', async () => {
    await expect(make('SR-1: sandbox: refuse')).rejects.toThrow('not accessible')
    const mark = newMark()
    const away = { title: 'SR-2', text: 'sandbox: unavailable', mark }
    await expect(tracker.create(away)).rejects.toThrow(TrackerUnavailable)
    expect(await tracker.find(mark, new Date(0))).toEqual([])
    const { id } = await tracker.create(away)
    const unclear = { text: 'sandbox: unclear', mark: newMark() }
    await expect(tracker.comment(id, unclear)).rejects.toThrow(TrackerUnavailable)
    expect(await tracker.comments(id, new Date(0))).toHaveLength(1)
    expect(at.system.errors).toEqual([])
  })
})
