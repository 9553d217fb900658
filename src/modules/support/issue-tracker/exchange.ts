// One talk with the tracker about one link: reads both sides and carries over what is new. Holds no transaction; what
// it learned is settled afterwards, also where it broke off.
import type { IoContext } from '#kernel/data/context.ts'
import { fromNow, isPast } from '#kernel/values/time/clock.ts'
import {
  IssueMissing,
  type IssueTracker,
  markIn,
  StatusNotAllowed,
  type SyncedStatus,
  type TrackerComment,
  type TrackerIssue,
  TrackerRefused,
  TrackerUnavailable,
  type StatusPair,
} from '#ports/issue-tracker.ts'
import { type LinkedTicket, ticketIssues } from './queries.ts'
import { decide, theirsOf } from './status-map.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { pairsOf } from '#ports/tracker-settings.ts'
import { commentMark, commentText, issueText, publicText } from './written-texts.ts'

export type Failure = { isRefused: boolean; reason: string; waitSeconds: number }

/** `text` is null when the comment is not for customers. */
export type ReceivedComment = { id: string; author: string; text: string | null }

export type ExchangeResult = {
  issue: TrackerIssue | null
  /** Both as they were compared, or as they were before when the talk broke off. */
  status: string | null
  ticketStatus: SyncedStatus | null
  /** Our comments that are in the tracker by now. */
  sent: number[]
  received: ReceivedComment[]
  readUntil: Date
  pull: SyncedStatus | null
  problem: string | null
  doublesDueAt: Date | null
  hasMore: boolean
  failure: Failure | null
}

type Talk = { io: IoContext; tracker: IssueTracker; link: LinkedTicket; done: ExchangeResult } & Mapping
/** What is in force when the exchange begins. */
type Mapping = { pairs: readonly StatusPair[]; prefix: string }

const BATCH = 50
/** Comments are read again so far back, since a tracker may show one later than a younger one. */
const OVERLAP_MS = 300_000
/** After so long every tracker's search knows a new issue. */
const SEARCH_LAG_SECONDS = 120
const HOUR_MS = 3_600_000

/** `isRepeated`: an attempt before this one may have ended after it had created the issue. */
export async function exchange(io: IoContext, link: LinkedTicket, isRepeated: boolean): Promise<ExchangeResult> {
  const done: ExchangeResult = {
    issue: null,
    status: link.status,
    ticketStatus: link.ticket_status,
    sent: [],
    received: [],
    readUntil: new Date(link.comments_read_until),
    pull: null,
    problem: link.problem,
    doublesDueAt: link.doubles_due_at === null ? null : new Date(link.doubles_due_at),
    hasMore: false,
    failure: null,
  }
  const { issueTracker: tracker } = io.ports
  const mapping = await mappingNow(io)
  try {
    if (tracker?.name !== link.tracker) throw new TrackerRefused(`The issue is in ${link.tracker}, which is not in use`)
    const talk = { io, tracker, link, done, ...mapping }
    // At first only the issue: nothing is carried over before it is certain that it belongs to no other ticket.
    if (link.tracker_id !== null) await talkAbout(talk, link.tracker_id)
    else {
      if (isRepeated) expectDoubles(talk)
      done.issue = await findOrCreate(talk)
      done.status = done.issue.status
    }
  } catch (error) {
    done.failure = failureOf(error)
  }
  return done
}

async function mappingNow(io: IoContext): Promise<Mapping> {
  const settings = readingOf(io)
  const pairs = pairsOf(await settingOf(settings, 'vendor', 'issue_statuses'))
  return { pairs, prefix: await settingOf(settings, 'vendor', 'issue_public_prefix') }
}

async function talkAbout(talk: Talk, id: string): Promise<void> {
  const { io, tracker, done } = talk
  done.issue = await tracker.read(id)
  if (done.doublesDueAt !== null && isPast(io, done.doublesDueAt)) await closeDoubles(talk, done.issue)
  await carryComments(talk, id)
  await carryStatus(talk, done.issue)
}

async function findOrCreate(talk: Talk): Promise<TrackerIssue> {
  const { io, tracker, link } = talk
  if (link.key !== null) {
    const reference = tracker.referenceOf(link.key)
    if (reference === null) throw new IssueMissing(`The tracker has no issue ${link.key}`)
    return tracker.read(reference)
  }
  const [found] = await tracker.find(link.mark, sinceLink(link))
  if (found) return found
  try {
    return await tracker.create(issueText(io, link))
  } catch (error) {
    if (error instanceof TrackerUnavailable) expectDoubles(talk)
    throw error
  }
}

const expectDoubles = ({ io, done }: Talk): void => void (done.doublesDueAt = fromNow(io, SEARCH_LAG_SECONDS))

/** An hour before the link, should the tracker's clock be late. */
const sinceLink = ({ created_at }: LinkedTicket): Date => new Date(new Date(created_at).getTime() - HOUR_MS)

/** The issue may have been created by an attempt whose answer was lost, and again by the next one. */
async function closeDoubles({ tracker, link, done, pairs }: Talk, issue: TrackerIssue): Promise<void> {
  const status = theirsOf(pairs, 'cancelled')
  for (const double of await tracker.find(link.mark, sinceLink(link))) {
    if (double.id === issue.id || double.status === status) continue
    await tracker.comment(double.id, { text: `Duplicate of ${issue.key}`, mark: link.mark })
    if (status === null) continue
    await tracker.changeStatus(double.id, status).catch((error: unknown) => {
      if (!(error instanceof StatusNotAllowed)) throw error
    })
  }
  done.doublesDueAt = null
}

async function carryComments({ io, tracker, link, done, prefix }: Talk, id: string): Promise<void> {
  const org = io.organizationId ?? 0
  const outgoing = await io.read(ticketIssues.outgoing(org, link, BATCH))
  const known = new Set((await io.read(ticketIssues.knownComments(org, link.id))).map((one) => one.tracker_comment_id))
  const comments = await tracker.comments(id, new Date(done.readUntil.getTime() - OVERLAP_MS))
  done.received = comments.filter((one) => isNews(link, one) && !known.has(one.id)).map((one) => received(one, prefix))
  for (const { createdAt } of comments) if (createdAt > done.readUntil) done.readUntil = createdAt
  // Not those that somebody else may have copied.
  const marks = new Set(comments.filter(({ mayBePublic }) => mayBePublic).map(({ body }) => markIn(body)))
  for (const comment of outgoing) {
    const mark = commentMark(link, comment)
    // It is there already when an earlier attempt was not answered.
    if (!marks.has(mark)) await tracker.comment(id, { text: commentText(comment), mark })
    done.sent.push(comment.id)
  }
  done.hasMore = outgoing.length === BATCH
}

/** Not one of ours, and not from before the link. Some trackers give times in seconds. */
const isNews = ({ created_at }: LinkedTicket, { body, createdAt }: TrackerComment): boolean =>
  markIn(body) === null && createdAt.getTime() >= Math.floor(new Date(created_at).getTime() / 1000) * 1000

const received = ({ id, author, body, mayBePublic }: TrackerComment, prefix: string): ReceivedComment => ({
  id,
  author,
  text: mayBePublic ? publicText(body, prefix) : null,
})

async function carryStatus({ tracker, link, done, pairs }: Talk, issue: TrackerIssue): Promise<void> {
  const { current_status: ours, ticket_status: oursBefore, status: theirsBefore } = link
  const statuses = { ours, theirs: issue.status, oursBefore, theirsBefore: theirsBefore ?? issue.status }
  const decision = decide(pairs, statuses)
  if (decision.act !== 'keep') done.problem = null
  if (decision.act === 'tell') done.problem = decision.problem
  if (decision.act === 'pull') done.pull = decision.to
  if (decision.act === 'push')
    try {
      done.issue = await tracker.changeStatus(issue.id, decision.to)
    } catch (error) {
      if (!(error instanceof StatusNotAllowed)) throw error
      done.problem = error.message
    }
  done.ticketStatus = ours
  done.status = done.issue?.status ?? issue.status
}

/** Other errors are ours, and fail the job. */
function failureOf(error: unknown): Failure {
  if (error instanceof TrackerUnavailable)
    return { isRefused: false, reason: error.message, waitSeconds: error.retryAfterSeconds }
  if (error instanceof TrackerRefused) return { isRefused: true, reason: error.message, waitSeconds: 0 }
  throw error
}
