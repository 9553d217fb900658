// The sandbox's issue tracker: replaces GitHub Issues, Jira Cloud or Redmine, with its own state, over its own HTTP.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isEqual } from '#kernel/keys/secrets.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { eventSender } from '../event-sender.ts'
import { type Answer, type Exchange, header } from '../payments/exchange.ts'
import { readRecords, recordWriter } from '../record-files.ts'
import { jsonAnswer, type OpenSystem, type SystemOptions } from '../system.ts'
import { withWishes } from '../wishes.ts'
import { github } from './github.ts'
import { type IssueStore, issueStore, StoredIssue } from './issues.ts'
import { jira } from './jira.ts'
import type { Account, Change, Place, Protocol, TrackerAnswer } from './protocol.ts'
import { redmine } from './redmine.ts'

export const PROTOCOLS = { github, jira, redmine } as const satisfies Record<string, Protocol>

export type SandboxTrackerOptions = SystemOptions & {
  publicUrl: string
  protocol: keyof typeof PROTOCOLS
  /** The only one that there is. */
  project: string
  /** The service's token. */
  token: string
}

const PATH = '/sandbox/tracker'

const SERVICE: Account = { name: 'titular', isOfTeam: true }
/** Somebody of the team, and somebody else who may read and comment: their names are their tokens. */
const PEOPLE: readonly Account[] = [
  { name: 'developer', isOfTeam: true },
  { name: 'visitor', isOfTeam: false },
]

/** Answers below `/sandbox/tracker`: the calls of the API, and the page of an issue for people to read. */
export async function openTracker(options: SandboxTrackerOptions): Promise<OpenSystem> {
  const { publicUrl, project, webhookUrl: url, token, webhookSecret: secret, now = () => new Date() } = options
  const protocol: Protocol = PROTOCOLS[options.protocol]
  const folder = join(options.dataDir, 'sandbox', 'tracker', options.protocol)
  const write = recordWriter(folder)
  const known = await readRecords(folder, StoredIssue)
  const store = issueStore(
    known.toSorted((one, other) => one.number - other.number),
    now,
  )
  const place = { project, url: `${publicUrl}${PATH}` }
  const sender = eventSender(protocol.retryGapsMs, options.onError)
  const settle = async (change: Change) => {
    await write(String(change.issue.number), change.issue)
    const { event } = protocol
    const id = randomUUID()
    // As it is now: what is sent again is the same.
    const about = structuredClone(change)
    if (event) sender.send((attempt) => ({ url, ...event(place, about, { secret, id, attempt }) }))
  }
  const api = withWishes(answerOf(protocol.refused), async (exchange) => {
    const by = accountOf(protocol, exchange, token)
    if (!by) return answerOf(protocol.unauthorized)
    const { method, path, headers, body } = exchange
    const { pathname, searchParams: query } = new URL(path, publicUrl)
    const call = { method, path: pathname.slice(PATH.length), query, headers, by }
    const answer = protocol.answer(store, place, { ...call, body: parsedJson(Buffer.from(body ?? [])) })
    if (answer.change) await settle(answer.change)
    return answerOf(answer)
  })
  return {
    handle: async (exchange) => pageOf({ protocol, store, place }, exchange) ?? api(exchange),
    stop: () => sender.stop(),
  }
}

function answerOf({ status, body }: TrackerAnswer): Answer {
  return jsonAnswer(status, body)
}

function accountOf({ credential }: Protocol, exchange: Exchange, token: string): Account | undefined {
  const given = header(exchange, credential.header) ?? ''
  const is = (name: string, its: string) => isEqual(given, credential.of(name, its))
  return is(SERVICE.name, token) ? SERVICE : PEOPLE.find(({ name }) => is(name, name))
}

type Tracker = { protocol: Protocol; store: IssueStore; place: Place }

/** The address of the issue that the API gives, which leads to a page in a real tracker. Null for another address. */
function pageOf({ protocol, store, place }: Tracker, { method, path }: Exchange): Answer | null {
  const reference = method === 'GET' ? protocol.referenceOnPage(place, path.slice(PATH.length)) : null
  if (reference === null) return null
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  const issue = protocol.find(store, place, reference)
  if (!issue) return { status: 404, headers, body: 'There is no such issue.\n' }
  const said = issue.comments.map(({ author, at, body }) => `--- ${author}, ${at}\n\n${plain(body)}\n`)
  const title = `${protocol.keyOf(place, issue)} ${issue.title} (${issue.status})\n`
  return { status: 200, headers, body: [title, `${plain(issue.text)}\n`, ...said].join('\n') }
}

/** Of a document, what is in its texts, with a line for each of its blocks. */
function plain(text: unknown): string {
  if (typeof text === 'string') return text
  if (typeof text !== 'object' || text === null) return ''
  if ('text' in text && typeof text.text === 'string') return text.text
  if (!('content' in text) || !Array.isArray(text.content)) return '\n'
  const inner = text.content.map(plain).join('')
  return 'type' in text && text.type === 'paragraph' ? `${inner}\n` : inner
}
