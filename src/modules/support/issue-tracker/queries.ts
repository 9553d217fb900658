// All SQL of the links between tickets and issues.
import type { TicketStatus } from '#modules/support/tickets/ticket.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { TrackerName } from '#ports/issue-tracker.ts'
import { syncIssue, type TicketIssue, type TicketIssueRow, ticketIssuesTable } from './ticket-issue.ts'

const SYNC = [
  'tracker_id',
  'mark',
  'title',
  'description',
  'ticket_status',
  'problem',
  'comments_after',
  'comments_read_until',
  'doubles_due_at',
  'tries',
  'next_sync_at',
]
const visible = sql`${raw(ticketIssuesTable.visible.map((column) => `i.${column}`).join(', '))}, s.last_synced_at`
const whole = sql`${visible}, ${raw(SYNC.map((column) => `s.${column}`).join(', '))}`
const withSync = (org: number) =>
  sql`ticket_issues i join issue_syncs s on s.organization_id = ${org} and s.ticket_issue_id = i.id`

/** A link with what of its ticket counts. */
export type LinkedTicket = TicketIssueRow & { number: string; priority: string; current_status: TicketStatus }
export type OutgoingComment = { id: number; body: string; by_staff: boolean }
export type OwnedIssue = { organization_id: number; id: number }

export const ticketIssues = {
  ofTicket: (org: number, ticketId: number) => sql<TicketIssue>`
    select ${visible} from ticket_issues i
      left join issue_syncs s on s.organization_id = ${org} and s.ticket_issue_id = i.id
     where i.organization_id = ${org} and i.ticket_id = ${ticketId}`,

  begin: (org: number, id: number, begun: NewSync) => sql`
    insert into issue_syncs (organization_id, ticket_issue_id, mark, title, description, ticket_status, comments_after,
                             comments_read_until)
    select ${org}, ${id}, ${begun.mark}, ${begun.title}, ${begun.description}, ${begun.ticketStatus},
      coalesce(max(c.id), 0),
           ${begun.at}
      from ticket_comments c where c.organization_id = ${org} and c.ticket_id = ${begun.ticketId}
    returning ticket_issue_id`,

  /** Locks the link. */
  async forChange(ctx: OrganizationContext, id: number): Promise<TicketIssueRow | undefined> {
    const org = ctx.organizationId
    const [row] = await ctx.ask<TicketIssueRow>(sql`
      select ${whole} from ${withSync(org)} where i.organization_id = ${org} and i.id = ${id} for update`)
    return row
  },

  /** Nothing of a deleted organization is sent anywhere. */
  toSync: (org: number, id: number) => sql<LinkedTicket>`
    select ${whole}, t.number, t.priority, t.status as current_status
      from ${withSync(org)}
      join tickets t on t.organization_id = ${org} and t.id = i.ticket_id
      join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
        and o.deleted_at is null
     where i.organization_id = ${org} and i.id = ${id}`,

  /** Public comments that the tracker has not got, in their order. */
  outgoing: (org: number, { id, ticket_id, comments_after }: TicketIssueRow, limit: number) => sql<OutgoingComment>`
    select c.id, c.body, c.by_staff from ticket_comments c
     where c.organization_id = ${org} and c.ticket_id = ${ticket_id} and not c.internal and c.id > ${comments_after}
       and not exists (select 1 from ticket_issue_comments k
             where k.organization_id = ${org} and k.ticket_issue_id = ${id} and k.comment_id = c.id)
     order by c.id limit ${limit}`,

  knownComments: (org: number, id: number) => sql<{ tracker_comment_id: string }>`
    select tracker_comment_id from ticket_issue_comments
     where organization_id = ${org} and ticket_issue_id = ${id} and tracker_comment_id is not null`,

  /** False when the comment is known already. */
  async rememberComment(
    ctx: OrganizationContext,
    id: number,
    comment: { comment_id: number | null; tracker_comment_id: string | null },
  ): Promise<boolean> {
    const added = await ctx.ask(sql`
      insert into ticket_issue_comments (organization_id, ticket_issue_id, comment_id, tracker_comment_id)
      values (${ctx.organizationId}, ${id}, ${comment.comment_id}::bigint, ${comment.tracker_comment_id})
      on conflict do nothing returning id`)
    return added.length > 0
  },

  /** False when the issue belongs to another ticket, of whichever organization. */
  async claim(ctx: OrganizationContext, { id, tracker }: TicketIssueRow, trackerId: string): Promise<boolean> {
    const added = await ctx.ask(sql`
      insert into issue_references (tracker, tracker_id, organization_id, ticket_issue_id)
      values (${tracker}, ${trackerId}, ${ctx.organizationId}, ${id}) on conflict do nothing returning tracker_id`)
    return added.length > 0
  },

  release: (org: number, id: number) =>
    sql`delete from issue_references where organization_id = ${org} and ticket_issue_id = ${id} returning tracker_id`,

  byReference: (tracker: string, trackerId: string) => sql<OwnedIssue>`
    select organization_id, ticket_issue_id as id from issue_references
     where tracker = ${tracker} and tracker_id = ${trackerId}`,

  /** The link that a new comment has to travel by; none for those that came by it. */
  ofComment: (org: number, commentId: number) => sql<{ id: number }>`
    select i.id from ticket_comments c
      join ticket_issues i on i.organization_id = ${org} and i.ticket_id = c.ticket_id and i.tracker <> 'none'
     where c.organization_id = ${org} and c.id = ${commentId} and not c.internal
       and not exists (select 1 from ticket_issue_comments k
             where k.organization_id = ${org} and k.ticket_issue_id = i.id and k.comment_id = c.id)`,

  /** The link of a ticket whose status changed; none for a status that came by it. */
  ofStep: (org: number, historyId: number) => sql<{ id: number }>`
    select i.id from ticket_history h
      join ticket_issues i on i.organization_id = ${org} and i.ticket_id = h.ticket_id
      join issue_syncs s on s.organization_id = ${org} and s.ticket_issue_id = i.id
     where h.organization_id = ${org} and h.id = ${historyId} and s.ticket_status is distinct from h.to_status`,

  /**
   * A job that has not begun, or that is to begin once a tracker that failed is asked again: it will see whatever has
   * changed until then.
   */
  waiting: ({ organization_id: org, id }: OwnedIssue, key: string, { realNow: now }: Clock) => sql<{ id: number }>`
    select id from jobs
     where organization_id = ${org} and key = ${key} and leased_until is null and dead_at is null and run_at <= ${now}
    union all
    select ticket_issue_id from issue_syncs
     where organization_id = ${org} and ticket_issue_id = ${id} and tries > 0 and next_sync_at > ${now}
     limit 1`,

  /** Due links of all organizations; those with a job, a dead letter included, are left to it. */
  due: (tracker: TrackerName, now: Date, limit: number) => sql<OwnedIssue>`
    select i.organization_id, i.id
      from issue_syncs s
      join ticket_issues i on i.organization_id = s.organization_id and i.id = s.ticket_issue_id
      join organizations o on o.id = i.organization_id and o.deleted_at is null
     where s.next_sync_at <= ${now} and i.tracker = ${tracker}
       and concat_ws(':', ${syncIssue.name}::text, i.organization_id, i.id)
         not in (select j.key from jobs j where j.kind = ${syncIssue.name} and j.key is not null)
     order by s.next_sync_at, i.organization_id, i.id limit ${limit}`,

  /** So that the ticket's status counts as new. */
  forget: (org: number, id: number) => sql`
    update issue_syncs set ticket_status = null, problem = null, tries = 0
     where organization_id = ${org} and ticket_issue_id = ${id} returning ticket_issue_id`,

  note: (org: number, id: number, noted: SyncState) => sql`
    update issue_syncs set tracker_id = ${noted.trackerId}, last_synced_at = ${noted.lastSyncedAt}::timestamptz,
           ticket_status = ${noted.ticketStatus}, problem = ${noted.problem}, tries = ${noted.tries},
           comments_read_until = ${noted.commentsReadUntil}, doubles_due_at = ${noted.doublesDueAt}::timestamptz,
           next_sync_at = ${noted.nextSyncAt}::timestamptz
     where organization_id = ${org} and ticket_issue_id = ${id} returning ticket_issue_id`,
}

type NewSync = {
  ticketId: number
  mark: string
  title: string | null
  description: string | null
  ticketStatus: TicketStatus
  at: Date
}

export type SyncState = {
  trackerId: string | null
  lastSyncedAt: string | Date | null
  ticketStatus: string | null
  problem: string | null
  tries: number
  commentsReadUntil: string | Date
  doublesDueAt: string | Date | null
  nextSyncAt: Date | null
}
