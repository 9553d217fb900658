// Redmine 5 or newer, REST. It ignores what it does not allow and answers 204, so that every change is read back.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { jsonApi, type JsonApi } from '#ports/json-api.ts'
import {
  type IssueTracker,
  markIn,
  StatusNotAllowed,
  type TrackerComment,
  type TrackerIssue,
  TrackerRefused,
  withMark,
} from '#ports/issue-tracker.ts'
import { answerOf, createdIn, understood } from '#ports/tracker-answers.ts'

export type RedmineOptions = {
  url: string
  /** Issues of the sandbox's tracker are not those of a Redmine. */
  name?: 'redmine' | 'redmine-sandbox'
  /** Where people see issues, when that is not below the address of the API. */
  siteUrl?: string
  /** The API key of the user as whom issues are written. */
  token: string
  /** The project's identifier. */
  project: string
  timeoutMs?: number
}

const Status = Type.Object({ id: Type.Integer(), name: Type.String({ minLength: 1, maxLength: 255 }) })
const Journal = Type.Object({
  id: Type.Integer(),
  user: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  notes: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  created_on: Type.String({ format: 'date-time' }),
  private_notes: Type.Optional(Type.Boolean()),
})
const Issue = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  status: Status,
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  journals: Type.Optional(Type.Array(Journal)),
  allowed_statuses: Type.Optional(Type.Array(Status)),
})
const One = Type.Object({ issue: Issue })
const Found = Type.Object({ issues: Type.Array(Issue) })
const Problems = Type.Object({ errors: Type.Array(Type.String()) })

type Ask = (...call: Parameters<JsonApi['send']>) => Promise<unknown>

export function redmine(options: RedmineOptions): IssueTracker & { close(): Promise<void> } {
  const { url, token, project, siteUrl = url, timeoutMs = 10_000 } = options
  const api = jsonApi({ baseUrl: url, headers: { 'x-redmine-api-key': token }, timeoutMs })
  const ask: Ask = (...call) => answerOf(api, call, reasonIn)
  const whole = async (reference: string, include: string): Promise<Static<typeof Issue>> =>
    understood(One, await ask('GET', `/issues/${reference}.json?include=${include}`)).issue
  const issueOf = ({ id, status }: Static<typeof Issue>): TrackerIssue => ({
    id: String(id),
    key: `#${id}`,
    url: `${siteUrl}/issues/${id}`,
    status: status.name,
  })
  const journals = async (id: string): Promise<TrackerComment[]> => {
    const { journals: found = [] } = await whole(id, 'journals')
    return found.flatMap(commentOf).toSorted((one, other) => Number(one.id) - Number(other.id))
  }
  return {
    name: options.name ?? 'redmine',
    referenceOf: (key) => /^#?([1-9]\d{0,9})$/.exec(key)?.[1] ?? null,
    read: async (reference) => issueOf(await whole(reference, 'allowed_statuses')),
    async create(issue) {
      const given = { project_id: project, subject: issue.title, description: withMark(issue) }
      return issueOf(understood(One, await ask('POST', '/issues.json', { issue: given })).issue)
    },
    async find(mark) {
      const query = `project_id=${encodeURIComponent(project)}&status_id=*&description=~${mark}&sort=id&limit=100`
      const { issues } = understood(Found, await ask('GET', `/issues.json?${query}`))
      return issues.filter(({ description }) => markIn(description ?? '') === mark).map(issueOf)
    },
    async changeStatus(id, status) {
      const before = await whole(id, 'allowed_statuses')
      const allowed = before.allowed_statuses ?? []
      const isWanted = ({ name }: Static<typeof Status>) => name.toLowerCase() === status.toLowerCase()
      if (isWanted(before.status)) return issueOf(before)
      const wanted = allowed.find(isWanted)
      const names = allowed.map(({ name }) => name).filter((name) => name !== before.status.name)
      if (!wanted) throw new StatusNotAllowed(status, before.status.name, names)
      await ask('PUT', `/issues/${id}.json`, { issue: { status_id: wanted.id } })
      const after = await whole(id, 'allowed_statuses')
      if (!isWanted(after.status)) throw new StatusNotAllowed(status, after.status.name, names)
      return issueOf(after)
    },
    async comment(id, { text, mark }) {
      await ask('PUT', `/issues/${id}.json`, { issue: { notes: withMark({ text: verbatim(text), mark }) } })
      const isThere = (await journals(id)).some(({ body }) => markIn(body) === mark)
      if (!isThere)
        throw new TrackerRefused(`The tracker did not keep the comment on #${id}; may its user write notes?`)
    },
    comments: async (id, since) => (await journals(id)).filter(({ createdAt }) => createdAt >= since),
    // The core of Redmine sends no signed events.
    readEvent: () => ({ kind: 'unsigned', reason: 'Redmine sends no signed events' }),
    close: () => api.close(),
  }
}

/** Changes of fields are journals without notes. */
function commentOf({ id, user, notes, created_on, private_notes }: Static<typeof Journal>): TrackerComment[] {
  if (!notes) return []
  const createdAt = createdIn(created_on)
  const body = notes.replaceAll('\r\n', '\n')
  return [{ id: String(id), author: user?.name ?? '', body, mayBePublic: private_notes !== true, createdAt }]
}

/** Neither markup nor mentions, in each of Redmine's text formats: a word joiner ends a mention before its name. */
const verbatim = (text: string): string =>
  `<pre>\n${text.replaceAll(/<(\/?pre)/gi, '< $1').replaceAll('@', '@\u2060')}\n</pre>`

const reasonIn = (body: unknown): string => (Value.Check(Problems, body) ? body.errors.join('; ') : '')
