// Mails about a ticket: to its creator, its assignee and its watchers, never to who did it; what is internal to staff
// alone. Each reader has a job of its own.
import { sendMail } from '#areas/notifications/send-mail.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { enqueue, type JobInput, organizationJob } from '#kernel/jobs/jobs.ts'
import { sql, type Statement } from '#kernel/data/sql.ts'
import '#ports/ports.ts'
import type { MailContent } from '#texts/mail/content.ts'
import { type Listener, listeners } from './people.ts'
import type { Ticket } from './ticket.ts'

type Fact = Pick<Ticket, 'number' | 'title' | 'priority' | 'created_by' | 'assignee_id' | 'watcher_ids'> & {
  organization_name: string
  author_id: number | null
  author_name: string | null
  author_staff: boolean
  text: string | null
  internal: boolean
  from_status: Ticket['status'] | null
  to_status: Ticket['status'] | null
}

const KINDS = ['ticket-opened', 'ticket-commented', 'ticket-moved'] as const
type Kind = (typeof KINDS)[number]

const common = sql`t.number, t.title, t.priority, t.created_by, t.assignee_id, t.watcher_ids, o.name as organization_name`

const FACTS: Record<Kind, (org: number, id: number) => Statement<Fact>> = {
  'ticket-opened': (org, id) => sql<Fact>`
    select ${common}, t.created_by as author_id, u.name as author_name,
           coalesce('administrator' = any(u.roles), true) as author_staff, t.description as text,
           false as internal, null as from_status, null as to_status
      from tickets t join organizations o on o.organization_id = ${org} and o.id = t.organization_id
      left join users u on u.id = t.created_by
     where t.organization_id = ${org} and t.id = ${id}`,
  'ticket-commented': (org, id) => sql<Fact>`
    select ${common}, c.author_id, c.author_name, c.by_staff as author_staff, c.body as text, c.internal,
           null as from_status, null as to_status
      from ticket_comments c join tickets t on t.organization_id = ${org} and t.id = c.ticket_id
      join organizations o on o.organization_id = ${org} and o.id = t.organization_id
     where c.organization_id = ${org} and c.id = ${id}`,
  // The first entry is the opening, which has a mail of its own.
  'ticket-moved': (org, id) => sql<Fact>`
    select ${common}, h.changed_by as author_id, u.name as author_name, false as author_staff, h.note as text,
           false as internal, h.from_status, h.to_status
      from ticket_history h join tickets t on t.organization_id = ${org} and t.id = h.ticket_id
      join organizations o on o.organization_id = ${org} and o.id = t.organization_id
      left join users u on u.id = h.changed_by
     where h.organization_id = ${org} and h.id = ${id} and h.from_status is not null`,
}

const readersOf = (org: number, now: Date, fact: Fact): Statement<Listener> =>
  listeners(
    org,
    now,
    [fact.created_by, fact.assignee_id, ...fact.watcher_ids].filter((id) => id !== fact.author_id),
  )

const mayRead = (fact: Fact, { staff }: Listener): boolean => staff || !fact.internal

const LONGEST = 2000
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)

function contentOf(kind: Kind, fact: Fact): MailContent {
  const { number, title, organization_name: organizationName, author_name: authorName } = fact
  const about = { number, title, organizationName, link: null }
  const text = fact.text === null ? null : cut(fact.text)
  switch (kind) {
    case 'ticket-opened':
      return { kind, ...about, authorName: authorName ?? organizationName, priority: fact.priority, text }
    case 'ticket-commented':
      return { kind, ...about, authorName: authorName ?? '', text: text ?? '', internal: fact.internal }
    case 'ticket-moved':
      return { kind, ...about, authorName, from: fact.from_status ?? 'open', to: fact.to_status ?? 'open', text }
  }
}

/** One job per reader, so that a mail that fails keeps no other back. The desk hears of what customers open. */
const announce = (kind: Kind) =>
  organizationJob({
    kind: `tickets/announce-${kind}`,
    run: async (ctx, { payload }) => {
      const id = Number(payload['resource_id'])
      const [fact] = await ctx.ask(FACTS[kind](ctx.organizationId, id))
      if (!fact) return
      const readers = await ctx.ask(readersOf(ctx.organizationId, ctx.now, fact))
      for (const reader of readers.filter((one) => mayRead(fact, one)))
        await enqueue(ctx, `tickets/mail-${kind}`, { id, user_id: reader.user_id })
      if (kind === 'ticket-opened' && !fact.author_staff && ctx.settings.supportEmail !== null)
        await enqueue(ctx, `tickets/mail-${kind}`, { id, user_id: null })
    },
  })

const mail = (kind: Kind) =>
  organizationJob({
    kind: `tickets/mail-${kind}`,
    before: async (outside, job) => {
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(FACTS[kind](org, Number(job.payload['id'])))
      if (!fact) return
      const reader = await readerOf(outside, job, fact)
      if (reader) await sendMail(outside, job, reader, contentOf(kind, fact))
    },
  })

/** Nobody when they have left the organization, lost the scope or stopped watching since. */
async function readerOf(
  outside: IoContext,
  { payload }: JobInput,
  fact: Fact,
): Promise<{ email: string; language: string } | undefined> {
  const desk = outside.ports.settings.supportEmail
  if (payload['user_id'] === null) return desk === null ? undefined : { email: desk, language: 'en' }
  const readers = await outside.read(readersOf(outside.organizationId ?? 0, outside.now, fact))
  return readers.find((one) => one.user_id === payload['user_id'] && mayRead(fact, one))
}

export const ticketMailJobs = KINDS.flatMap((kind) => [announce(kind), mail(kind)])

export const ticketConsumers: readonly Consumer[] = [
  { event: 'titular/ticket/created', job: 'tickets/announce-ticket-opened' },
  { event: 'titular/ticket_comment/created', job: 'tickets/announce-ticket-commented' },
  { event: 'titular/ticket_status/created', job: 'tickets/announce-ticket-moved' },
]
