// Jira's adapter over real HTTP: the port's contract, documents, and events with the published vector.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { issueTrackerContract } from '#ports/issue-tracker.contract.ts'
import { trackerTroubles } from '#test/scenes/tracker-troubles.ts'
import { startTracker, type Tracker } from '#test/stand-ins/tracker.ts'
import { isSignedSha256 } from '#ports/tracker-answers.ts'
import { documentOf, textOf } from './document-format.ts'
import { readJiraEvent } from './events.ts'
import { jira } from './jira.ts'

const open = ({ url }: Tracker) =>
  jira({
    url,
    user: 'bot@example.com',
    token: 'token-of-jira',
    project: 'SUP',
    issueType: 'Task',
    webhookSecrets: ['old', 'new'],
    timeoutMs: 2000,
  })

issueTrackerContract('Jira', async () => {
  const standIn = await startTracker('jira')
  const tracker = open(standIn)
  return {
    tracker,
    first: 'To Do',
    second: 'Done',
    comment: (id, text) => void standIn.comment(Number(id) - 10_000, text),
    close: async () => {
      await tracker.close()
      await standIn.close()
    },
  }
})
trackerTroubles('jira', 'Done', open)

const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

describe('a document', () => {
  it('has paragraphs and breaks, no empty text, and comes back as it was', () => {
    const text = 'First line\nsecond *not bold*\n\n\n[~accountid:1] third\n\n'
    const document = documentOf(text)
    expect(document).toEqual({
      type: 'doc',
      version: 1,
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'First line' },
            { type: 'hardBreak' },
            { type: 'text', text: 'second *not bold*' },
          ],
        },
        { type: 'paragraph', content: [{ type: 'text', text: '[~accountid:1] third' }] },
      ],
    })
    expect(textOf(document)).toBe('First line\nsecond *not bold*\n\n[~accountid:1] third')
  })
  it('gives the text of lists, mentions, links and code, and of nothing that is not a document', () => {
    const item = (text: string) => ({ type: 'listItem', content: [paragraph({ type: 'text', text })] })
    const content = [
      paragraph({ type: 'mention', attrs: { id: '1', text: '@Ana' } }, { type: 'text', text: ' see' }),
      { type: 'bulletList', content: [item('one'), item('two')] },
      paragraph({ type: 'inlineCard', attrs: { url: 'https://x.example' } }),
      { type: 'codeBlock', content: [{ type: 'text', text: 'df -h' }] },
    ]
    expect(textOf({ type: 'doc', version: 1, content })).toBe(
      '@Ana see\n\n- one\n- two\n\n\nhttps://x.example\n\ndf -h'.replace('\n\n\n', '\n\n'),
    )
    for (const other of [null, 'text', 7, [], { type: 'doc', content: 'x' }, { content: [] }])
      expect(textOf(other)).toBe('')
    const deep = Array.from({ length: 5000 }).reduce<object>(
      (inner) => ({ type: 'panel', content: [inner] }),
      paragraph(),
    )
    expect(textOf(deep)).toBe('')
  })
})

const sign = (body: string, secret = 'new') => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const read = (body: string, headers: Record<string, string>) =>
  readJiraEvent(['old', 'new'], headers, Buffer.from(body))

describe('an event of Jira', () => {
  const body = JSON.stringify({ webhookEvent: 'comment_created', issue: { id: '10001', key: 'SUP-1' }, timestamp: 1 })

  it('has the published signature', () => {
    const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9'
    expect(isSignedSha256(["It's a Secret to Everybody"], signature, Buffer.from('Hello World!'))).toBe(true)
    expect(isSignedSha256(["It's a Secret to Everybody"], signature, Buffer.from('Hello World?'))).toBe(false)
    expect(isSignedSha256([], signature, Buffer.from('Hello World!'))).toBe(false)
  })
  it('is about an issue, under the identifier that repeats have too', () => {
    const headers = { 'x-hub-signature': sign(body, 'old'), 'x-atlassian-webhook-identifier': 'f-1' }
    const event = { kind: 'changed', dedupeKey: 'f-1', providerType: 'comment_created', issueId: '10001' }
    expect(read(body, headers)).toEqual(event)
    expect(read(body, { 'x-hub-signature': sign(body) })).toMatchObject({
      dedupeKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
  it('is unsigned by another secret, over other bytes, or serialized anew', () => {
    const again = JSON.stringify(JSON.parse(body), null, 1)
    expect(read(body, { 'x-hub-signature': sign(body, 'another') }).kind).toBe('unsigned')
    expect(read(again, { 'x-hub-signature': sign(body) }).kind).toBe('unsigned')
    expect(read(body, { 'x-hub-signature-256': sign(body) }).kind).toBe('unsigned')
  })
  it('is ignored when its type is not used, and unreadable when it is none', () => {
    const kinds = [
      ['{"webhookEvent":"jira:version_released"}', 'ignored'],
      ['{"webhookEvent":"jira:issue_updated","issue":{"id":1}}', 'unreadable'],
      ['{"webhookEvent":7}', 'unreadable'],
      ['[]', 'unreadable'],
      ['not json', 'unreadable'],
    ] as const
    for (const [text, kind] of kinds) expect(read(text, { 'x-hub-signature': sign(text) }).kind, text).toBe(kind)
  })
})
