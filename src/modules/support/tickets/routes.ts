// Spec 4.9 and the tickets of 4.8, and what docs/interface/support.md adds to them.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { historyPage } from '#kernel/data/audit/history.ts'
import { org, staffNeed, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import { teams } from '#modules/support/teams/queries.ts'
import { ticketRecord } from './ticket-record.ts'
import { addWatcher, changeTicket, changeTicketStatus, removeWatcher } from './change-ticket.ts'
import { ConversationFilters } from './conversation.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { allocateTicketNumber, openTicket } from './open-ticket.ts'
import { aboutEntitlement, shownTicket, ticketRules } from './ticket-subject.ts'
import { tickets } from './queries.ts'
import {
  AdministratorsTicketFilters,
  NewEnvironmentTicket,
  NewTicket,
  Ticket,
  TicketChange,
  TicketFilters,
  ticketHistory,
  TicketHistoryEntry,
  TicketStatusChange,
  TicketWatcher,
} from './ticket.ts'

const lists = [
  route({
    method: 'GET',
    path: '/tickets',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the tickets of the organization.',
    description:
      'Newest first, those that the caller’s `ticket_visibility` shows. `invoice_id` and `order_id` are shown to ' +
      'those only who may read these, `team_id` to staff only.',
    query: TicketFilters,
    page: Ticket,
    features: { record: ticketRecord },
    read: ({ org: id }, { query }) => tickets.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/tickets',
    access: vendor('tickets'),
    purpose: 'List the tickets of all organizations.',
    description:
      'Newest first, also of deleted organizations. With `assigned=false` those that nobody has and that are not ' +
      'resolved or ended, by `next_due_at`, the earliest first.',
    query: AdministratorsTicketFilters,
    page: acrossItem(Ticket),
    features: { record: ticketRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => tickets.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}/tickets',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the tickets of an environment.',
    description:
      'Newest first, those that the caller’s `ticket_visibility` shows. Tickets of the same entitlement that name ' +
      'another environment are not among them.',
    params: ById,
    query: TicketFilters,
    page: Ticket,
    features: { record: ticketRecord },
    read: ({ org: id }, { params, query }) => tickets.ofEnvironment(id, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/services/{id}/tickets',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the tickets of a service.',
    description: 'Newest first, those that the caller’s `ticket_visibility` shows.',
    params: ById,
    query: TicketFilters,
    page: Ticket,
    features: { record: ticketRecord },
    read: ({ org: id }, { params, query }) => tickets.ofService(id, params.id, query),
  }),
]

const opening = [
  route({
    method: 'POST',
    path: '/tickets',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Create a ticket.',
    description:
      'About an entitlement, an environment or a service of it, about `invoice_id` (scope finances) or `order_id` ' +
      '(scope orders), or about nothing in particular. Customers open what the vendor allows, at first tickets of ' +
      'ENV entitlements; 409 for others says what is possible. Without `environment_id` a ticket of an ENV ' +
      'entitlement gets the environment of the entitlement, production first. 409 for customers if the ' +
      'entitlement is not active and the vendor answers no tickets for it.',
    body: NewTicket,
    rules: ticketRules,
    openapi: {
      example: { title: 'The backup fails', description: 'Since last night', entitlement_id: 1, priority: 'high' },
    },
    data: Ticket,
    status: 201,
    fails: ['AUTHORIZATION_ERROR', 'NOT_FOUND', 'entitlement_not_active', 'external_id_taken', 'tickets_not_open'],
    before: {
      allocates: (io) => allocateTicketNumber(io),
      asks: (context, { body: { entitlement_id: id = null } }) => [
        ...aboutEntitlement(id, { ...context, ...context.ports }),
        teams.defaults(),
      ],
    },
    run: async (ctx, { body, rows: [entitlement, contract, usual] }, number) => ({
      data: shownTicket(ctx, await openTicket(ctx, body, { number, about: [entitlement, contract], usual })),
      message: 'Ticket opened',
    }),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/tickets',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Create a ticket for an environment.',
    description:
      'As `POST /tickets` does: about the entitlement of the environment, whose contract sets the deadlines. Only ' +
      'staff give an assignee or a team (403). 409 for customers where the vendor takes no tickets about it, or ' +
      'none while its entitlement is not active.',
    params: ById,
    body: NewEnvironmentTicket,
    openapi: { example: { title: 'The site is slow', priority: 'normal' } },
    data: Ticket,
    status: 201,
    fails: ['entitlement_not_active', 'external_id_taken', 'tickets_not_open'],
    before: { allocates: (io) => allocateTicketNumber(io) },
    run: async (ctx, { params, body }, number) => ({
      data: shownTicket(ctx, await openTicket(ctx, { ...body, environment_id: params.id }, { number })),
      message: 'Ticket opened',
    }),
  }),
]

const WatcherOf = Closed({ id: Id, user_id: Id })

const one = [
  route({
    method: 'GET',
    path: '/tickets/{id}',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Get a ticket.',
    description:
      '404 for a member whose `ticket_visibility` does not show it. `invoice_id` and `order_id` are null for those ' +
      'who may not read these, `team_id` for customers. Comments and files have lists of their own.',
    params: ById,
    data: Ticket,
    features: { record: ticketRecord },
    read: ({ org: id }, { params }) => tickets.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/tickets/{id}',
    access: org('tickets'),
    purpose: 'Update the title, priority, assignee or team of a ticket.',
    description:
      'Only staff set the assignee and the team; a new team takes the ticket from an assignee who is not of ' +
      'it. A new priority sets new service levels, which count from the creation. ' +
      '409 when the ticket is closed or cancelled, unless only `external_id` and `metadata` are given.',
    params: ById,
    body: TicketChange,
    openapi: { example: { priority: 'urgent' } },
    data: Ticket,
    fails: ['external_id_taken', 'status_not_allowed'],
    before: { asks: ({ org: id }, { params }) => [tickets.locked(id, params.id)] },
    run: async (ctx, { params: { id }, body, rows: [[locked]] }) => ({
      data: shownTicket(ctx, await changeTicket(ctx, { id, locked }, body)),
      message: 'Ticket updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/status',
    access: org('tickets'),
    purpose: 'Update the status of a ticket.',
    description:
      'Customers close, cancel and reopen (`open`). With `from_status`, 409 when that is no longer the status.',
    params: ById,
    body: TicketStatusChange,
    openapi: { example: { status: 'closed', note: 'It works again' } },
    data: Ticket,
    fails: ['changed_meanwhile', 'status_not_allowed'],
    before: { asks: ({ org: id }, { params }) => [tickets.locked(id, params.id)] },
    run: async (ctx, { body, rows: [[ticket]] }) => ({
      data: shownTicket(ctx, await changeTicketStatus(ctx, ticket, body)),
      message: 'Ticket updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/tickets/{id}/history',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the status history of a ticket.',
    description: 'Oldest first.',
    params: ById,
    query: ConversationFilters,
    page: TicketHistoryEntry,
    read: ({ org: id }, { params, query }) => historyPage(ticketHistory, id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/watchers',
    access: org('tickets'),
    purpose: 'Add a watcher to a ticket.',
    description: 'Watchers get the mails of the ticket.',
    params: ById,
    body: TicketWatcher,
    openapi: { example: { user_id: 7 } },
    data: Ticket,
    fails: ['limit_reached', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: shownTicket(ctx, await addWatcher(ctx, params.id, body.user_id)),
      message: 'Watcher added',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/tickets/{id}/watchers/{user_id}',
    access: org('tickets'),
    purpose: 'Delete a watcher from a ticket.',
    description:
      'They get no more mails as a watcher; a member who sees only what they watch does not see it any more. ' +
      'Possible for tickets that have ended, too. 404 for somebody who does not watch it.',
    params: WatcherOf,
    data: Ticket,
    run: async (ctx, { params }) => ({
      data: shownTicket(ctx, await removeWatcher(ctx, params.id, params.user_id)),
      message: 'Watcher removed',
    }),
  }),
]

export const ticketRoutes = [...lists, ...opening, ...one, ...conversationRoutes]
