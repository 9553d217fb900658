// The protocol of Jira Cloud (REST v3) in front of the stand-in's store, after the published OpenAPI document.
import { createHmac } from 'node:crypto'
import type { Face, FaceAnswer, FaceRequest, Store, StoredComment, StoredIssue } from './tracker.ts'

const PROJECT = 'SUP'
const STATUSES = ['To Do', 'In Progress', 'Done']
const ID = 10_000

type Sent = {
  fields?: {
    project: { key: string }
    issuetype: { name: string }
    summary: string
    description: unknown
    labels: string[]
  }
  body?: { type: string; version: number; content: unknown[] }
  transition?: { id: string }
}

const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const bad = (message: string): FaceAnswer => ({ status: 400, body: { errorMessages: [message], errors: {} } })
const stamp = (at: string): string => at.replace('Z', '+0000')

const issueBody = ({ number, status }: StoredIssue) => ({
  expand: 'renderedFields,names,schema',
  id: String(ID + number),
  self: `https://jira.example/rest/api/3/issue/${ID + number}`,
  key: `${PROJECT}-${number}`,
  fields: { status: { self: 'https://jira.example/status/1', name: status, id: '1', statusCategory: { id: 2 } } },
})

const commentBody = ({ id, author, body, mayBePublic, at }: StoredComment) => ({
  self: `https://jira.example/comment/${id}`,
  id: String(id),
  author: { accountId: 'a', displayName: author, active: true },
  body,
  created: stamp(at),
  updated: stamp(at),
  jsdPublic: true,
  ...(!mayBePublic && { visibility: { type: 'role', value: 'Developers', identifier: 'Developers' } }),
})

/** Ids of transitions differ by the status that they start from. */
const transitionsOf = (store: Store, { status }: StoredIssue) =>
  STATUSES.filter((to) => to !== status && !store.forbidden.has(to)).map((to) => ({
    id: String(11 + STATUSES.indexOf(status) * 10 + STATUSES.indexOf(to)),
    name: `Go to ${to}`,
    to: { name: to, id: '9' },
    hasScreen: false,
  }))

export const jiraFace: Face = {
  environment: {
    ISSUE_TRACKER_USER: 'bot@example.com',
    ISSUE_TRACKER_TOKEN: 'token-of-jira',
    ISSUE_TRACKER_PROJECT: PROJECT,
    ISSUE_TRACKER_WEBHOOK_SECRETS: 'It is a Secret to Everybody',
  },
  isAuthorized: ({ authorization }) =>
    authorization === `Basic ${Buffer.from('bot@example.com:token-of-jira').toString('base64')}`,
  written: document,
  answer(store, request) {
    const [, api, , version, resource, reference = '', part] = request.path.split('/')
    if (api !== 'rest' || version !== '3') return null
    if (resource === 'search' && reference === 'jql') return search(store, request.query)
    if (resource !== 'issue') return null
    if (reference === '') return create(store, request.body)
    const issue = store.issues.find(
      ({ number }) => reference === String(ID + number) || reference === `${PROJECT}-${number}`,
    )
    if (!issue)
      return {
        status: 404,
        body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
      }
    if (part === 'transitions') return transition(store, issue, request)
    if (part === 'comment') return comment(store, issue, request)
    return { status: 200, body: issueBody(issue) }
  },
  event(issue, { id, type, secret }) {
    const body = JSON.stringify({
      timestamp: new Date(issue.at).getTime(),
      webhookEvent: type || 'jira:issue_updated',
      issue: issueBody(issue),
      changelog: { id: '1', items: [{ field: 'status', fromString: 'To Do', toString: issue.status }] },
    })
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    return { headers: { 'x-hub-signature': signature, 'x-atlassian-webhook-identifier': id }, body }
  },
}

function search(store: Store, query: URLSearchParams): FaceAnswer {
  const [, label = ''] = /^labels = "([\w-]+)" order by created asc$/.exec(query.get('jql') ?? '') ?? []
  const found = store.listed().filter(({ labels }) => labels.includes(label))
  return { status: 200, body: { issues: found.map(issueBody), isLast: true } }
}

function create(store: Store, { fields }: Sent): FaceAnswer {
  if (fields?.project.key !== PROJECT) return bad('valid project is required')
  if (!fields.issuetype.name || !fields.summary || fields.summary.length > 255) return bad('summary or type')
  if (!isDocument(fields.description) || fields.labels.some((label) => /\s/.test(label))) return bad('not a document')
  const { number } = store.add({
    title: fields.summary,
    text: fields.description,
    labels: fields.labels,
    status: 'To Do',
  })
  return { status: 201, body: { id: String(ID + number), key: `${PROJECT}-${number}`, self: 'https://jira.example/' } }
}

/** Refused as Jira refuses it: another version, or an empty text node. */
const isDocument = (body: unknown): boolean => {
  const text = JSON.stringify(body)
  return text.startsWith('{"type":"doc","version":1,') && !text.includes('"text":""')
}

function transition(store: Store, issue: StoredIssue, { method, body }: FaceRequest): FaceAnswer {
  const possible = transitionsOf(store, issue)
  if (method === 'GET') return { status: 200, body: { expand: 'transitions', transitions: possible } }
  const sent: Sent = body
  const chosen = possible.find(({ id }) => id === sent.transition?.id)
  if (!chosen) return bad('It seems that you have tried to perform a workflow operation that is not valid')
  store.move(issue, chosen.to.name)
  return { status: 204 }
}

function comment(store: Store, issue: StoredIssue, { method, body, query }: FaceRequest): FaceAnswer {
  if (method === 'POST') {
    const sent: Sent = body
    if (!isDocument(sent.body)) return bad('Comment body is not valid!')
    return { status: 201, body: commentBody(store.addComment(issue.number, sent.body)) }
  }
  const newest = issue.comments.toReversed()
  const [startAt, maxResults] = [Number(query.get('startAt')), Number(query.get('maxResults'))]
  const comments = newest.slice(startAt, startAt + maxResults).map(commentBody)
  return { status: 200, body: { startAt, maxResults, total: newest.length, comments } }
}
