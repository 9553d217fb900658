// The protocol of GitHub Issues (REST, 2026-03-10), after the published OpenAPI document: issues of one repository and
// their comments, read and written, and the events about them.
import { createHmac, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type IssueComment, type IssueStore, since, type StoredIssue } from './issues.ts'

export const API_VERSION = '2026-03-10'

/** `isOfTeam`: a member of the organization that owns the repository. */
export type Account = { login: string; isOfTeam: boolean }
export type Call = { method: string; path: string; query: URLSearchParams; body: unknown; by: Account }
export type Change = { event: 'issues' | 'issue_comment'; action: string; issue: StoredIssue; comment?: IssueComment }
/** `change`: what has to be stored and announced. */
export type GithubAnswer = { status: number; body?: unknown; change?: Change }

export type Repository = { name: string; url: string }

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

const NOT_FOUND: GithubAnswer = { status: 404, body: { message: 'Not Found', status: '404' } }
const INVALID: GithubAnswer = { status: 422, body: { message: 'Validation Failed', status: '422' } }

export function answerGithub(store: IssueStore, repository: Repository, call: Call): GithubAnswer {
  const start = `/repos/${repository.name}/issues`
  const found = call.path.startsWith(start)
    ? /^(?:\/(\d{1,15})(\/comments)?)?$/.exec(call.path.slice(start.length))
    : null
  if (!found) return NOT_FOUND
  const [, number, comments] = found
  if (number === undefined) return ofRepository(store, repository, call)
  const issue = store.issues.find((one) => one.number === Number(number))
  if (!issue) return NOT_FOUND
  if (comments) return ofComments(store, { issue, repository, call })
  if (call.method === 'PATCH') return changeIssue(store, { issue, repository, call })
  return call.method === 'GET' ? { status: 200, body: issueBody(repository, issue) } : NOT_FOUND
}

function ofRepository(store: IssueStore, repository: Repository, { method, query, body }: Call): GithubAnswer {
  if (method === 'POST') {
    if (!Value.Check(NewIssue, body)) return INVALID
    const issue = store.add({ title: body.title, text: body.body ?? '', status: 'open', labels: body.labels ?? [] })
    return { status: 201, body: issueBody(repository, issue), change: { event: 'issues', action: 'opened', issue } }
  }
  if (method !== 'GET') return NOT_FOUND
  const state = query.get('state') ?? 'open'
  const found = since(store.listed(), query.get('since')).filter((one) => state === 'all' || stateOf(one) === state)
  const ordered = query.get('direction') === 'asc' ? found : found.toReversed()
  return { status: 200, body: pageOf(ordered, query).map((one) => issueBody(repository, one)) }
}

type OfIssue = { issue: StoredIssue; repository: Repository; call: Call }

/** A reason is ignored unless the state changes. */
function changeIssue(store: IssueStore, { issue, repository, call: { body } }: OfIssue): GithubAnswer {
  if (!Value.Check(IssueChange, body)) return INVALID
  const { title, body: text, state = stateOf(issue), state_reason: reason } = body
  Object.assign(issue, { title: title ?? issue.title, text: text ?? issue.text })
  const isMoved = state !== stateOf(issue)
  const closed = reason === 'reopened' ? 'completed' : (reason ?? 'completed')
  if (isMoved) store.move(issue, state === 'open' ? 'open' : closed)
  const action = !isMoved ? 'edited' : state === 'open' ? 'reopened' : 'closed'
  return { status: 200, body: issueBody(repository, issue), change: { event: 'issues', action, issue } }
}

function ofComments(
  store: IssueStore,
  { issue, repository, call: { method, query, body, by } }: OfIssue,
): GithubAnswer {
  if (method === 'GET') {
    const found = since(issue.comments, query.get('since'))
    return { status: 200, body: pageOf(found, query).map((one) => commentBody(repository, issue, one)) }
  }
  if (method !== 'POST') return NOT_FOUND
  if (!Value.Check(NewComment, body)) return INVALID
  const comment = store.addComment(issue.number, body.body, { author: by.login, mayBePublic: by.isOfTeam })
  const change = { event: 'issue_comment', action: 'created', issue, comment } as const
  return { status: 201, body: commentBody(repository, issue, comment), change }
}

function pageOf<One>(all: readonly One[], query: URLSearchParams): One[] {
  const page = Number(query.get('page') ?? 1)
  const size = Math.min(100, Number(query.get('per_page') ?? 30))
  return all.slice((page - 1) * size, page * size)
}

/** An event as GitHub sends it: signed over the raw bytes, with an id of its own. */
export function githubEvent(
  repository: Repository,
  { event, action, issue, comment }: Change,
  { secret, id = randomUUID() }: { secret: string; id?: string },
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({
    action,
    issue: issueBody(repository, issue),
    ...(comment && { comment: commentBody(repository, issue, comment) }),
    repository: { id: 1, full_name: repository.name },
  })
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature }
  return { headers: { 'content-type': 'application/json', ...headers }, body }
}

const stateOf = ({ status }: StoredIssue): (typeof STATES)[number] => (status === 'open' ? 'open' : 'closed')

const stamp = (at: string): string => `${at.slice(0, 19)}Z`

const issueBody = ({ url, name }: Repository, issue: StoredIssue) => ({
  id: 444_500_041 + issue.number,
  number: issue.number,
  html_url: `${url}/${name}/issues/${issue.number}`,
  title: issue.title,
  body: issue.text,
  state: stateOf(issue),
  state_reason: issue.status === 'open' ? null : issue.status,
  comments: issue.comments.length,
  labels: issue.labels.map((label) => ({ name: label })),
  created_at: stamp(issue.at),
  updated_at: stamp(issue.updatedAt),
})

const commentBody = ({ url, name }: Repository, { number }: StoredIssue, comment: IssueComment) => ({
  id: comment.id,
  html_url: `${url}/${name}/issues/${number}#issuecomment-${comment.id}`,
  body: comment.body,
  user: { login: comment.author },
  author_association: comment.mayBePublic ? 'MEMBER' : 'NONE',
  created_at: stamp(comment.at),
  updated_at: stamp(comment.at),
})
