// An issue tracker for tests: issues and comments behind the published protocol of Jira, GitHub or Redmine, over real HTTP,
// with each kind of failure. What developers do in it is done through its functions.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'
import {
  type IssueComment,
  type IssueStore,
  issueStore,
  type StoredIssue as IssueOf,
} from '../../src/adapters/sandbox/tracker/issues.ts'
import { githubFace } from './tracker-github.ts'
import { jiraFace } from './tracker-jira.ts'
import { redmineFace } from './tracker-redmine.ts'
import type { TrackerName } from '#ports/issue-tracker.ts'

export type StoredComment = IssueComment<unknown>
export type StoredIssue = IssueOf<unknown>

/** `lost`: does what it is asked and gives no answer. */
export type Behaviour = 'normal' | 'lost' | 'down' | 'limited' | 'refuse' | 'garbage' | 'huge' | 'redirect'

export type Store = IssueStore<unknown> & {
  /** The search does not find new issues yet. */
  isBlind: boolean
  /** Statuses into which no issue may go. */
  forbidden: Set<string>
  /** A new status is ignored, with the answer of one that was taken. */
  isSilent: boolean
  pulls: Set<number>
}

export type FaceRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: never
}
export type FaceAnswer = { status: number; body?: unknown }
export type Face = {
  environment: Record<string, string>
  /** The answer to a request with the right credentials; null when the protocol has no such request. */
  answer(store: Store, request: FaceRequest): FaceAnswer | null
  isAuthorized(headers: IncomingMessage['headers']): boolean
  /** A comment as the tracker's own users write it. */
  written(text: string): unknown
  /** A webhook about the issue, signed. */
  event(issue: StoredIssue, more: { id: string; type: string; secret: string }): Delivery
}
export type Delivery = { headers: Record<string, string>; body: string }

export const WEBHOOK_SECRET = 'It is a Secret to Everybody'

const FACES: Record<OwnTracker, Face> = { jira: jiraFace, github: githubFace, redmine: redmineFace }

type OwnTracker = Exclude<TrackerName, 'github-sandbox'>

export type Tracker = Awaited<ReturnType<typeof startTracker>>

export async function startTracker(name: OwnTracker) {
  const face = FACES[name]
  const store = createStore()
  const requests: string[] = []
  let behaviours: Behaviour[] = []
  let lasting: Behaviour = 'normal'
  const { url, close } = await listen(async (request, response) => {
    const text = await textOf(request)
    requests.push(`${request.method} ${request.url}`)
    const isWrite = request.method !== 'GET'
    const behaviour = behaviours.length > 0 && isWrite ? (behaviours.shift() ?? lasting) : lasting
    const result = () => answered(face, store, request, text)
    if (behaviour === 'normal') return send(response, result())
    if (behaviour === 'lost') result()
    return misbehave(response, behaviour)
  })
  const issue = (number: number): StoredIssue => {
    const found = store.issues.find((one) => one.number === number)
    if (!found) throw new Error(`the tracker has no issue ${number}`)
    return found
  }
  return {
    name,
    url,
    store,
    requests,
    environment: { ISSUE_TRACKER: name, ISSUE_TRACKER_URL: url, ...face.environment },
    issue,
    /** A developer comments. */
    comment: (number: number, text: string, { author = 'Dev', isPrivate = false } = {}) =>
      store.addComment(number, face.written(text), { author, mayBePublic: !isPrivate }),
    behave: (behaviour: Behaviour) => void (lasting = behaviour),
    /** The next requests that change something. */
    behaveOnce: (...next: Behaviour[]) => void (behaviours = next),
    event: (number: number, more: Partial<{ id: string; type: string; secret: string }> = {}) =>
      face.event(issue(number), {
        id: `delivery-${requests.length}-${Math.random()}`,
        type: '',
        secret: WEBHOOK_SECRET,
        ...more,
      }),
    close,
  }
}

/** The sandbox's store, with what a tracker may do besides. */
function createStore(): Store {
  const plain = issueStore<unknown>([], () => new Date())
  const { listed, move } = plain
  const store: Store = Object.assign(plain, {
    isBlind: false,
    forbidden: new Set<string>(),
    isSilent: false,
    pulls: new Set<number>(),
    listed: () => (store.isBlind ? [] : listed()),
    move: (issue: StoredIssue, status: string) => {
      if (!store.isSilent && !store.forbidden.has(status)) move(issue, status)
    },
  })
  return store
}

function answered(face: Face, store: Store, request: IncomingMessage, text: string): FaceAnswer {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://tracker')
  const { method = '', headers } = request
  if (!face.isAuthorized(headers)) return { status: 401, body: { message: 'Bad credentials' } }
  const body = (text === '' ? undefined : JSON.parse(text)) as never
  return face.answer(store, { method, path, query, headers, body }) ?? { status: 404, body: { message: 'Not Found' } }
}

const send = (response: ServerResponse, { status, body }: FaceAnswer): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === undefined ? '' : JSON.stringify(body))

function misbehave(response: ServerResponse, behaviour: Exclude<Behaviour, 'normal'>): void {
  switch (behaviour) {
    case 'down':
      return send(response, { status: 503 })
    case 'limited':
      return void response.writeHead(429, { 'retry-after': '77' }).end()
    case 'refuse':
      return send(response, { status: 403, body: { message: 'No rights', errorMessages: ['No rights'], errors: {} } })
    case 'garbage':
      return send(response, { status: 200, body: { perhaps: true } })
    case 'huge':
      return send(response, { status: 200, body: { padding: 'x'.repeat(6_000_000) } })
    case 'redirect':
      return void response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end()
    case 'lost':
      response.destroy()
  }
}
