// The sandbox's issue tracker: replaces GitHub Issues, with its own state, over its own HTTP.
import { join } from 'node:path'
import { isEqual } from '#kernel/keys/secrets.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { eventSender } from '../event-sender.ts'
import { type Answer, type Exchange, header } from '../payments/exchange.ts'
import { readRecords, recordWriter } from '../record-files.ts'
import { jsonAnswer, type OpenSystem, type SystemOptions } from '../system.ts'
import { withWishes } from '../wishes.ts'
import { type Account, answerGithub, API_VERSION, type Change, githubEvent, type Repository } from './github.ts'
import { type IssueStore, issueStore, StoredIssue } from './issues.ts'

export type SandboxTrackerOptions = SystemOptions & {
  publicUrl: string
  /** `owner/name` of the only one. */
  repository: string
  /** The service's token. */
  token: string
}

const PATH = '/sandbox/tracker'

/** By what people use as token: somebody of the team, and somebody else who may read and comment. */
const PEOPLE: ReadonlyMap<string, Account> = new Map([
  ['developer', { login: 'developer', isOfTeam: true }],
  ['visitor', { login: 'visitor', isOfTeam: false }],
])
const SERVICE: Account = { login: 'titular', isOfTeam: true }

const REFUSED = refusal(403, 'Resource not accessible by personal access token')

/**
 * Answers below `/sandbox/tracker`: `/repos/<owner>/<name>/issues…`, the calls of GitHub's API, and
 * `/<owner>/<name>/issues/<number>`, the issue for people to read. Events are not repeated, as GitHub does not.
 */
export async function openTracker(options: SandboxTrackerOptions): Promise<OpenSystem> {
  const { publicUrl, repository: name, webhookUrl, token, webhookSecret, now = () => new Date() } = options
  const folder = join(options.dataDir, 'sandbox', 'tracker')
  const write = recordWriter(folder)
  const known = await readRecords(folder, StoredIssue)
  const byNumber = known.toSorted((one, other) => one.number - other.number)
  const store = issueStore(byNumber, now)
  const repository = { name, url: `${publicUrl}${PATH}` }
  const sender = eventSender([], options.onError)
  const settle = async (change: Change) => {
    await write(String(change.issue.number), change.issue)
    const event = { url: webhookUrl, ...githubEvent(repository, change, { secret: webhookSecret }) }
    sender.send(() => event)
  }
  const api = withWishes(REFUSED, async (exchange) => {
    const by = accountOf(exchange, token)
    if (!by) return refusal(401, 'Bad credentials')
    const problem = problemIn(exchange)
    if (problem !== null) return refusal(400, problem)
    const { method, path } = exchange
    const { pathname, searchParams: query } = new URL(path.slice(PATH.length), publicUrl)
    const answer = answerGithub(store, repository, { method, path: pathname, query, body: bodyOf(exchange), by })
    if (answer.change) await settle(answer.change)
    return jsonAnswer(answer.status, answer.body)
  })
  return {
    handle: async (exchange) => pageOf(store, repository, exchange) ?? api(exchange),
    stop: () => sender.stop(),
  }
}

function refusal(status: number, message: string): Answer {
  return jsonAnswer(status, { message, status: String(status) })
}

function accountOf(exchange: Exchange, token: string): Account | null {
  const [, given = ''] = /^(?:Bearer|token) (\S+)$/i.exec(header(exchange, 'authorization') ?? '') ?? []
  return isEqual(given, token) ? SERVICE : (PEOPLE.get(given) ?? null)
}

function problemIn(exchange: Exchange): string | null {
  if (header(exchange, 'user-agent') === null) return 'Request forbidden by administrative rules.'
  const version = header(exchange, 'x-github-api-version')
  if (version !== null && version !== API_VERSION) return `"${version}" is not a supported version`
  return exchange.method !== 'GET' && bodyOf(exchange) === undefined ? 'Problems parsing JSON' : null
}

const bodyOf = ({ body }: Exchange): unknown => parsedJson(Buffer.from(body ?? []))

/** The address of the issue that the API gives, which leads to a page at GitHub. Null for another address. */
function pageOf(store: IssueStore, { name }: Repository, { method, path }: Exchange): Answer | null {
  const start = `${PATH}/${name}/issues/`
  const [, number] = path.startsWith(start) ? (/^(\d{1,15})$/.exec(path.slice(start.length)) ?? []) : []
  if (number === undefined || method !== 'GET') return null
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  const issue = store.issues.find((one) => one.number === Number(number))
  if (!issue) return { status: 404, headers, body: 'There is no such issue.\n' }
  const said = issue.comments.map(({ author, at, body }) => `--- ${author}, ${at}\n\n${body}\n`)
  return {
    status: 200,
    headers,
    body: [`#${issue.number} ${issue.title} (${issue.status})\n`, `${issue.text}\n`, ...said].join('\n'),
  }
}
