// The protocol of GitHub Issues (REST, 2026-03-10), after the published OpenAPI document: issues of one repository and
// their comments, read and written, and the events about them.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type IssueComment, type IssueStore, numberIn, since, type StoredIssue } from './issues.ts'
import { type Call, type Place, type Protocol, signedSha256, type TrackerAnswer } from './protocol.ts'

const API_VERSION = '2026-03-10'

const NewIssue = Type.Object({
  title: Type.String({ minLength: 1 }),
  body: Type.Optional(Type.String()),
  labels: Type.Optional(Type.Array(Type.String())),
})
const STATES = ['open', 'closed'] as const
const REASONS = ['completed', 'not_planned', 'duplicate', 'reopened'] as const
const IssueChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1 })),
  body: Type.Optional(Type.String()),
  state: Type.Optional(Type.Enum(STATES)),
  state_reason: Type.Optional(Type.Union([Type.Enum(REASONS), Type.Null()])),
})
const NewComment = Type.Object({ body: Type.String({ minLength: 1 }) })

const refusal = (status: number, message: string): TrackerAnswer => ({
  status,
  body: { message, status: String(status) },
})
const NOT_FOUND = refusal(404, 'Not Found')
const INVALID = refusal(422, 'Validation Failed')

/** Events are not repeated. */
export const github: Protocol = {
  credential: { header: 'authorization', of: (_name, token) => `Bearer ${token}` },
  unauthorized: refusal(401, 'Bad credentials'),
  refused: refusal(403, 'Resource not accessible by personal access token'),
  answer(store, place, call) {
    const problem = problemIn(call)
    if (problem !== null) return refusal(400, problem)
    const start = `/repos/${place.project}/issues`
    const found = call.path.startsWith(start)
      ? /^(?:\/(\d{1,15})(\/comments)?)?$/.exec(call.path.slice(start.length))
      : null
    if (!found) return NOT_FOUND
    const [, number, comments] = found
    if (number === undefined) return ofRepository(store, place, call)
    const issue = store.byNumber(Number(number))
    if (!issue) return NOT_FOUND
    if (comments !== undefined) return ofComments(store, { issue, place, call })
    if (call.method === 'PATCH') return changeIssue(store, { issue, place, call })
    return call.method === 'GET' ? { status: 200, body: issueBody(place, issue) } : NOT_FOUND
  },
  find: (store, _place, reference) => store.byNumber(Number(reference)),
  referenceOnPage({ project }, path) {
    const start = `/${project}/issues/`
    return path.startsWith(start) ? (/^\d{1,15}$/.exec(path.slice(start.length))?.[0] ?? null) : null
  },
  keyOf: (_place, { number }) => `#${number}`,
  retryGapsMs: [],
  event(place, { type, action, issue, comment }, { secret, id }) {
    const body = JSON.stringify({
      action,
      issue: issueBody(place, issue),
      ...(comment && { comment: commentBody(place, issue, comment) }),
      repository: { id: 1, full_name: place.project },
    })
    const signed = {
      'x-github-event': type,
      'x-github-delivery': id,
      'x-hub-signature-256': signedSha256(secret, body),
    }
    return { headers: { 'content-type': 'application/json', ...signed }, body }
  },
}

function problemIn({ method, headers, body }: Call): string | null {
  if (headers['user-agent'] === undefined) return 'Request forbidden by administrative rules.'
  const version = headers['x-github-api-version'] ?? API_VERSION
  if (version !== API_VERSION) return `"${String(version)}" is not a supported version`
  return method !== 'GET' && body === undefined ? 'Problems parsing JSON' : null
}

function ofRepository(store: IssueStore, place: Place, { method, query, body }: Call): TrackerAnswer {
  if (method === 'POST') {
    if (!Value.Check(NewIssue, body)) return INVALID
    const issue = store.add({ title: body.title, text: body.body ?? '', status: 'open', labels: body.labels ?? [] })
    return { status: 201, body: issueBody(place, issue), change: { type: 'issues', action: 'opened', issue } }
  }
  if (method !== 'GET') return NOT_FOUND
  const state = query.get('state') ?? 'open'
  const found = since(store.listed(), query.get('since')).filter((one) => state === 'all' || stateOf(one) === state)
  const ordered = query.get('direction') === 'asc' ? found : found.toReversed()
  return { status: 200, body: pageOf(ordered, query).map((one) => issueBody(place, one)) }
}

type OfIssue = { issue: StoredIssue; place: Place; call: Call }

/** A reason is ignored unless the state changes. */
function changeIssue(store: IssueStore, { issue, place, call: { body } }: OfIssue): TrackerAnswer {
  if (!Value.Check(IssueChange, body)) return INVALID
  const { title, body: text, state = stateOf(issue), state_reason: reason } = body
  store.change(issue, { title: title ?? issue.title, text: text ?? issue.text })
  const isMoved = state !== stateOf(issue)
  const closed = reason === 'reopened' ? 'completed' : (reason ?? 'completed')
  if (isMoved) store.move(issue, state === 'open' ? 'open' : closed)
  const action = !isMoved ? 'edited' : state === 'open' ? 'reopened' : 'closed'
  return { status: 200, body: issueBody(place, issue), change: { type: 'issues', action, issue } }
}

function ofComments(store: IssueStore, { issue, place, call: { method, query, body, by } }: OfIssue): TrackerAnswer {
  if (method === 'GET') {
    const found = since(issue.comments, query.get('since'))
    return { status: 200, body: pageOf(found, query).map((one) => commentBody(place, issue, one)) }
  }
  if (method !== 'POST') return NOT_FOUND
  if (!Value.Check(NewComment, body)) return INVALID
  const comment = store.addComment(issue.number, body.body, { author: by.name, isOfTeam: by.isOfTeam })
  const change = { type: 'issue_comment', action: 'created', issue, comment }
  return { status: 201, body: commentBody(place, issue, comment), change }
}

function pageOf<One>(all: readonly One[], query: URLSearchParams): One[] {
  const page = numberIn(query, 'page', 1)
  const size = Math.min(100, numberIn(query, 'per_page', 30))
  return all.slice((page - 1) * size, page * size)
}

const stateOf = ({ status }: StoredIssue): (typeof STATES)[number] => (status === 'open' ? 'open' : 'closed')

const stamp = (at: string): string => `${at.slice(0, 19)}Z`

const issueBody = ({ url, project }: Place, issue: StoredIssue) => ({
  id: 444_500_041 + issue.number,
  number: issue.number,
  html_url: `${url}/${project}/issues/${issue.number}`,
  title: issue.title,
  body: issue.text,
  state: stateOf(issue),
  state_reason: issue.status === 'open' ? null : issue.status,
  comments: issue.comments.length,
  labels: issue.labels.map((label) => ({ name: label })),
  created_at: stamp(issue.at),
  updated_at: stamp(issue.updatedAt),
})

const commentBody = ({ url, project }: Place, { number }: StoredIssue, comment: IssueComment) => ({
  id: comment.id,
  html_url: `${url}/${project}/issues/${number}#issuecomment-${comment.id}`,
  body: comment.body,
  user: { login: comment.author },
  author_association: comment.isOfTeam ? 'MEMBER' : 'NONE',
  created_at: stamp(comment.at),
  updated_at: stamp(comment.at),
})
