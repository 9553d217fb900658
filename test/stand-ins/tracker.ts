// An issue tracker for tests: the sandbox's, as Jira, GitHub or Redmine, over real HTTP, with each kind of failure and
// what only the real ones do. What developers do in it is done through its functions.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { parsedJson } from '#kernel/values/text/json.ts'
import { listen } from '#test/harness/listen.ts'
import { type IssueStore, issueStore, type StoredIssue } from '../../src/adapters/sandbox/tracker/issues.ts'
import type { Protocol, TrackerAnswer } from '../../src/adapters/sandbox/tracker/protocol.ts'
import { PROTOCOLS } from '../../src/adapters/sandbox/tracker/tracker.ts'

/** `lost`: does what it is asked and gives no answer. */
export type Behaviour = 'normal' | 'lost' | 'down' | 'limited' | 'refuse' | 'garbage' | 'huge' | 'redirect'

type Store = IssueStore & {
  /** The search does not find new issues yet. */
  isBlind: boolean
  /** Statuses into which no issue may go. */
  forbidden: Set<string>
  /** A new status is ignored, with the answer of one that was taken. */
  isSilent: boolean
  pulls: Set<number>
}

export type Delivery = { headers: Record<string, string>; body: string }

export const WEBHOOK_SECRET = 'It is a Secret to Everybody'

const BOT = { name: 'bot@example.com', isOfTeam: true }

const OF_TRACKER = {
  jira: {
    project: 'SUP',
    environment: { ISSUE_TRACKER_USER: BOT.name, ISSUE_TRACKER_WEBHOOK_SECRETS: WEBHOOK_SECRET },
    updated: 'jira:issue_updated',
    written: (text: string): unknown => ({
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
    }),
  },
  github: {
    project: 'titular/support',
    environment: { ISSUE_TRACKER_WEBHOOK_SECRETS: WEBHOOK_SECRET },
    updated: 'issues',
    written: (text: string): unknown => text,
  },
  redmine: { project: 'support', environment: {}, updated: '', written: (text: string): unknown => text },
}

export type Tracker = Awaited<ReturnType<typeof startTracker>>

export async function startTracker(name: keyof typeof OF_TRACKER) {
  const { project, environment, updated, written } = OF_TRACKER[name]
  const protocol: Protocol = PROTOCOLS[name]
  const token = `token-of-${name}`
  const place = { project, url: `https://${name}.example` }
  const store = createStore()
  const requests: string[] = []
  let behaviours: Behaviour[] = []
  let lasting: Behaviour = 'normal'
  const answered = (request: IncomingMessage, text: string): TrackerAnswer => {
    const { method = '', headers, url = '' } = request
    if (headers[protocol.credential.header] !== protocol.credential.of(BOT.name, token)) return protocol.unauthorized
    const { pathname: path, searchParams: query } = new URL(url, 'http://tracker')
    return protocol.answer(store, place, { method, path, query, headers, body: parsedJson(text), by: BOT })
  }
  const { url, close } = await listen(async (request, response) => {
    const text = await textOf(request)
    requests.push(`${request.method} ${request.url}`)
    const isWrite = request.method !== 'GET'
    const behaviour = behaviours.length > 0 && isWrite ? (behaviours.shift() ?? lasting) : lasting
    if (behaviour === 'normal') return send(response, withPulls(store, answered(request, text)))
    if (behaviour === 'lost') answered(request, text)
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
    environment: {
      ISSUE_TRACKER: name,
      ISSUE_TRACKER_URL: url,
      ISSUE_TRACKER_TOKEN: token,
      ISSUE_TRACKER_PROJECT: project,
      ...environment,
    },
    issue,
    /** A developer comments. */
    comment: (number: number, text: string, { author = 'Dev', isPrivate = false } = {}) =>
      store.addComment(number, written(text), { author, isOfTeam: !isPrivate, isPrivate }),
    behave: (behaviour: Behaviour) => void (lasting = behaviour),
    /** The next requests that change something. */
    behaveOnce: (...next: Behaviour[]) => void (behaviours = next),
    event(number: number, more: Partial<{ id: string; type: string; secret: string }> = {}): Delivery {
      if (!protocol.event) throw new Error(`${name} sends no events`)
      const { id = randomUUID(), type = updated, secret = WEBHOOK_SECRET } = more
      return protocol.event(place, { type, action: 'edited', issue: issue(number) }, { secret, id, attempt: 0 })
    },
    close,
  }
}

/** The sandbox's store, with what a tracker may do besides. */
function createStore(): Store {
  const plain = issueStore([], () => new Date())
  const { listed, move } = plain
  const store: Store = Object.assign(plain, {
    isBlind: false,
    forbidden: new Set<string>(),
    isSilent: false,
    pulls: new Set<number>(),
    listed: () => (store.isBlind ? [] : listed()),
    allows: (_issue: StoredIssue, status: string) => !store.forbidden.has(status),
    move: (issue: StoredIssue, status: string) => {
      if (!store.isSilent && !store.forbidden.has(status)) move(issue, status)
    },
  })
  return store
}

/** GitHub lists pull requests among its issues. */
function withPulls({ pulls }: Store, { status, body }: TrackerAnswer): TrackerAnswer {
  const asPull = (one: unknown): unknown =>
    typeof one === 'object' && one !== null && 'number' in one && pulls.has(Number(one.number))
      ? { ...one, pull_request: { url: 'https://github.example/pulls/1' } }
      : one
  return { status, body: Array.isArray(body) ? body.map(asPull) : asPull(body) }
}

const send = (response: ServerResponse, { status, body }: TrackerAnswer): void =>
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
