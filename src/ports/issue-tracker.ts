// Port: the issue tracker of the vendor's developers. Issues are found again by a mark of ours, since no tracker knows
// idempotency keys.
import { Type, type Static } from 'typebox'
import type { ReceivedHeaders } from './standard-webhooks.ts'

export const TRACKERS = ['jira', 'github', 'redmine', 'jira-sandbox', 'github-sandbox', 'redmine-sandbox'] as const
export type TrackerName = (typeof TRACKERS)[number]

/** The statuses of a ticket, which have counterparts in the tracker by configuration. */
export const SYNCED_STATUSES = ['open', 'in_progress', 'waiting', 'resolved', 'closed', 'cancelled'] as const
export type SyncedStatus = (typeof SYNCED_STATUSES)[number]
export type StatusPair = { ours: SyncedStatus; theirs: string }

export type TrackerIssue = {
  /** Never changes, unlike the key of an issue that moves to another project. */
  id: string
  /** What people call it. */
  key: string
  url: string
  status: string
}

export type TrackerComment = {
  id: string
  author: string
  body: string
  /** Written by somebody who may speak for the vendor, and for everybody to read. */
  mayBePublic: boolean
  createdAt: Date
}

/** Stored events are read by this schema. An event is only a hint: the issue's current state is what counts. */
export const TrackerEvent = Type.Object({
  kind: Type.Literal('changed'),
  dedupeKey: Type.String(),
  providerType: Type.String(),
  issueId: Type.String(),
})
export type TrackerEvent = Static<typeof TrackerEvent>

/** The result of reading an inbound body. */
export type ReceivedTrackerEvent =
  | TrackerEvent
  /** Of a type, or about a repository, that is not used. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Correctly signed, but not of a known shape. */
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }
  | { kind: 'unsigned'; reason: string }

/** `text` as it was typed, by staff or by a customer: an adapter keeps it from being read as commands or mentions. */
export type MarkedText = { text: string; mark: string }

export interface IssueTracker {
  name: TrackerName
  /** What `read` takes for the key of an existing issue, as people write it; null when it cannot be one. */
  referenceOf(key: string): string | null
  create(issue: MarkedText & { title: string }): Promise<TrackerIssue>
  /** All issues with the mark, the oldest first. A tracker may take a while until it finds a new one. */
  find(mark: string, since: Date): Promise<TrackerIssue[]>
  read(reference: string): Promise<TrackerIssue>
  /** Throws StatusNotAllowed when the tracker refuses the status, or keeps another one without saying so. */
  changeStatus(id: string, status: string): Promise<TrackerIssue>
  comment(id: string, comment: MarkedText): Promise<void>
  /** Those written since then, the oldest first. */
  comments(id: string, since: Date): Promise<TrackerComment[]>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws because of the request. */
  readEvent(headers: ReceivedHeaders, body: Buffer): ReceivedTrackerEvent
}

/** No answer, or one that says to try again: whether the call took effect is unknown. */
export class TrackerUnavailable extends Error {
  readonly retryAfterSeconds: number

  constructor(message: string, { retryAfterSeconds = 0, cause }: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The tracker will not do it until somebody changes something; the message is for staff. */
export class TrackerRefused extends Error {}

/** There is no such issue, or it may not be seen. */
export class IssueMissing extends TrackerRefused {}

export class StatusNotAllowed extends Error {
  constructor(status: string, from: string, allowed: readonly string[]) {
    const list = allowed.length === 0 ? 'nothing' : allowed.join(', ')
    super(`The tracker does not allow ${status} after ${from}, but ${list}`)
  }
}

/** The mark is the last line of what we write, so that a quotation with more text below is not taken for ours. */
export const withMark = ({ text, mark }: MarkedText): string => `${text}\n\n${mark}`

export const markIn = (body: string): string | null =>
  /(?:^|\n)\s*(titular-[0-9a-f]{20}(?:-\d{1,16})?)\s*$/.exec(body)?.[1] ?? null
