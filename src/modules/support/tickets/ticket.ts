// The ticket (service request; spec 2.15, 3.4): its states, its clock, the bodies that customers and staff send.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, OPTIONAL_TIME, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import type { BusinessHours } from '#modules/delivery/business-hours/business-hours.ts'
import { HistoryEntry, type History } from '#kernel/data/audit/history.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  Closed,
  Id,
  Line,
  Name,
  Nullable,
  Paging,
  PartFilter,
  SearchFilter,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = ['open', 'in_progress', 'waiting', 'resolved', 'closed', 'cancelled'] as const
export const TicketStatus = Type.Enum(STATUSES, { examples: ['open'] })
export type TicketStatus = (typeof STATUSES)[number]

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export const Priority = Type.Enum(PRIORITIES, { examples: ['high'] })

export const ticketMoves = moves(STATUSES, {
  start: { from: ['open', 'waiting'], to: 'in_progress', event: 'started' },
  wait: { from: ['open', 'in_progress'], to: 'waiting' },
  resolve: { from: ['open', 'in_progress', 'waiting'], to: 'resolved' },
  close: { from: ['open', 'in_progress', 'waiting', 'resolved'], to: 'closed' },
  cancel: { from: ['open', 'in_progress', 'waiting'], to: 'cancelled' },
  reopen: { from: ['resolved'], to: 'open', event: 'reopened' },
})

const INTO = {
  open: ticketMoves.reopen,
  in_progress: ticketMoves.start,
  waiting: ticketMoves.wait,
  resolved: ticketMoves.resolve,
  closed: ticketMoves.close,
  cancelled: ticketMoves.cancel,
} as const

/** The one move into the status. */
export const moveInto = (status: TicketStatus) => INTO[status]

export const CUSTOMER_MAY: readonly TicketStatus[] = ['open', 'closed', 'cancelled']
/** Statuses in which the clock runs. */
export const RUNNING: readonly TicketStatus[] = ['open', 'in_progress']
/** Final statuses. */
export const ENDED: readonly TicketStatus[] = ['closed', 'cancelled']

export const ENTITLEMENT_PROBLEMS = ['suspended', 'expired', 'cancelled'] as const

/** `SR-20260001`: the year (UTC) and a number of at least four digits. */
export const TicketNumber = Type.String({ pattern: '^SR-\\d{4}\\d{4,}$', examples: ['SR-20260001'] })

export const Ticket = Type.Object(
  {
    id: Id,
    number: TicketNumber,
    status: TicketStatus,
    title: Name,
    description: Nullable(Text),
    priority: Priority,
    organization_id: Id,
    entitlement_id: Nullable({ ...Id, description: 'Null: about an invoice, an order, or nothing in particular' }),
    entitlement_code: Nullable(Type.String({ examples: ['ENV-2026110001'] })),
    entitlement_problem: Nullable(
      Type.Enum(ENTITLEMENT_PROBLEMS, {
        description: 'Why the entitlement could not be used when the ticket was opened; null: it was active',
        examples: ['expired'],
      }),
    ),
    environment_id: Nullable(Id),
    service_id: Nullable(Id),
    invoice_id: Nullable({ ...Id, description: 'Null also for callers without the scope `finances`' }),
    order_id: Nullable({ ...Id, description: 'Null also for callers without the scope `orders`' }),
    created_by: Nullable(Id),
    assignee_id: Nullable(Id),
    team_id: Nullable({ ...Id, description: 'The team that has it; null for customers, always' }),
    watcher_ids: Type.Array(Id, {
      description: 'Users who get its mails, in addition to its creator and its assignee',
    }),
    tracker_key: Nullable(Line),
    tracker_url: Nullable(Type.String({ format: 'uri' })),
    ...integration,
    first_response_due_at: Nullable(Timestamp),
    resolution_due_at: Nullable(Timestamp),
    first_responded_at: Nullable(Timestamp),
    next_due_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The next deadline that is still open; null without one, and while the service levels are paused',
        examples: ['2026-11-20T14:42:55.123Z'],
      }),
    ),
    first_response_warned: Type.Boolean({ description: 'Staff were warned of the deadline' }),
    resolution_warned: Type.Boolean({ description: 'Staff were warned of the deadline' }),
    first_response_breached: Type.Boolean(),
    resolution_breached: Type.Boolean(),
    clock_stopped_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Since when the service levels are paused: waiting, resolved or ended',
      }),
    ),
    paused_seconds: Type.Integer({
      description: 'Total of the earlier pauses in seconds, of business hours where there are any',
      examples: [3600],
    }),
    resolved_at: Nullable(Timestamp),
    closed_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A ticket (service request)' },
)
export type Ticket = Static<typeof Ticket>

/** Columns of the clock that no answer shows. */
export type TicketClock = {
  /** Those of the time in which the ticket was opened; null is round the clock. */
  business_hours: BusinessHours | null
  first_response_warn_at: string | null
  resolution_warn_at: string | null
}
export type TicketWithClock = Ticket & TicketClock

export const ticketsTable = table('tickets', 'ticket', Ticket, {
  moves: ticketMoves,
  events: ['first_responded', 'sla_warning', 'sla_breached', 'team_changed'],
  derived: ['next_due_at'],
  extra: ['business_hours', 'first_response_warn_at', 'resolution_warn_at'],
  times: ['first_response_warn_at', 'resolution_warn_at'],
  search: ['number', 'title', 'external_id'],
  // Whoever sees tickets, their events and their entries need not be one who may read invoices, orders and teams.
  masked: ['invoice_id', 'order_id', 'team_id'],
})

const request = {
  title: Name,
  description: Type.Optional(Nullable(Text)),
  priority: Type.Optional(Priority),
  assignee_id: Type.Optional(Nullable(Id)),
  team_id: Type.Optional(Nullable(Id)),
  watcher_ids: Type.Optional(Type.Array(Id, { maxItems: 50, uniqueItems: true })),
  ...givenIntegration,
}

export const NewTicket = Closed({
  organization_id: Type.Optional(Id),
  ...request,
  entitlement_id: Type.Optional(Id),
  environment_id: Type.Optional(Id),
  service_id: Type.Optional(Id),
  invoice_id: Type.Optional(Id),
  order_id: Type.Optional(Id),
})
export type NewTicket = Static<typeof NewTicket>

/** One of another system. */
export const BroughtTicket = Closed({
  title: Name,
  description: request.description,
  status: Type.Optional(TicketStatus),
  priority: request.priority,
  created_at: Type.Optional(Timestamp),
  closed_at: Type.Optional(Timestamp),
  metadata: request.metadata,
})
export type BroughtTicket = Static<typeof BroughtTicket>

export const NewEnvironmentTicket = Closed({ organization_id: Type.Optional(Id), ...request })

export const TicketChange = Closed({
  organization_id: Type.Optional(Id),
  title: Type.Optional(Name),
  priority: Type.Optional(Priority),
  assignee_id: Type.Optional(Nullable(Id)),
  team_id: Type.Optional(Nullable(Id)),
  ...givenIntegration,
})
export type TicketChange = Static<typeof TicketChange>

export const TicketStatusChange = Closed({
  organization_id: Type.Optional(Id),
  status: TicketStatus,
  note: Type.Optional(Nullable(Text)),
  from_status: Type.Optional(TicketStatus),
})
export type TicketStatusChange = Static<typeof TicketStatusChange>

export const TicketWatcher = Closed({ organization_id: Type.Optional(Id), user_id: Id })

export const ticketListing = listing({ created_at: TIME, updated_at: TIME, next_due_at: OPTIONAL_TIME }, 'updated_at')
export const TicketFilters = Closed({
  ...Paging,
  ...ticketListing.parameters,
  ...externalIdFilter,
  status: AnyOf(TicketStatus),
  priority: AnyOf(Priority),
  search: SearchFilter('the number, the title or the external id'),
  entitlement_id: Type.Optional(Id),
  invoice_id: Type.Optional({ ...Id, description: 'None are found without the scope `finances`' }),
  order_id: Type.Optional({ ...Id, description: 'None are found without the scope `orders`' }),
  assignee_id: Type.Optional(Id),
  team_id: Type.Optional({ ...Id, description: 'For staff; customers find none' }),
})
export type TicketFilters = Static<typeof TicketFilters>

export const AdministratorsTicketFilters = acrossFilters({
  ...TicketFilters.properties,
  search: PartFilter('the number, the title, the description or the organization’s name'),
  assigned: Type.Optional(
    Type.Boolean({
      description:
        'true: tickets with an assignee; false: the queue of those without one that are not resolved or ' +
        'ended, by `next_due_at`',
    }),
  ),
})
export type AdministratorsTicketFilters = Static<typeof AdministratorsTicketFilters>

export const TicketHistoryEntry = HistoryEntry(TicketStatus)
export const ticketHistory: History = { name: 'ticket_history', of: 'tickets', key: 'ticket_id' }

export const ticketHistoryTable = table(
  'ticket_history',
  'ticket_status',
  Type.Object({ ...TicketHistoryEntry.properties, ticket_id: Id }),
  { extra: ['organization_id'], times: ['created_at', 'updated_at'] },
)
