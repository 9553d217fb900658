// The protocol of Redmine 5.0 in front of the stand-in's store, as a real 5.0.4 answered.
import type { Face, FaceAnswer, FaceRequest, Store, StoredIssue } from './tracker.ts'

const STATUSES = ['New', 'In Progress', 'Resolved', 'Feedback', 'Closed', 'Rejected']

type Sent = {
  issue: { project_id?: string; subject?: string; description?: string; status_id?: number; notes?: string }
}

const statusOf = (name: string) => ({
  id: STATUSES.indexOf(name) + 1,
  name,
  is_closed: ['Closed', 'Rejected'].includes(name),
})
const stamp = (at: string): string => `${at.slice(0, 19)}Z`

const issueBody = ({ number, title, text, status, at }: StoredIssue) => ({
  id: number,
  project: { id: 1, name: 'Support' },
  tracker: { id: 3, name: 'Support' },
  status: statusOf(status),
  priority: { id: 2, name: 'Normal' },
  author: { id: 5, name: 'titular Person' },
  subject: title,
  description: text,
  created_on: stamp(at),
  updated_on: stamp(at),
})

const journalsOf = ({ comments }: StoredIssue) =>
  comments.map(({ id, author, body, mayBePublic, at }) => ({
    id,
    user: { id: 6, name: author },
    notes: body,
    created_on: stamp(at),
    private_notes: !mayBePublic,
    details: [],
  }))

export const redmineFace: Face = {
  environment: { ISSUE_TRACKER_TOKEN: 'key-of-redmine', ISSUE_TRACKER_PROJECT: 'support' },
  isAuthorized: (headers) => headers['x-redmine-api-key'] === 'key-of-redmine',
  written: (text) => text,
  answer(store, request) {
    if (request.path === '/issues.json')
      return request.method === 'POST' ? create(store, request) : search(store, request)
    const [, number] = /^\/issues\/(\d+)\.json$/.exec(request.path) ?? []
    const issue = store.issues.find((one) => one.number === Number(number))
    if (!issue) return { status: 404 }
    return request.method === 'PUT' ? change(store, issue, request) : show(store, issue)
  },
  event: () => {
    throw new Error('the core of Redmine sends no webhooks')
  },
}

function show(store: Store, issue: StoredIssue): FaceAnswer {
  const allowed = STATUSES.filter((status) => status === issue.status || !store.forbidden.has(status))
  const more = { journals: journalsOf(issue), allowed_statuses: allowed.map(statusOf) }
  return { status: 200, body: { issue: { ...issueBody(issue), ...more } } }
}

function create(store: Store, { body }: FaceRequest): FaceAnswer {
  const { issue }: Sent = body
  if (issue.project_id !== 'support') return { status: 422, body: { errors: ['Project cannot be blank'] } }
  if (!issue.subject) return { status: 422, body: { errors: ['Subject cannot be blank'] } }
  return {
    status: 201,
    body: { issue: issueBody(store.add({ title: issue.subject, text: issue.description, status: 'New' })) },
  }
}

function search(store: Store, { query }: FaceRequest): FaceAnswer {
  const text = (query.get('description') ?? '').replace(/^~/, '')
  const found = store.listed().filter((issue) => String(issue.text).includes(text))
  return { status: 200, body: { issues: found.map(issueBody), total_count: found.length, offset: 0, limit: 100 } }
}

/** What is unknown or not allowed is ignored, with the same 204. */
function change(store: Store, issue: StoredIssue, { body }: FaceRequest): FaceAnswer {
  const { issue: sent }: Sent = body
  const { status_id, notes } = sent
  const status = STATUSES[(status_id ?? 0) - 1]
  if (status) store.move(issue, status)
  if (notes) store.addComment(issue.number, notes)
  return { status: 204 }
}
