// The mails about a ticket: to its creator, its assignee (or its team) and its watchers, but not to the author of the
// change; internal comments to staff only. Tickets that customers open are mailed to `support_email` too.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import {
  amongMembersWith,
  type AudienceContext,
  type Recipient,
  supportAddress,
} from '#modules/messages/notifications/recipients.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { isStaffU } from '#kernel/values/staff-roles.ts'
import { sql } from '#kernel/values/sql.ts'
import { ticketCommentsTable } from './conversation.ts'
import { deadlineAnnouncements } from './deadline-announcements.ts'
import { unassignedTeam } from '#modules/support/teams/team-of-ticket.ts'
import { replyAddress } from './reply-address.ts'
import { memberAnswering, ticketAudience } from './ticket-audience.ts'
import { ENDED, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'

type Subject = Pick<
  Ticket,
  'number' | 'title' | 'status' | 'created_by' | 'assignee_id' | 'team_id' | 'watcher_ids'
> & {
  ticket_id: number
  author_id: number | null
  author_name: string | null
}
const subject = sql`t.id as ticket_id, t.number, t.title, t.status, t.created_by, t.assignee_id, t.team_id,
  t.watcher_ids`

const about = ({ ticket_id: id }: Subject) => ({ record: 'ticket', id }) as const

async function peopleOf(context: AudienceContext, facts: Subject & { internal?: boolean }): Promise<Recipient[]> {
  const team = await unassignedTeam(context, facts)
  const ids = [facts.created_by, facts.assignee_id, ...team, ...facts.watcher_ids].filter(
    (id) => id !== facts.author_id,
  )
  const people = await context.ask(ticketAudience(context, { userIds: ids, opener: facts.created_by }))
  return facts.internal === true ? people.filter(({ staff }) => staff) : people
}

/** Where a member answers who may comment on the ticket, while it takes comments. */
export async function ticketAnswersTo(facts: TicketOfMail, userId: number, io: IoContext): Promise<string | null> {
  const { secretKey, settings } = io.ports
  if (settings.replies === null || ENDED.includes(facts.status)) return null
  const of = { ...io, settings, organizationId: io.organizationId ?? 0 }
  const [member] = await io.read(memberAnswering(of, { userId, ticket: facts }))
  const target = { organizationId: of.organizationId, ticketId: facts.ticket_id, userId }
  return member ? replyAddress(secretKey, settings.replies.mailbox, target) : null
}

type TicketOfMail = Pick<Subject, 'ticket_id' | 'status' | 'created_by' | 'watcher_ids'>

type OpenedTicket = Subject & Pick<Ticket, 'priority' | 'description'> & { by_staff: boolean }

async function peopleAndDesk(context: AudienceContext, facts: OpenedTicket): Promise<Recipient[]> {
  const people = await peopleOf(context, facts)
  return facts.by_staff ? people : [...people, ...(await supportAddress(context, facts))]
}

const LONGEST = 2000
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)

const isStaff = isStaffU()

const ticketOpened = announcement({
  mail: 'ticket-opened',
  event: ticketsTable.events.created,
  facts: (org, id) => sql<OpenedTicket>`
    select ${subject}, t.priority, t.description, t.created_by as author_id, u.name as author_name,
           coalesce(${isStaff}, true) as by_staff
      from tickets t left join users u on u.id = t.created_by
     where t.organization_id = ${org} and t.id = ${id}`,
  audience: amongMembersWith('entitlements', peopleAndDesk, 'tickets'),
  about,
  isThread: true,
  answersTo: ticketAnswersTo,
  content: ({ number, title, author_name, priority, description }, common) => ({
    ...common,
    number,
    title,
    authorName: author_name ?? common.organizationName,
    priority,
    text: description === null ? null : cut(description),
  }),
})

const ticketCommented = announcement({
  mail: 'ticket-commented',
  event: ticketCommentsTable.events.created,
  facts: (org, id) => sql<Subject & { body: string; internal: boolean }>`
    select ${subject}, c.author_id, c.author_name, c.body, c.internal
      from ticket_comments c join tickets t on t.organization_id = ${org} and t.id = c.ticket_id
     where c.organization_id = ${org} and c.id = ${id}`,
  audience: amongMembersWith('entitlements', peopleOf, 'tickets'),
  about,
  isThread: true,
  answersTo: ticketAnswersTo,
  isInternal: ({ internal }) => internal,
  content: ({ number, title, author_name, body, internal }, common) => ({
    ...common,
    number,
    title,
    authorName: author_name ?? '',
    text: cut(body),
    internal,
  }),
})

type StatusChange = Subject & { from_status: Ticket['status']; to_status: Ticket['status']; note: string | null }

const ticketMoved = announcement({
  mail: 'ticket-moved',
  event: ticketHistoryTable.events.created,
  // Without the entry of the opening, which has a mail of its own.
  facts: (org, id) => sql<StatusChange>`
    select ${subject}, h.changed_by as author_id, u.name as author_name, h.note, h.from_status, h.to_status
      from ticket_history h join tickets t on t.organization_id = ${org} and t.id = h.ticket_id
      left join users u on u.id = h.changed_by
     where h.organization_id = ${org} and h.id = ${id} and h.from_status is not null`,
  audience: amongMembersWith('entitlements', peopleOf, 'tickets'),
  about,
  isThread: true,
  answersTo: ticketAnswersTo,
  content: ({ number, title, author_name: authorName, from_status: from, to_status: to, note }, common) => ({
    ...common,
    number,
    title,
    authorName,
    from,
    to,
    text: note === null ? null : cut(note),
  }),
})

export const ticketAnnouncements = [ticketOpened, ticketCommented, ticketMoved, ...deadlineAnnouncements]
