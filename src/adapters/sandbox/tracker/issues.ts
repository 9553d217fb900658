// The issues of the sandbox's issue tracker, and their comments.
import { Type, type Static } from 'typebox'
import { momentIn } from '#ports/moments.ts'

/** Texts are as the tracker has them: Jira's are documents. */
const Comment = Type.Object({
  id: Type.Integer(),
  author: Type.String(),
  body: Type.Unknown(),
  /** Its author belongs to the team. */
  isOfTeam: Type.Boolean(),
  /** For some to read only. */
  isPrivate: Type.Boolean(),
  at: Type.String(),
})
export type IssueComment = Static<typeof Comment>

export const StoredIssue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  text: Type.Unknown(),
  labels: Type.Array(Type.String()),
  /** As the tracker names it. GitHub's is `open`, or the reason for which it was closed. */
  status: Type.String(),
  comments: Type.Array(Comment),
  at: Type.String(),
  updatedAt: Type.String(),
  /** What it is called in the project to which it was moved. */
  movedTo: Type.Union([Type.String(), Type.Null()]),
  /** It is kept, so that its number is not given again. */
  isDeleted: Type.Boolean(),
})
export type StoredIssue = Static<typeof StoredIssue>

type NewIssue = { title: string; text: unknown; status: string; labels?: string[] }
type Author = { author?: string; isOfTeam?: boolean; isPrivate?: boolean }

export type IssueStore = {
  issues: StoredIssue[]
  now: () => Date
  add(issue: NewIssue): StoredIssue
  addComment(number: number, body: unknown, more?: Author): IssueComment
  /** Undefined for one that was deleted. */
  byNumber(number: number): StoredIssue | undefined
  /** Issues as lists and searches find them. */
  listed(): StoredIssue[]
  /** Whether the workflow has a way to the status. */
  allows(issue: StoredIssue, status: string): boolean
  move(issue: StoredIssue, status: string): void
  change(issue: StoredIssue, more: Partial<StoredIssue>): void
}

const STUCK = 'sandbox: stuck'

export function issueStore(issues: StoredIssue[], now: () => Date): IssueStore {
  const ids = issues.flatMap(({ comments }) => comments.map(({ id }) => id))
  let lastComment = Math.max(100, ...ids)
  const store: IssueStore = {
    issues,
    now,
    add(given) {
      const at = store.now().toISOString()
      const number = Math.max(0, ...issues.map((one) => one.number)) + 1
      const more = { comments: [], at, updatedAt: at, movedTo: null, isDeleted: false }
      const issue = { number, labels: [], ...given, ...more }
      issues.push(issue)
      return issue
    },
    addComment(number, body, { author = 'titular', isOfTeam = true, isPrivate = false } = {}) {
      const at = store.now().toISOString()
      const comment = { id: ++lastComment, author, body, isOfTeam, isPrivate, at }
      const issue = issues.find((one) => one.number === number)
      if (!issue) throw new Error(`the tracker has no issue ${number}`)
      issue.comments.push(comment)
      issue.updatedAt = at
      return comment
    },
    byNumber: (number) => issues.find((one) => one.number === number && !one.isDeleted),
    listed: () => issues.filter(({ isDeleted }) => !isDeleted),
    allows: ({ title }) => !title.includes(STUCK),
    move: (issue, status) => store.change(issue, { status }),
    change: (issue, more) => void Object.assign(issue, more, { updatedAt: store.now().toISOString() }),
  }
  return store
}

/** Those since a time, if there is one that can be read. */
export function since<One extends { at: string; updatedAt?: string }>(all: readonly One[], text: string | null): One[] {
  const from = momentIn(text ?? '')?.toISOString() ?? ''
  return all.filter(({ at, updatedAt = at }) => updatedAt >= from)
}

/** A number that a request gives, or what counts without one. */
export function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback)
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback
}
