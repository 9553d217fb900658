// The issues of the sandbox's issue tracker, and their comments.
import { Type, type Static } from 'typebox'
import { momentIn } from '#ports/moments.ts'

const Comment = Type.Object({
  id: Type.Integer(),
  author: Type.String(),
  body: Type.String(),
  /** Its author belongs to the team. */
  mayBePublic: Type.Boolean(),
  at: Type.String(),
})
export type IssueComment<Text = string> = Omit<Static<typeof Comment>, 'body'> & { body: Text }

/** The status is `open`, or the reason for which it was closed. */
export const StoredIssue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  text: Type.String(),
  labels: Type.Array(Type.String()),
  status: Type.String(),
  comments: Type.Array(Comment),
  at: Type.String(),
  updatedAt: Type.String(),
})
export type StoredIssue<Text = string> = Omit<Static<typeof StoredIssue>, 'text' | 'comments'> & {
  text: Text
  comments: IssueComment<Text>[]
}

export type IssueStore<Text = string> = {
  issues: StoredIssue<Text>[]
  now: () => Date
  add(issue: { title: string; text: Text; status: string; labels?: string[] }): StoredIssue<Text>
  addComment(number: number, body: Text, more?: { author?: string; mayBePublic?: boolean }): IssueComment<Text>
  /** Issues as lists and searches find them. */
  listed(): StoredIssue<Text>[]
  move(issue: StoredIssue<Text>, status: string): void
}

export function issueStore<Text = string>(issues: StoredIssue<Text>[], now: () => Date): IssueStore<Text> {
  const ids = issues.flatMap(({ comments }) => comments.map(({ id }) => id))
  let lastComment = Math.max(100, ...ids)
  const store: IssueStore<Text> = {
    issues,
    now,
    add(given) {
      const at = store.now().toISOString()
      const number = Math.max(0, ...issues.map((one) => one.number)) + 1
      const issue = { number, labels: [], ...given, comments: [], at, updatedAt: at }
      issues.push(issue)
      return issue
    },
    addComment(number, body, { author = 'titular', mayBePublic = true } = {}) {
      const at = store.now().toISOString()
      const comment = { id: ++lastComment, author, body, mayBePublic, at }
      const issue = issues.find((one) => one.number === number)
      if (!issue) throw new Error(`the tracker has no issue ${number}`)
      issue.comments.push(comment)
      issue.updatedAt = at
      return comment
    },
    listed: () => issues,
    move(issue, status) {
      issue.status = status
      issue.updatedAt = store.now().toISOString()
    },
  }
  return store
}

/** Those since a time, if there is one that can be read. */
export function since<One extends { at: string; updatedAt?: string }>(all: readonly One[], text: string | null): One[] {
  const from = momentIn(text ?? '')?.toISOString() ?? ''
  return all.filter(({ at, updatedAt = at }) => updatedAt >= from)
}
