// The protocol of Jira Cloud (REST v3), after the published OpenAPI document: issues of one project, their transitions
// and comments, what people do with them, and the events about them. Texts are documents.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type IssueComment, type IssueStore, numberIn, type StoredIssue } from './issues.ts'
import { type Account, type Call, type Place, type Protocol, signedSha256, type TrackerAnswer } from './protocol.ts'

const STATUSES = ['To Do', 'In Progress', 'Done']
const FIRST_ID = 10_000
const MINUTE_MS = 60_000

const NewIssue = Type.Object({
  fields: Type.Object({
    project: Type.Object({ key: Type.String() }),
    issuetype: Type.Object({ name: Type.String({ minLength: 1 }) }),
    summary: Type.String({ pattern: '^[^\\n\\r]{1,255}$' }),
    description: Type.Optional(Type.Unknown()),
    labels: Type.Optional(Type.Array(Type.String({ pattern: '^\\S{1,255}$' }))),
  }),
})
const NewComment = Type.Object({ body: Type.Unknown(), visibility: Type.Optional(Type.Unknown()) })
const Chosen = Type.Object({ transition: Type.Object({ id: Type.String() }) })
const BulkMove = Type.Object({
  targetToSourcesMapping: Type.Record(
    Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,9},\\d+$' }),
    Type.Object({ issueIdsOrKeys: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }) }),
  ),
})
const Node = Type.Object({
  type: Type.String({ minLength: 1 }),
  text: Type.Optional(Type.String({ minLength: 1 })),
  content: Type.Optional(Type.Array(Type.Unknown())),
})
const Document = Type.Object({
  type: Type.Literal('doc'),
  version: Type.Literal(1),
  content: Type.Array(Type.Unknown()),
})
const MOST_CHARACTERS = 32_767

const refusal = (status: number, message: string): TrackerAnswer => ({
  status,
  body: { errorMessages: [message], errors: {} },
})
const NO_RESOURCE = refusal(404, 'null for uri')
const NOT_FOUND = refusal(404, 'Issue does not exist or you do not have permission to see it.')
const INVALID = refusal(400, 'Invalid request payload. Refer to the REST API documentation and try again.')

export const jira: Protocol = {
  credential: {
    header: 'authorization',
    of: (name, token) => `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
  },
  unauthorized: refusal(401, 'Client must be authenticated to access this resource.'),
  refused: refusal(403, 'You do not have permission to do this in this project.'),
  answer(store, place, call) {
    const [, resource = '', reference = '', part = ''] =
      /^\/rest\/api\/3\/(issue|search|bulk)(?:\/([^/]+)(?:\/(.+))?)?$/.exec(call.path) ?? []
    if (resource === 'search') return reference === 'jql' ? search(store, place, call) : NO_RESOURCE
    if (resource === 'bulk') return call.path.endsWith('/issues/move') ? bulkMove(store, place, call) : NO_RESOURCE
    if (resource === '') return NO_RESOURCE
    if (reference === '') return call.method === 'POST' ? create(store, place, call) : NO_RESOURCE
    const issue = jira.find(store, place, reference)
    if (!issue) return NOT_FOUND
    if (part === 'transitions') return ofTransitions(store, issue, call)
    if (part === 'comment') return ofComments(store, { issue, place, call })
    return part === '' ? ofIssue(store, { issue, place, call }) : NO_RESOURCE
  },
  /** By its id or key. A moved issue is found by the keys that it had. */
  find(store, place, reference) {
    const [, number] = new RegExp(`^${place.project}-(\\d{1,15})$`, 'i').exec(reference) ?? []
    const isMeant = (one: StoredIssue) => one.movedTo !== null && one.movedTo === reference.toUpperCase()
    return store.byNumber(Number(number ?? Number(reference) - FIRST_ID)) ?? store.listed().find(isMeant)
  },
  referenceOnPage: (_place, path) => /^\/browse\/([A-Za-z]\w{1,99}-\d{1,15})$/.exec(path)?.[1] ?? null,
  keyOf: ({ project }, { number, movedTo }) => movedTo ?? `${project}-${number}`,
  /** Up to five times, each after five to fifteen minutes. */
  retryGapsMs: Array.from({ length: 5 }, () => 5 * MINUTE_MS),
  event(place, { type, issue, comment }, { secret, id, attempt }) {
    const body = JSON.stringify({
      timestamp: new Date(issue.updatedAt).getTime(),
      webhookEvent: type,
      issue: issueBody(place, issue),
      ...(comment && { comment: commentBody(place, issue, comment) }),
    })
    const headers = {
      'content-type': 'application/json',
      'x-atlassian-webhook-identifier': id,
      'x-hub-signature': signedSha256(secret, body),
      ...(attempt > 0 && { 'x-atlassian-webhook-retry': String(attempt) }),
    }
    return { headers, body }
  },
}

function create(store: IssueStore, place: Place, { body }: Call): TrackerAnswer {
  if (!Value.Check(NewIssue, body)) return INVALID
  const { project, summary, description, labels = [] } = body.fields
  if (project.key !== place.project) return fieldProblem('project', 'valid project is required')
  if (description !== undefined && !isDocument(description))
    return fieldProblem(
      'description',
      'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
    )
  const issue = store.add({ title: summary, text: description ?? null, labels, status: STATUSES[0] ?? '' })
  const { id, key, self } = issueBody(place, issue)
  return { status: 201, body: { id, key, self }, change: { type: 'jira:issue_created', issue } }
}

const fieldProblem = (field: string, message: string): TrackerAnswer => ({
  status: 400,
  body: { errorMessages: [], errors: { [field]: message } },
})

function search(store: IssueStore, place: Place, { method, query }: Call): TrackerAnswer {
  const [, label] = /^labels = "([\w-]+)" order by created asc$/.exec(query.get('jql') ?? '') ?? []
  if (method !== 'GET' || label === undefined)
    return refusal(400, 'The sandbox knows one search: labels = "…" order by created asc')
  const found = store.listed().filter(({ labels }) => labels.includes(label))
  const page = found.slice(0, numberIn(query, 'maxResults', 50))
  return {
    status: 200,
    body: { issues: page.map((one) => issueBody(place, one)), isLast: page.length === found.length },
  }
}

type OfIssue = { issue: StoredIssue; place: Place; call: Call }

function ofIssue(store: IssueStore, { issue, place, call: { method } }: OfIssue): TrackerAnswer {
  if (method === 'GET') return { status: 200, body: issueBody(place, issue) }
  if (method !== 'DELETE') return NO_RESOURCE
  store.change(issue, { isDeleted: true })
  return { status: 204, change: { type: 'jira:issue_deleted', issue } }
}

/** Ids of transitions differ by the status that they start from. */
const transitionsOf = (store: IssueStore, issue: StoredIssue) =>
  STATUSES.filter((to) => to !== issue.status && store.allows(issue, to)).map((to) => ({
    id: String(11 + STATUSES.indexOf(issue.status) * 10 + STATUSES.indexOf(to)),
    name: to,
    to: statusBody(to),
    hasScreen: false,
    isAvailable: true,
  }))

function ofTransitions(store: IssueStore, issue: StoredIssue, { method, body }: Call): TrackerAnswer {
  const transitions = transitionsOf(store, issue)
  if (method === 'GET') return { status: 200, body: { expand: 'transitions', transitions } }
  const chosen = Value.Check(Chosen, body) ? transitions.find(({ id }) => id === body.transition.id) : undefined
  if (method !== 'POST' || !chosen) return INVALID
  store.move(issue, chosen.to.name)
  return { status: 204, change: { type: 'jira:issue_updated', issue } }
}

function ofComments(store: IssueStore, { issue, place, call: { method, query, body, by } }: OfIssue): TrackerAnswer {
  if (method === 'GET') {
    const [startAt, maxResults] = [numberIn(query, 'startAt', 0), numberIn(query, 'maxResults', 100)]
    const all = (query.get('orderBy') ?? '').startsWith('-') ? issue.comments.toReversed() : issue.comments
    const comments = all.slice(startAt, startAt + maxResults).map((one) => commentBody(place, issue, one))
    return { status: 200, body: { startAt, maxResults, total: all.length, comments } }
  }
  if (method !== 'POST' || !Value.Check(NewComment, body)) return INVALID
  if (!isDocument(body.body)) return fieldProblem('comment', 'Comment body is not valid!')
  const isPrivate = (body.visibility ?? null) !== null
  const comment = store.addComment(issue.number, body.body, { author: by.name, isOfTeam: by.isOfTeam, isPrivate })
  return { status: 201, body: commentBody(place, issue, comment), change: { type: 'comment_created', issue, comment } }
}

/** Into another project, whose key comes first in the name of the target. One issue at a time. */
function bulkMove(store: IssueStore, place: Place, { method, body }: Call): TrackerAnswer {
  const [target, ...others] =
    method === 'POST' && Value.Check(BulkMove, body) ? Object.entries(body.targetToSourcesMapping) : []
  const [reference = '', ...more] = target?.[1].issueIdsOrKeys ?? []
  const issue = jira.find(store, place, reference)
  if (!target || others.length + more.length > 0 || !issue) return INVALID
  const [project = ''] = target[0].split(',')
  store.change(issue, { movedTo: project === place.project ? null : `${project}-${issue.number}` })
  return { status: 201, body: { taskId: String(issue.number) }, change: { type: 'jira:issue_updated', issue } }
}

/** Another version and an empty text are refused. */
function isDocument(value: unknown): boolean {
  if (!Value.Check(Document, value)) return false
  const text = value.content.map(charactersIn).reduce((sum, one) => sum + one, 0)
  return text <= MOST_CHARACTERS
}

/** Not a number for what is no node. */
function charactersIn(node: unknown): number {
  if (!Value.Check(Node, node) || (node.type === 'text') !== (node.text !== undefined)) return Number.NaN
  return (node.content ?? []).map(charactersIn).reduce((sum, one) => sum + one, node.text?.length ?? 0)
}

const stamp = (at: string): string => at.replace('Z', '+0000')

const statusBody = (name: string) => ({ id: String(FIRST_ID + STATUSES.indexOf(name)), name })

const issueBody = (place: Place, issue: StoredIssue) => ({
  id: String(FIRST_ID + issue.number),
  key: jira.keyOf(place, issue),
  self: `${place.url}/rest/api/3/issue/${FIRST_ID + issue.number}`,
  fields: {
    summary: issue.title,
    description: issue.text,
    labels: issue.labels,
    status: statusBody(issue.status),
    created: stamp(issue.at),
    updated: stamp(issue.updatedAt),
  },
})

/** Whoever does not belong to the team is a customer of the service desk. */
const authorOf = ({ name, isOfTeam }: Account) => ({
  accountId: name,
  displayName: name,
  accountType: isOfTeam ? 'atlassian' : 'customer',
  active: true,
})

const commentBody = (
  place: Place,
  issue: StoredIssue,
  { id, author, body, isOfTeam, isPrivate, at }: IssueComment,
) => ({
  self: `${place.url}/rest/api/3/issue/${FIRST_ID + issue.number}/comment/${id}`,
  id: String(id),
  author: authorOf({ name: author, isOfTeam }),
  body,
  created: stamp(at),
  updated: stamp(at),
  jsdPublic: true,
  ...(isPrivate && { visibility: { type: 'role', value: 'Developers', identifier: 'Developers' } }),
})
