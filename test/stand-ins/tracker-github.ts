// The protocol of GitHub Issues (REST, 2026-03-10) in front of the stand-in's store, after the published OpenAPI document.
import { createHmac } from 'node:crypto'
import {
  type Face,
  type FaceAnswer,
  type FaceRequest,
  since,
  type Store,
  type StoredComment,
  type StoredIssue,
} from './tracker.ts'

const REPOSITORY = 'titular/support'

type Sent = { title?: string; body?: string; state?: 'open' | 'closed'; state_reason?: string }

const stamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const issueBody = ({ number, title, text, status, at, isPull }: StoredIssue) => ({
  id: 444_500_041 + number,
  number,
  html_url: `https://github.example/${REPOSITORY}/issues/${number}`,
  title,
  body: text,
  state: status === 'open' ? 'open' : 'closed',
  state_reason: status === 'open' ? null : status,
  user: { login: 'titular-bot' },
  labels: [],
  created_at: stamp(at),
  updated_at: stamp(at),
  ...(isPull && { pull_request: { url: 'https://github.example/pulls/1' } }),
})

const commentBody = ({ id, author, body, isPrivate, at }: StoredComment) => ({
  id,
  html_url: `https://github.example/${REPOSITORY}/issues#issuecomment-${id}`,
  body,
  user: { login: author },
  // GitHub knows no private comments; whoever is not of the team has another association.
  author_association: isPrivate ? 'NONE' : 'MEMBER',
  created_at: stamp(at),
  updated_at: stamp(at),
})

export const githubFace: Face = {
  environment: {
    ISSUE_TRACKER_TOKEN: 'token-of-github',
    ISSUE_TRACKER_PROJECT: REPOSITORY,
    ISSUE_TRACKER_WEBHOOK_SECRETS: 'It is a Secret to Everybody',
  },
  isAuthorized: (headers) =>
    headers.authorization === 'Bearer token-of-github' &&
    headers['x-github-api-version'] === '2026-03-10' &&
    headers.accept === 'application/vnd.github+json' &&
    headers['user-agent'] !== undefined,
  written: (text) => text,
  answer(store, request) {
    const [, path = ''] = /^\/repos\/titular\/support\/issues(.*)$/.exec(request.path) ?? []
    if (path === '') return request.path.endsWith('/issues') ? ofRepository(store, request) : null
    const [, number, part] = path.split('/')
    const issue = store.issues.find((one) => one.number === Number(number))
    if (!issue) return null
    if (part === 'comments') return comment(store, issue, request)
    if (request.method === 'PATCH') change(store, issue, request.body)
    return { status: 200, body: issueBody(issue) }
  },
  event(issue, { id, type, secret }) {
    const body = JSON.stringify({
      action: 'edited',
      issue: issueBody(issue),
      repository: { id: 1, full_name: REPOSITORY },
      sender: { login: 'dev' },
    })
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const headers = { 'x-github-event': type || 'issues', 'x-github-delivery': id, 'x-hub-signature-256': signature }
    return { headers, body }
  },
}

function ofRepository(store: Store, { method, query, body }: FaceRequest): FaceAnswer {
  if (method === 'POST') {
    const { title, body: text }: Sent = body
    if (!title) return { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'title' }] } }
    return { status: 201, body: issueBody(store.add({ title, text, status: 'open' })) }
  }
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get('per_page') ?? 30)
  const newest = store.isBlind ? [] : store.issues.toReversed()
  return { status: 200, body: newest.slice((page - 1) * size, page * size).map(issueBody) }
}

/** A reason is ignored unless the state changes. */
function change(store: Store, issue: StoredIssue, { state, state_reason }: Sent): void {
  const isOpen = issue.status === 'open'
  if (store.isSilent || state === undefined || isOpen === (state === 'open')) return
  const next = state === 'open' ? 'open' : (state_reason ?? 'completed')
  if (!store.forbidden.has(next)) issue.status = next
}

function comment(store: Store, issue: StoredIssue, { method, query, body }: FaceRequest): FaceAnswer {
  if (method === 'POST') {
    const { body: text }: Sent = body
    return { status: 201, body: commentBody(store.addComment(issue.number, text)) }
  }
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get('per_page') ?? 30)
  const all = since(issue.comments, query.get('since'))
  return { status: 200, body: all.slice((page - 1) * size, page * size).map(commentBody) }
}
