// Writes down what an exchange with the tracker brought: comments, status, and how the link stands.
import { isDeepStrictEqual } from 'node:util'
import { commentFromTracker } from '#modules/support/tickets/add-to-conversation.ts'
import { changeTicketStatus, recordTracker, lockTicket } from '#modules/support/tickets/change-ticket.ts'
import { ENDED } from '#modules/support/tickets/ticket.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { gapAfter } from '#kernel/jobs/jobs.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { cut, oneLine, storable } from '#kernel/values/text/text.ts'
import { enqueueSync } from './enqueue-sync.ts'
import type { ExchangeResult, Failure, ReceivedComment } from './exchange.ts'
import { type LinkedTicket, type SyncState, ticketIssues } from './queries.ts'
import { type TicketIssueRow, ticketIssuesTable } from './ticket-issue.ts'

const LONGEST_AUTHOR = 200
const LONGEST_COMMENT = 20_000
const ELSEWHERE: Failure = { isRefused: true, reason: 'The issue is linked to another ticket', waitSeconds: 0 }

export async function applyExchange(ctx: OrganizationContext, link: LinkedTicket, done: ExchangeResult): Promise<void> {
  const row = await ticketIssues.forChange(ctx, link.id)
  // Detached meanwhile.
  if (!row) return
  const isFirst = row.tracker_id === null && done.issue !== null
  if (isFirst && done.issue && !(await ticketIssues.claim(ctx, row, done.issue.id)))
    return settle(ctx, row, { ...done, issue: null, status: null, failure: ELSEWHERE, isOver: false })
  for (const comment_id of done.sent)
    await ticketIssues.rememberComment(ctx, row.id, { comment_id, tracker_comment_id: null })
  const problem = (await takeComments(ctx, link, done.received)) ?? done.problem
  const ticketStatus = await propagateStatus(ctx, link, done)
  await settle(ctx, row, { ...done, ticketStatus, problem, isOver: ENDED.includes(ticketStatus ?? 'open') })
  if (isFirst || done.hasMore) await enqueueSync(ctx, { organization_id: ctx.organizationId, id: row.id })
}

/** A problem when the ticket takes no comments any more. */
async function takeComments(
  ctx: OrganizationContext,
  { id, ticket_id, current_status }: LinkedTicket,
  received: readonly ReceivedComment[],
): Promise<string | null> {
  let problem: string | null = null
  for (const { id: trackerId, author, text } of received) {
    const comment = { body: storable(cut(text ?? '', LONGEST_COMMENT)), author_name: nameOf(author) }
    const added = text === null ? null : await orConflict(() => commentFromTracker(ctx, ticket_id, comment))
    if (text !== null && added === null) problem = `A comment was not taken over: the ticket is ${current_status}`
    await ticketIssues.rememberComment(ctx, id, { comment_id: added?.id ?? null, tracker_comment_id: trackerId })
  }
  return problem
}

const nameOf = (author: string): string => oneLine(storable(author), LONGEST_AUTHOR) || 'Issue tracker'

/** The status that both were compared in: where the ticket has moved meanwhile, its own job compares again. */
async function propagateStatus(
  ctx: OrganizationContext,
  link: LinkedTicket,
  { pull, ticketStatus, issue }: ExchangeResult,
) {
  if (pull === null) return ticketStatus
  const note = `${issue?.key ?? link.key}: ${issue?.status}`
  const change = { status: pull, from_status: link.current_status, note }
  const ticket = await lockTicket(ctx, link.ticket_id)
  return (await orConflict(() => changeTicketStatus(ctx, ticket, change)))?.status ?? ticketStatus
}

/** Null when the ticket's state does not allow it. */
async function orConflict<Result>(act: () => Promise<Result>): Promise<Result | null> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return null
    throw error
  }
}

async function settle(ctx: OrganizationContext, row: TicketIssueRow, done: ExchangeResult & { isOver: boolean }) {
  const { issue, status, failure, problem } = done
  const { key, url } = issue ?? row
  const shown = {
    key,
    url,
    status,
    sync_state: failure ? (failure.isRefused ? 'failed' : 'pending') : problem ? 'failed' : 'in_sync',
    sync_error: failure?.reason ?? problem,
  } as const
  if (!isDeepStrictEqual(shown, shownOf(row))) await update(ctx, ticketIssuesTable, row.id, shown)
  if (issue) await recordTracker(ctx, row.ticket_id, { tracker_key: issue.key, tracker_url: issue.url })
  await ctx.ask(ticketIssues.note(ctx.organizationId, row.id, notedOf(ctx, row, done)))
}

const shownOf = ({ key, url, status, sync_state, sync_error }: TicketIssueRow) => ({
  key,
  url,
  status,
  sync_state,
  sync_error,
})

function notedOf(ctx: OrganizationContext, row: TicketIssueRow, done: ExchangeResult & { isOver: boolean }): SyncState {
  const { issue, failure, problem, ticketStatus, readUntil, doublesDueAt } = done
  const tries = failure ? row.tries + 1 : 0
  return {
    trackerId: issue?.id ?? row.tracker_id,
    lastSyncedAt: failure ? row.last_synced_at : ctx.now,
    ticketStatus,
    problem,
    tries,
    commentsReadUntil: readUntil,
    doublesDueAt,
    nextSyncAt: failure ? fromNow(ctx, Math.max(gapAfter(tries), failure.waitSeconds)) : nextLook(ctx, done),
  }
}

/** A ticket that has ended takes nothing any more, so its issue is not looked at without news. */
function nextLook(ctx: OrganizationContext, { isOver, doublesDueAt }: { isOver: boolean; doublesDueAt: Date | null }) {
  const look = isOver ? null : fromNow(ctx, ctx.settings.issueTracker?.pollSeconds ?? 0)
  if (doublesDueAt === null) return look
  return look === null || doublesDueAt < look ? doublesDueAt : look
}
