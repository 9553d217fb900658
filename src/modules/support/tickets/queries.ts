// All SQL of tickets.
import type { Due } from '#kernel/jobs/sweep.ts'
import type { Entitlement, StatusFields } from '#modules/delivery/entitlements/entitlement.ts'
import { ofOrganizationNamed, type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { contains, mayRead } from '#kernel/data/lists/search.ts'
import type { OrganizationContext, Settings } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { isStaffU } from '#kernel/values/staff-roles.ts'
import { searchPage } from '#kernel/data/lists/search-page.ts'
import { isOneOf, join, nothing, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { TicketAttachment, TicketComment } from './conversation.ts'
import { openingRules, type OpeningRules } from './opening-rules.ts'
import {
  type AdministratorsTicketFilters,
  Ticket,
  type TicketFilters,
  ticketListing,
  ticketsTable,
  type TicketWithClock,
} from './ticket.ts'

const listOf = (schema: { properties: object }): Statement => sql`${raw(Object.keys(schema.properties).join(', '))}`
const names = Object.keys(Ticket.properties)
/** What a ticket is about is told to those only who may read it there. */
const READ_BY = { invoice_id: 'finances', order_id: 'orders' } as const
const isForStaff = sql`current_setting('app.staff', true) = 'on'`
function shown(name: string): Statement {
  return name === 'invoice_id' || name === 'order_id'
    ? sql`case when ${mayRead(READ_BY[name])} then ${raw(name)} end as ${raw(name)}`
    : sql`${raw(name)}`
}
const columnsOfAll = join(names.map(shown), ', ')
const columns = join(
  names.map((name) => (name === 'team_id' ? sql`case when ${isForStaff} then team_id end as team_id` : shown(name))),
  ', ',
)
const about = (name: keyof typeof READ_BY, id: number): Statement =>
  sql`and ${raw(name)} = ${id} and ${mayRead(READ_BY[name])}`

const filtered = (query: TicketFilters) => sql`
  ${withExternalId(query)}
  ${isOneOf('status', query.status)}
  ${isOneOf('priority', query.priority)}
  ${when(query.entitlement_id, (id) => sql`and entitlement_id = ${id}`)}
  ${when(query.invoice_id, (id) => about('invoice_id', id))}
  ${when(query.order_id, (id) => about('order_id', id))}
  ${when(query.assignee_id, (id) => sql`and assignee_id = ${id}`)}
  ${when(query.team_id, (id) => sql`and team_id = ${id}`)}`

/** The tickets of the organization, or of a record of its. */
const listOfTickets = (org: number, query: TicketFilters, among: Statement, parent?: Statement) =>
  searchPage(query, {
    org,
    listing: ticketListing,
    // A kept total is that of everybody with the same sight of tickets, whatever else they may read.
    ...(!(query.invoice_id ?? query.order_id ?? query.team_id) && { keptFor: org }),
    tables: [ticketsTable],
    columns,
    from: sql`from tickets where organization_id = ${org} ${among} ${filtered(query)}
      ${when(query.team_id, () => sql`and ${isForStaff}`)}`,
    ...(parent && { parent }),
  })

const isAnyStaff = isStaffU()

/** A deadline is missed after its moment. */
const PASSED = sql`interval '1 millisecond'`

/** As the condition of its index. */
const IS_UNASSIGNED = sql`and assignee_id is null and status in ('open', 'in_progress', 'waiting')`

export const tickets = {
  pageOfAll: (query: AdministratorsTicketFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'tickets',
      listing: ticketListing,
      columns: columnsOfAll,
      ...(query.assigned === false && {
        sortedBy: { column: 'next_due_at', type: 'timestamptz', isNullable: true },
        oldestFirst: true,
      }),
      filtered: sql`${filtered(query)}
        ${when(query.assigned, (assigned) => (assigned ? sql`and assignee_id is not null` : IS_UNASSIGNED))}
        ${when(
          query.search,
          (
            text,
          ) => sql`and (${contains('number', text)} or ${contains('title', text)} or ${contains('description', text)}
            or ${ofOrganizationNamed('tickets', contains('o.name', text))})`,
        )}`,
    }),
  page: (org: number, query: TicketFilters) => listOfTickets(org, query, nothing),
  ofEnvironment: (org: number, id: number, query: TicketFilters) =>
    listOfTickets(org, query, sql`and environment_id = ${id}`, parentIn('environments', org, id)),
  ofService: (org: number, id: number, query: TicketFilters) =>
    listOfTickets(org, query, sql`and service_id = ${id}`, parentIn('services', org, id)),
  byId: (org: number, id: number) =>
    row<Ticket>(sql`select ${columns} from tickets where organization_id = ${org} and id = ${id}`),
  comments: (org: number, id: number, query: Page) => page(query, ofTicket('ticket_comments', TicketComment, org, id)),
  attachments: (org: number, id: number, query: Page) =>
    page(query, ofTicket('ticket_attachments', TicketAttachment, org, id)),

  locked: (org: number, id: number) => sql<TicketWithClock>`
    select ${listOf(Ticket)}, business_hours, first_response_warn_at, resolution_warn_at from tickets
      where organization_id = ${org} and id = ${id} for update`,
  /** The ticket, locked, or 404. */
  async forChange(ctx: OrganizationContext, id: number): Promise<TicketWithClock> {
    const [ticket] = await ctx.ask(tickets.locked(ctx.organizationId, id))
    if (!ticket) throw notFound()
    return ticket
  },
  statusOf: (org: number, id: number) =>
    sql<Pick<Ticket, 'id' | 'status'>>`select id, status from tickets where organization_id = ${org} and id = ${id}`,

  /** Where the bytes are, and the number of the ticket. */
  content: (org: number, ticketId: number, id: number) => sql<AttachmentContent>`
    select a.id, a.content_type, a.size, a.sha256, a.storage_key, a.uploaded_by, t.number
      from ticket_attachments a join tickets t on t.organization_id = ${org} and t.id = a.ticket_id
     where a.organization_id = ${org} and a.ticket_id = ${ticketId} and a.id = ${id}`,

  /** The comment that was made of a mail. */
  ofMessage: (org: number, digest: string) => sql<{ id: number }>`
    select id from ticket_comments where organization_id = ${org} and message_digest = ${digest}`,
  /** How many comments of an account on the ticket have come by mail since then. */
  mailedSince: (org: number, { id, userId, from }: { id: number; userId: number; from: Date }) => sql<{
    count: number
  }>`
    select count(*) as count from ticket_comments
     where organization_id = ${org} and ticket_id = ${id} and author_id = ${userId}
       and message_digest is not null and created_at > ${from}`,

  /** The entitlement with its environment: one that is not decommissioned first, then production first. */
  entitlement: (org: number, id: number | null, settings: Settings) => sql<Subject>`
    select e.id, e.code, e.class, e.status, e.status_reason, e.expires_at, e.renews, e.suspends_at, e.suspends_reason,
           (select n.id from environments n where n.organization_id = ${org} and n.entitlement_id = e.id
             order by (n.status = 'decommissioned'), (n.environment_type <> 'production'), n.id
               limit 1) as environment_id,
           (select to_jsonb(r) from (${openingRules(settings)}) r) as rules
      from entitlements e where e.organization_id = ${org} and e.id = ${id}`,
  environment: (org: number, id: number) => sql<{ id: number; entitlement_id: number }>`
    select id, entitlement_id from environments where organization_id = ${org} and id = ${id}`,
  service: (org: number, id: number) => sql<{ id: number; entitlement_id: number }>`
    select id, entitlement_id from services where organization_id = ${org} and id = ${id}`,

  /** For a text to whoever opened it: no language and name where staff did. `company`: null without a record of one. */
  addressed: (org: number, id: number) => sql<Addressee>`
    select t.number, t.title, u.language, u.name as requester_name,
           coalesce(
             (select e.company from entitlements e where e.organization_id = ${org} and e.id = t.entitlement_id),
             (select i.company from invoices i where i.organization_id = ${org} and i.id = t.invoice_id),
             (select o.company from orders o where o.organization_id = ${org} and o.id = t.order_id)) as company
      from tickets t left join users u on u.id = t.created_by and not (${isAnyStaff})
     where t.organization_id = ${org} and t.id = ${id}`,
  organization: (org: number) => sql<{ name: string; country: string | null }>`
    select name, country from organizations where organization_id = ${org} and id = ${org}`,

  invoice: (org: number, id: number) => sql<{ id: number }>`
    select id from invoices where organization_id = ${org} and id = ${id}`,
  order: (org: number, id: number) => sql<{ id: number }>`
    select id from orders where organization_id = ${org} and id = ${id}`,

  /** Tickets of all organizations with a breach or a warning that has no event yet. */
  due: (now: Date) => sql<Due>`
    select organization_id, id, first_response_due_at + ${PASSED} as due_at from tickets
     where clock_stopped_at is null and first_responded_at is null and not first_response_breached
       and first_response_due_at < ${now}
    union all
    select organization_id, id, first_response_warn_at + ${PASSED} from tickets
     where clock_stopped_at is null and first_responded_at is null and not first_response_breached
       and not first_response_warned and first_response_warn_at < ${now}
    union all
    select organization_id, id, resolution_warn_at + ${PASSED} from tickets
     where clock_stopped_at is null and not resolution_breached and not resolution_warned
       and resolution_warn_at < ${now}
    union all
    select organization_id, id, resolution_due_at + ${PASSED} from tickets
     where clock_stopped_at is null and not resolution_breached and resolution_due_at < ${now}`,
}

export type Subject = Pick<Entitlement, 'id' | 'code' | 'class' | 'status_reason' | 'suspends_reason'> &
  StatusFields & {
    environment_id: number | null
    rules: OpeningRules
  }
type Addressee = Pick<Ticket, 'number' | 'title'> & {
  language: string | null
  requester_name: string | null
  company: Company | null
}
export type AttachmentContent = {
  id: number
  content_type: string
  size: number
  sha256: string
  storage_key: string
  uploaded_by: number | null
  number: string
}

const ofTicket = (tableName: string, schema: { properties: object }, org: number, ticketId: number) => ({
  columns: listOf(schema),
  from: sql`from ${raw(tableName)} where organization_id = ${org} and ticket_id = ${ticketId}`,
  oldestFirst: true,
  parent: parentIn('tickets', org, ticketId),
})
