// GitHub's adapter over real HTTP: the port's contract, and events with the published vector.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueTrackerContract, newMark } from '#ports/issue-tracker.contract.ts'
import { IssueMissing, type IssueTracker } from '#ports/issue-tracker.ts'
import { isSignedSha256 } from '#ports/tracker-answers.ts'
import { trackerTroubles } from '#test/scenes/tracker-troubles.ts'
import { startTracker, type Tracker } from '#test/stand-ins/tracker.ts'
import { readGithubEvent } from './events.ts'
import { githubIssues } from './github-issues.ts'

const OPTIONS = {
  token: 'token-of-github',
  repository: 'titular/support',
  webhookSecrets: ['old', 'new'],
  timeoutMs: 2000,
}
const open = ({ url }: Tracker) => githubIssues({ ...OPTIONS, url })

issueTrackerContract('GitHub', async () => {
  const standIn = await startTracker('github')
  const tracker = open(standIn)
  return {
    tracker,
    first: 'open',
    second: 'completed',
    comment: (id, text) => void standIn.comment(Number(id), text),
    close: async () => {
      await tracker.close()
      await standIn.close()
    },
  }
})
trackerTroubles('github', 'completed', open)

describe('GitHub', () => {
  let standIn: Tracker
  let tracker: IssueTracker & { close(): Promise<void> }
  beforeAll(async () => {
    standIn = await startTracker('github')
    tracker = open(standIn)
  })
  afterAll(async () => {
    await tracker.close()
    await standIn.close()
  })

  it('closes for another reason by way of open', async () => {
    const { id } = await tracker.create({ title: 'SR-20260001', text: '', mark: newMark() })
    for (const status of ['completed', 'not_planned', 'duplicate', 'open'])
      expect((await tracker.changeStatus(id, status)).status).toBe(status)
  })
  it('quotes a text in a fence that it cannot close', async () => {
    const { id } = await tracker.create({ title: 'SR-20260001', text: '', mark: newMark() })
    await tracker.comment(id, { text: 'a\n````\n@team /close', mark: newMark() })
    const [comment] = await tracker.comments(id, new Date(0))
    expect(comment?.body).toMatch(/^`````text\na\n````\n@team \/close\n`````\n\ntitular-/)
  })
  it('reads all pages of comments and of issues', async () => {
    const mark = newMark()
    const { id } = await tracker.create({ title: 'SR-20260001', text: '', mark })
    for (let count = 0; count < 230; count++) standIn.comment(Number(id), `note ${count}`)
    expect(await tracker.comments(id, new Date(0))).toHaveLength(230)
    for (let count = 0; count < 130; count++) standIn.store.add({ title: 'other', text: '', status: 'open' })
    expect(await tracker.find(mark, new Date(0))).toMatchObject([{ id }])
  })
  it('takes keys of its own repository only, and no pull requests', async () => {
    expect(tracker.referenceOf('titular/support#12')).toBe('12')
    expect(tracker.referenceOf('12')).toBe('12')
    expect(tracker.referenceOf('other/repository#12')).toBeNull()
    const { number } = standIn.store.add({ title: 'pull', text: '', status: 'open' })
    standIn.store.pulls.add(number)
    await expect(tracker.read(String(number))).rejects.toThrow(IssueMissing)
  })
})

const sign = (body: string, secret = 'new') => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const read = (body: string, headers: Record<string, string>) => readGithubEvent(OPTIONS, headers, Buffer.from(body))

describe('an event of GitHub', () => {
  const body = JSON.stringify({ action: 'closed', issue: { number: 7 }, repository: { full_name: 'Titular/Support' } })
  const about = { 'x-github-event': 'issues', 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }

  it('has the published signature', () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    expect(isSignedSha256(["It's a Secret to Everybody"], signature, Buffer.from('Hello, World!'))).toBe(true)
  })
  it('is about an issue of the repository, under the delivery id that repeats have too', () => {
    expect(read(body, { ...about, 'x-hub-signature-256': sign(body, 'old') })).toEqual({
      kind: 'changed',
      dedupeKey: about['x-github-delivery'],
      providerType: 'issues',
      issueId: '7',
    })
  })
  it('may come in a form, which is what is signed', () => {
    const form = new URLSearchParams({ payload: body }).toString()
    const headers = { ...about, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    expect(read(form, { ...headers, 'x-hub-signature-256': sign(form) })).toMatchObject({
      kind: 'changed',
      issueId: '7',
    })
    expect(read(form, { ...headers, 'x-hub-signature-256': sign(body) }).kind).toBe('unsigned')
    for (const other of ['payload=', 'body=x', '', 'payload=%FF&payload=%7B%7D'])
      expect(read(other, { ...headers, 'x-hub-signature-256': sign(other) }).kind, other).toBe('unreadable')
  })
  it('is unsigned by another secret, with Jira’s header, or serialized anew', () => {
    const again = JSON.stringify(JSON.parse(body), null, 1)
    expect(read(body, { ...about, 'x-hub-signature-256': sign(body, 'another') }).kind).toBe('unsigned')
    expect(read(again, { ...about, 'x-hub-signature-256': sign(body) }).kind).toBe('unsigned')
    expect(read(body, { ...about, 'x-hub-signature': sign(body) }).kind).toBe('unsigned')
  })
  it('is ignored when it is a ping, of another type or of another repository, and unreadable when it is none', () => {
    const elsewhere = body.replace('Titular/Support', 'other/support')
    const kinds = [
      [body, 'ping', 'ignored'],
      [body, 'push', 'ignored'],
      [elsewhere, 'issues', 'ignored'],
      ['{"issue":{"number":"7"}}', 'issues', 'unreadable'],
      ['not json', 'issue_comment', 'unreadable'],
    ] as const
    for (const [text, type, kind] of kinds)
      expect(read(text, { 'x-github-event': type, 'x-hub-signature-256': sign(text) }).kind, `${type} ${text}`).toBe(
        kind,
      )
  })
})
