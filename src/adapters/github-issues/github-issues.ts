// GitHub Issues, REST. The status is the state and, of a closed issue, its reason. Our mark stands in the text: the
// search is behind by up to minutes, while the list of a repository's issues is not.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { jsonApi, type JsonApi } from '#ports/json-api.ts'
import {
  IssueMissing,
  type IssueTracker,
  markIn,
  StatusNotAllowed,
  type TrackerComment,
  type TrackerIssue,
  withMark,
} from '#ports/issue-tracker.ts'
import { answerOf, createdIn, understood } from '#ports/tracker-answers.ts'
import { readGithubEvent } from './events.ts'

export type GithubIssuesOptions = {
  url: string
  token: string
  /** `owner/name` */
  repository: string
  /** Issues of the sandbox's tracker are not those of GitHub. */
  name?: 'github' | 'github-sandbox'
  webhookSecrets: readonly string[]
  timeoutMs?: number
}

const API_VERSION = '2026-03-10'

const Issue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  html_url: Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2000 }),
  state: Type.Enum(['open', 'closed']),
  state_reason: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  body: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Pull requests are listed among the issues. */
  pull_request: Type.Optional(Type.Unknown()),
})
const Comment = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  body: Type.Optional(Type.String()),
  user: Type.Union([Type.Object({ login: Type.String() }), Type.Null()]),
  author_association: Type.Optional(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
})
const Problem = Type.Object({ message: Type.String() })

/** Whoever else may comment on a public repository does not speak for the vendor. */
const INSIDERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

const STATUSES = ['open', 'completed', 'not_planned', 'duplicate'] as const
const PER_PAGE = 100
const MAX_PAGES = 10

type Ask = (...call: Parameters<JsonApi['send']>) => Promise<unknown>

export function githubIssues(options: GithubIssuesOptions): IssueTracker & { close(): Promise<void> } {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${options.token}`,
    'x-github-api-version': API_VERSION,
    'user-agent': 'titular',
  }
  const api = jsonApi({
    baseUrl: `${options.url}/repos/${options.repository}`,
    headers,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  })
  const ask: Ask = (...call) => answerOf(api, call, reasonIn)
  const read = async (number: string): Promise<TrackerIssue> =>
    issueOf(understood(Issue, await ask('GET', `/issues/${number}`)))
  return {
    name: options.name ?? 'github',
    referenceOf: (key) => /^#?([1-9]\d{0,14})$/.exec(key.replace(`${options.repository}#`, ''))?.[1] ?? null,
    read,
    create: async (issue) =>
      issueOf(understood(Issue, await ask('POST', '/issues', { title: issue.title, body: withMark(issue) }))),
    find: (mark, since) => findMarked(ask, mark, since),
    changeStatus: (id, status) => changeStatus(ask, read, { id, status }),
    async comment(id, { text, mark }) {
      await ask('POST', `/issues/${id}/comments`, { body: withMark({ text: verbatim(text), mark }) })
    },
    comments: (id, since) => commentsSince(ask, id, since),
    readEvent: (received, body) => readGithubEvent(options, received, body),
    close: () => api.close(),
  }
}

function issueOf({ number, html_url: url, state, state_reason, pull_request }: Static<typeof Issue>): TrackerIssue {
  if (pull_request) throw new IssueMissing(`#${number} is a pull request`)
  const status = state === 'open' ? 'open' : (state_reason ?? 'completed')
  return { id: String(number), key: `#${number}`, url, status }
}

async function findMarked(ask: Ask, mark: string, since: Date): Promise<TrackerIssue[]> {
  const query = `state=all&sort=created&direction=desc&since=${seconds(since)}&per_page=${PER_PAGE}`
  const found: TrackerIssue[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const issues = understood(Type.Array(Issue), await ask('GET', `/issues?${query}&page=${page}`))
    const ours = issues.filter(({ body, pull_request }) => !pull_request && markIn(body ?? '') === mark)
    found.push(...ours.map(issueOf))
    if (issues.length < PER_PAGE) break
  }
  return found.toSorted((one, other) => Number(one.id) - Number(other.id))
}

async function changeStatus(
  ask: Ask,
  read: IssueTracker['read'],
  { id, status }: { id: string; status: string },
): Promise<TrackerIssue> {
  const wanted = STATUSES.find((one) => one === status.toLowerCase())
  if (!wanted) throw new StatusNotAllowed(status, (await read(id)).status, STATUSES)
  // A reason without a change of the state is ignored, so that an issue is reopened before it is closed for another
  // one.
  const before = await read(id)
  if (before.status === wanted) return before
  if (before.status !== 'open') await ask('PATCH', `/issues/${id}`, { state: 'open', state_reason: 'reopened' })
  if (wanted !== 'open') await ask('PATCH', `/issues/${id}`, { state: 'closed', state_reason: wanted })
  const after = await read(id)
  if (after.status !== wanted) throw new StatusNotAllowed(status, after.status, STATUSES)
  return after
}

async function commentsSince(ask: Ask, id: string, since: Date): Promise<TrackerComment[]> {
  const found: TrackerComment[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/issues/${id}/comments?since=${seconds(since)}&per_page=${PER_PAGE}&page=${page}`
    const comments = understood(Type.Array(Comment), await ask('GET', path))
    found.push(...comments.map(commentOf))
    if (comments.length < PER_PAGE) break
  }
  // `since` is about the last edit.
  return found.filter(({ createdAt }) => createdAt >= since)
}

const commentOf = ({ id, body, user, author_association, created_at }: Static<typeof Comment>): TrackerComment => ({
  id: String(id),
  author: user?.login ?? '',
  body: body ?? '',
  mayBePublic: INSIDERS.has(author_association ?? ''),
  createdAt: createdIn(created_at),
})

/** In a block of code nothing is a mention, a link, an image or a command. The fence is longer than any in the text. */
function verbatim(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

const reasonIn = (body: unknown): string => (Value.Check(Problem, body) ? body.message : '')
