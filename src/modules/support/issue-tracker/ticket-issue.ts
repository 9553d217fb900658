// The link between a ticket and an issue of the vendor's tracker: its record, its body, its jobs' kinds.
import { Type, type Static } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Closed, HttpUrl, Id, Name, Nullable, Reference, Text, Timestamp } from '#kernel/values/schema.ts'
import { type SyncedStatus, TRACKERS } from '#ports/issue-tracker.ts'

const SYNC_STATES = ['recorded', 'pending', 'in_sync', 'failed'] as const

const Link = Type.Object({
  id: Id,
  ticket_id: Id,
  tracker: Type.Enum(['none', ...TRACKERS], {
    description: '`none`: recorded by hand, without a tracker',
    examples: ['jira'],
  }),
  key: Nullable(
    Type.String({ description: 'What people call the issue; null until it is created', examples: ['SUP-42'] }),
  ),
  url: Nullable(Type.String({ format: 'uri', examples: ['https://acme.atlassian.net/browse/SUP-42'] })),
  status: Nullable(Type.String({ description: 'As the tracker names it', examples: ['In Progress'] })),
  sync_state: Type.Enum(SYNC_STATES, {
    description:
      '`pending`: the tracker has not been reached; `failed`: it, or the ticket, refused something; ' +
      '`recorded`: nothing is sent',
    examples: ['in_sync'],
  }),
  sync_error: Nullable(
    Type.String({
      description: 'Why it is pending or failed; null for customers',
      examples: ['The tracker did not answer'],
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const TicketIssue = Type.Object(
  { ...Link.properties, last_synced_at: Nullable(Timestamp) },
  { description: 'The issue of a ticket in the vendor’s issue tracker' },
)
export type TicketIssue = Static<typeof TicketIssue>

export const ticketIssuesTable = table('ticket_issues', 'ticket_issue', Link, {
  extra: ['organization_id'],
  // Of the vendor's own system: neither customers nor their webhooks get to see it.
  masked: ['sync_error'],
})

/** A link with what only the synchronization knows. */
export type TicketIssueRow = TicketIssue & {
  tracker_id: string | null
  mark: string
  title: string | null
  description: string | null
  ticket_status: SyncedStatus | null
  problem: string | null
  comments_after: number
  comments_read_until: string
  doubles_due_at: string | null
  tries: number
  next_sync_at: string | null
}

export const NewTicketIssue = Closed({
  organization_id: Type.Optional(Id),
  key: Type.Optional(Reference),
  url: Type.Optional(HttpUrl),
  title: Type.Optional(Name),
  description: Type.Optional(Text),
})
export type NewTicketIssue = Static<typeof NewTicketIssue>

export const syncIssue = jobKind('issue-tracker/sync', { ticket_issue_id: Id })
