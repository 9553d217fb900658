// The protocol of Redmine (REST), as a real 5.0.4 answered: issues of one project with their journals. It ignores what
// it does not allow, and sends no events.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type IssueStore, numberIn, type StoredIssue } from './issues.ts'
import type { Call, Protocol, TrackerAnswer } from './protocol.ts'

const STATUSES = ['New', 'In Progress', 'Resolved', 'Feedback', 'Closed', 'Rejected']
const ENDED: ReadonlySet<string> = new Set(['Closed', 'Rejected'])

const NewIssue = Type.Object({
  issue: Type.Object({
    project_id: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  }),
})
const IssueChange = Type.Object({
  issue: Type.Object({
    status_id: Type.Optional(Type.Integer()),
    notes: Type.Optional(Type.String()),
    private_notes: Type.Optional(Type.Boolean()),
  }),
})

const NOT_FOUND: TrackerAnswer = { status: 404 }
const BAD: TrackerAnswer = { status: 400 }
const invalid = (...errors: string[]): TrackerAnswer => ({ status: 422, body: { errors } })

export const redmine: Protocol = {
  credential: { header: 'x-redmine-api-key', of: (_name, token) => token },
  unauthorized: { status: 401 },
  refused: invalid('Subject is invalid'),
  answer(store, place, call) {
    if (call.path === '/issues.json' && call.method === 'POST') return create(store, place.project, call)
    if (call.path === '/issues.json' && call.method === 'GET') return search(store, place.project, call)
    const [, number = ''] = /^\/issues\/(\d{1,15})\.json$/.exec(call.path) ?? []
    const issue = redmine.find(store, place, number)
    if (!issue) return NOT_FOUND
    if (call.method === 'PUT') return change(store, issue, call)
    if (call.method === 'GET')
      return { status: 200, body: { issue: { ...issueBody(issue), ...included(store, issue, call) } } }
    if (call.method !== 'DELETE') return NOT_FOUND
    store.change(issue, { isDeleted: true })
    return { status: 204, change: { type: 'deleted', issue } }
  },
  find: (store, _place, reference) => store.byNumber(Number(reference)),
  referenceOnPage: (_place, path) => /^\/issues\/(\d{1,15})$/.exec(path)?.[1] ?? null,
  keyOf: (_place, { number }) => `#${number}`,
  retryGapsMs: [],
  event: null,
}

function create(store: IssueStore, project: string, { body }: Call): TrackerAnswer {
  if (!Value.Check(NewIssue, body)) return BAD
  const { project_id, subject = '', description = '' } = body.issue
  if (project_id !== project) return invalid('Project cannot be blank')
  if (subject === '') return invalid('Subject cannot be blank')
  if (Array.from(subject).length > 255) return invalid('Subject is too long (maximum is 255 characters)')
  const issue = store.add({ title: subject, text: description, status: STATUSES[0] ?? '' })
  return { status: 201, body: { issue: issueBody(issue) }, change: { type: 'created', issue } }
}

/** `description=~text`: those whose description has the text. */
function search(store: IssueStore, project: string, { query }: Call): TrackerAnswer {
  const text = (query.get('description') ?? '').replace(/^~/, '').toLowerCase()
  const isListed = (issue: StoredIssue) =>
    (query.get('status_id') === '*' || !ENDED.has(issue.status)) && String(issue.text).toLowerCase().includes(text)
  const inProject = [null, project].includes(query.get('project_id'))
  const found = inProject ? store.listed().filter(isListed) : []
  const [offset, limit] = [numberIn(query, 'offset', 0), Math.min(100, numberIn(query, 'limit', 25))]
  const ordered = query.get('sort') === 'id' ? found : found.toReversed()
  const issues = ordered.slice(offset, offset + limit).map(issueBody)
  return { status: 200, body: { issues, total_count: found.length, offset, limit } }
}

/** What is unknown or not allowed is ignored, with the same 204. */
function change(store: IssueStore, issue: StoredIssue, { body, by }: Call): TrackerAnswer {
  if (!Value.Check(IssueChange, body)) return BAD
  const { status_id, notes = '', private_notes: isPrivate = false } = body.issue
  const status = STATUSES[(status_id ?? 0) - 1]
  if (status !== undefined && store.allows(issue, status)) store.move(issue, status)
  if (notes !== '') store.addComment(issue.number, notes, { author: by.name, isOfTeam: by.isOfTeam, isPrivate })
  return { status: 204, change: { type: 'updated', issue } }
}

const stamp = (at: string): string => `${at.slice(0, 19)}Z`

const statusBody = (name: string) => ({ id: STATUSES.indexOf(name) + 1, name, is_closed: ENDED.has(name) })

const issueBody = ({ number, title, text, status, at, updatedAt }: StoredIssue) => ({
  id: number,
  project: { id: 1, name: 'Support' },
  tracker: { id: 3, name: 'Support' },
  status: statusBody(status),
  priority: { id: 2, name: 'Normal' },
  author: { id: 5, name: 'titular' },
  subject: title,
  description: text,
  created_on: stamp(at),
  updated_on: stamp(updatedAt),
})

function included(store: IssueStore, issue: StoredIssue, { query }: Call) {
  const asked = (query.get('include') ?? '').split(',')
  const allowed = STATUSES.filter((status) => status === issue.status || store.allows(issue, status))
  const journals = issue.comments.map(({ id, author, body, isPrivate, at }) => ({
    id,
    user: { id: 6, name: author },
    notes: body,
    created_on: stamp(at),
    private_notes: isPrivate,
    details: [],
  }))
  return {
    ...(asked.includes('journals') && { journals }),
    ...(asked.includes('allowed_statuses') && { allowed_statuses: allowed.map(statusBody) }),
  }
}
