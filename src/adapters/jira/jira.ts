// Jira Cloud, REST v3. Our mark is a label: entity properties can be searched only when an app of Atlassian's indexes
// them.
import { Type, type Static } from 'typebox'
import { jsonApi, type JsonApi } from '#ports/json-api.ts'
import {
  type IssueTracker,
  StatusNotAllowed,
  type TrackerComment,
  type TrackerIssue,
  withMark,
} from '#ports/issue-tracker.ts'
import { answerOf, createdIn, understood } from '#ports/tracker-answers.ts'
import { documentOf, textOf } from './document-format.ts'
import { readJiraEvent } from './events.ts'

export type JiraOptions = {
  url: string
  /** Issues of the sandbox's tracker are not those of Jira. */
  name?: 'jira' | 'jira-sandbox'
  /** Where people see issues, when that is not below the address of the API. */
  siteUrl?: string
  /** The account whose API token it is. */
  user: string
  token: string
  project: string
  issueType: string
  webhookSecrets: readonly string[]
  timeoutMs?: number
}

const Issue = Type.Object({
  id: Type.String({ pattern: '^\\d{1,20}$' }),
  key: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}-\\d{1,15}$' }),
  fields: Type.Object({ status: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }) }),
})
const Found = Type.Object({ issues: Type.Array(Issue) })
const Created = Type.Pick(Issue, ['id'])
const Transition = Type.Object({ id: Type.String(), to: Type.Object({ name: Type.String() }) })
const Transitions = Type.Object({ transitions: Type.Array(Transition) })
const Comment = Type.Object({
  id: Type.String({ pattern: '^\\d{1,20}$' }),
  author: Type.Optional(
    Type.Object({ displayName: Type.Optional(Type.String()), accountType: Type.Optional(Type.String()) }),
  ),
  body: Type.Optional(Type.Unknown()),
  created: Type.String(),
  visibility: Type.Optional(Type.Unknown()),
  jsdPublic: Type.Optional(Type.Boolean()),
})
const Comments = Type.Object({ comments: Type.Array(Comment), total: Type.Integer() })
const Problems = Type.Object({
  errorMessages: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

const PER_PAGE = 100
const MAX_PAGES = 10

export function jira(options: JiraOptions): IssueTracker & { close(): Promise<void> } {
  const { url, user, token, siteUrl = url, timeoutMs = 10_000 } = options
  const authorization = `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
  const api = jsonApi({ baseUrl: `${url}/rest/api/3`, headers: { authorization }, timeoutMs })
  const ask: Ask = (...call) => answerOf(api, call, reasonIn)
  const issueOf = ({ id, key, fields }: Static<typeof Issue>): TrackerIssue => ({
    id,
    key,
    url: `${siteUrl}/browse/${key}`,
    status: fields.status.name,
  })
  const read = async (reference: string) =>
    issueOf(understood(Issue, await ask('GET', `/issue/${reference}?fields=status`)))
  return {
    name: options.name ?? 'jira',
    referenceOf: (key) => (/^[A-Z][A-Z0-9_]{1,99}-\d{1,15}$/i.test(key) ? key.toUpperCase() : null),
    read,
    async create(issue) {
      const fields = {
        project: { key: options.project },
        issuetype: { name: options.issueType },
        summary: issue.title,
        description: documentOf(withMark(issue)),
        labels: [issue.mark],
      }
      return read(understood(Created, await ask('POST', '/issue', { fields })).id)
    },
    async find(mark) {
      const jql = encodeURIComponent(`labels = "${mark}" order by created asc`)
      const { issues } = understood(Found, await ask('GET', `/search/jql?jql=${jql}&fields=status&maxResults=10`))
      return issues.map(issueOf).toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
    },
    async changeStatus(id, status) {
      const isWanted = (name: string) => name.toLowerCase() === status.toLowerCase()
      const before = await read(id)
      if (isWanted(before.status)) return before
      const { transitions } = understood(Transitions, await ask('GET', `/issue/${id}/transitions`))
      const transition = transitions.find(({ to }) => isWanted(to.name))
      const refused = () =>
        new StatusNotAllowed(
          status,
          before.status,
          transitions.map(({ to }) => to.name),
        )
      if (!transition) throw refused()
      await ask('POST', `/issue/${id}/transitions`, { transition: { id: transition.id } })
      const after = await read(id)
      if (!isWanted(after.status)) throw refused()
      return after
    },
    async comment(id, comment) {
      await ask('POST', `/issue/${id}/comment`, { body: documentOf(withMark(comment)) })
    },
    comments: (id, since) => commentsSince(ask, id, since),
    readEvent: (headers, body) => readJiraEvent(options.webhookSecrets, headers, body),
    close: () => api.close(),
  }
}

type Ask = (...call: Parameters<JsonApi['send']>) => Promise<unknown>

/** The newest first, page by page until they are older. */
async function commentsSince(ask: Ask, id: string, since: Date): Promise<TrackerComment[]> {
  const found: TrackerComment[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const at = page * PER_PAGE
    const path = `/issue/${id}/comment?orderBy=-created&startAt=${at}&maxResults=${PER_PAGE}`
    const { comments, total } = understood(Comments, await ask('GET', path))
    const read = comments.map(commentOf)
    found.push(...read.filter(({ createdAt }) => createdAt >= since))
    const isOver = read.some(({ createdAt }) => createdAt < since) || at + comments.length >= total
    if (isOver || comments.length === 0) break
  }
  return found.toReversed()
}

function commentOf({ id, author, body, created, visibility, jsdPublic }: Static<typeof Comment>): TrackerComment {
  return {
    id,
    author: author?.displayName ?? '',
    body: textOf(body),
    // Customers of a service desk comment there, too.
    mayBePublic: (visibility ?? null) === null && jsdPublic !== false && author?.accountType !== 'customer',
    createdAt: createdIn(created),
  }
}

function reasonIn(body: unknown): string {
  try {
    const { errorMessages = [], errors = {} } = understood(Problems, body)
    return [...errorMessages, ...Object.entries(errors).map(([field, why]) => `${field}: ${String(why)}`)].join('; ')
  } catch {
    return ''
  }
}
