// How a tracker of the sandbox is spoken to: what the protocols of GitHub, Jira and Redmine have in common.
import { createHmac } from 'node:crypto'
import type { OutgoingEvent } from '../post-event.ts'
import type { IssueComment, IssueStore, StoredIssue } from './issues.ts'

/** `isOfTeam`: speaks for the vendor. */
export type Account = { name: string; isOfTeam: boolean }

/** The project whose issues there are, and the address below which they are. */
export type Place = { project: string; url: string }

export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  body: unknown
  by: Account
}

/** As the tracker names it in its events. */
export type Change = { type: string; action?: string; issue: StoredIssue; comment?: IssueComment }

/** `change`: what has to be stored and announced. */
export type TrackerAnswer = { status: number; body?: unknown; change?: Change }

export type Signing = { secret: string; id: string; attempt: number }

export type Protocol = {
  /** The header that says who calls, and what it has to be. */
  credential: { header: string; of: (name: string, token: string) => string }
  /** To somebody unknown, and to a text that wishes it. */
  unauthorized: TrackerAnswer
  refused: TrackerAnswer
  answer(store: IssueStore, place: Place, call: Call): TrackerAnswer
  find(store: IssueStore, place: Place, reference: string): StoredIssue | undefined
  /** The issue that a page is about, by its address as the API gives it; null for another address. */
  referenceOnPage(place: Place, path: string): string | null
  keyOf(place: Place, issue: StoredIssue): string
  /** The gaps after which an event that was not taken is sent again; without events there are none. */
  retryGapsMs: readonly number[]
  event: ((place: Place, change: Change, signing: Signing) => Omit<OutgoingEvent, 'url'>) | null
}

export const signedSha256 = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
