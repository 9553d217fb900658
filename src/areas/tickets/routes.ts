// Spec 4.9 and the tickets of 4.8, and what docs/interface.md adds to them.
import { historyPage } from '#kernel/data/history.ts'
import { org } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import { addWatcher, changeTicket, changeTicketStatus, removeWatcher } from './change-ticket.ts'
import { ConversationFilters } from './conversation.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { drawTicketNumber, openTicket, ticketRules } from './open-ticket.ts'
import { tickets } from './queries.ts'
import {
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
    access: org('entitlements'),
    purpose: 'List the service requests of the organization.',
    query: TicketFilters,
    page: Ticket,
    read: ({ org: id }, { query }) => tickets.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}/tickets',
    access: org('entitlements'),
    purpose: 'The service requests of an environment.',
    params: ById,
    query: TicketFilters,
    page: Ticket,
    read: ({ org: id }, { params, query }) => tickets.ofEnvironment(id, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/services/{id}/tickets',
    access: org('entitlements'),
    purpose: 'The service requests of a service.',
    params: ById,
    query: TicketFilters,
    page: Ticket,
    read: ({ org: id }, { params, query }) => tickets.ofService(id, params.id, query),
  }),
]

const opening = [
  route({
    method: 'POST',
    path: '/tickets',
    access: org('entitlements'),
    purpose: 'Open a service request.',
    description:
      'Customers need an ENV entitlement; staff may name any entitlement, or a service. Without `environment_id` a request for an ENV entitlement is about its environment, production before others.',
    body: NewTicket,
    rules: ticketRules,
    example: { title: 'The backup fails', description: 'Since last night', entitlement_id: 1, priority: 'high' },
    data: Ticket,
    status: 201,
    fails: ['AUTHORIZATION_ERROR', 'NOT_FOUND'],
    before: (outside) => drawTicketNumber(outside),
    run: async (ctx, { body }, number) => ({ data: await openTicket(ctx, body, number), message: 'Ticket opened' }),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/tickets',
    access: org('entitlements'),
    purpose: 'Open a service request for an environment.',
    params: ById,
    body: NewEnvironmentTicket,
    example: { title: 'The site is slow', priority: 'normal' },
    data: Ticket,
    status: 201,
    before: (outside) => drawTicketNumber(outside),
    run: async (ctx, { params, body }, number) => ({
      data: await openTicket(ctx, { ...body, environment_id: params.id }, number),
      message: 'Ticket opened',
    }),
  }),
]

const WatcherOf = Closed({ id: Id, user_id: Id })

const one = [
  route({
    method: 'GET',
    path: '/tickets/{id}',
    access: org('entitlements'),
    purpose: 'One service request.',
    params: ById,
    data: Ticket,
    read: ({ org: id }, { params }) => tickets.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/tickets/{id}',
    access: org('tickets'),
    purpose: 'Change title or priority; staff assign it too.',
    description:
      'Another priority has other promises: they count from the opening. 409 when it is closed or cancelled.',
    params: ById,
    body: TicketChange,
    example: { priority: 'urgent' },
    data: Ticket,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await changeTicket(ctx, params.id, body),
      message: 'Ticket updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/status',
    access: org('tickets'),
    purpose: 'Move a service request to another status.',
    description:
      'Customers close, cancel and reopen (`open`). With `from_status` the move counts only if that is still the status.',
    params: ById,
    body: TicketStatusChange,
    example: { status: 'closed', note: 'It works again' },
    data: Ticket,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await changeTicketStatus(ctx, params.id, body),
      message: 'Ticket updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/tickets/{id}/history',
    access: org('entitlements'),
    purpose: 'Each status that a service request has had.',
    params: ById,
    query: ConversationFilters,
    page: TicketHistoryEntry,
    read: ({ org: id }, { params, query }) => historyPage(ticketHistory, id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/watchers',
    operationId: 'addTicketWatcher',
    access: org('tickets'),
    purpose: 'Let somebody get the mails of a service request.',
    params: ById,
    body: TicketWatcher,
    example: { user_id: 7 },
    data: Ticket,
    run: async (ctx, { params, body }) => ({
      data: await addWatcher(ctx, params.id, body.user_id),
      message: 'Watcher added',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/tickets/{id}/watchers/{user_id}',
    operationId: 'removeTicketWatcher',
    access: org('tickets'),
    purpose: 'Let a watcher get no more mails.',
    params: WatcherOf,
    data: Ticket,
    run: async (ctx, { params }) => ({
      data: await removeWatcher(ctx, params.id, params.user_id),
      message: 'Watcher removed',
    }),
  }),
]

export const ticketRoutes = [...lists, ...opening, ...one, ...conversationRoutes]
