// The endpoints of canned replies, all of staff.
import { Type } from 'typebox'
import { staff, vendor } from '#kernel/values/permissions.ts'
import { ById } from '#kernel/values/schema.ts'
import { route } from '#http/route.ts'
import {
  CannedReply,
  CannedReplyChange,
  CannedReplyFilters,
  cannedReplyRules,
  NewCannedReply,
  TicketReplies,
  TicketReplyFilters,
} from './canned-reply.ts'
import { addCannedReply, changeCannedReply, removeCannedReply } from './change-canned-reply.ts'
import { PLACEHOLDERS } from './placeholders.ts'
import { cannedReplies } from './queries.ts'
import { repliesForTicket } from './replies-for-ticket.ts'

export const cannedReplyRoutes = [
  route({
    method: 'GET',
    path: '/admin/canned-replies',
    access: vendor('tickets'),
    purpose: 'List the canned replies.',
    description:
      'Newest first, with their placeholders; filled for a ticket they are at `GET /tickets/{id}/canned-replies`. ' +
      'With `company` those for all tickets too.',
    query: CannedReplyFilters,
    page: CannedReply,
    read: (_, { query }) => cannedReplies.page(query),
  }),
  route({
    method: 'POST',
    path: '/admin/canned-replies',
    access: vendor('tickets'),
    purpose: 'Create a canned reply.',
    description:
      `Placeholders are ${PLACEHOLDERS.map((one) => `\`${one}\``).join(', ')}; 422 for others. 409 when the legal ` +
      'entity has one of the name.',
    body: NewCannedReply,
    rules: cannedReplyRules,
    openapi: {
      example: {
        name: 'Restarted',
        body_pt_br: 'Olá, {{requester_name}}! Reiniciamos o serviço.',
        body_en: 'Hello {{requester_name}}, we have restarted the service.',
      },
    },
    data: CannedReply,
    status: 201,
    fails: ['name_taken'],
    run: async (ctx, { body }) => ({ data: await addCannedReply(ctx, body), message: 'Canned reply created' }),
  }),
  route({
    method: 'GET',
    path: '/admin/canned-replies/{id}',
    access: vendor('tickets'),
    purpose: 'Get a canned reply.',
    description: 'In both languages, with its placeholders. `company` is null where it is for all tickets.',
    params: ById,
    data: CannedReply,
    read: (_, { params }) => cannedReplies.byId(params.id),
  }),
  route({
    method: 'PATCH',
    path: '/admin/canned-replies/{id}',
    access: vendor('tickets'),
    purpose: 'Update a canned reply.',
    description: 'Only the given fields change. Comments that were made with it stay as they are.',
    params: ById,
    body: CannedReplyChange,
    rules: cannedReplyRules,
    openapi: { example: { name: 'Service restarted' } },
    data: CannedReply,
    fails: ['name_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeCannedReply(ctx, params.id, body),
      message: 'Canned reply changed',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/canned-replies/{id}',
    access: vendor('tickets'),
    purpose: 'Delete a canned reply.',
    description: 'Comments that were made with it stay.',
    params: ById,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await removeCannedReply(ctx, params.id)
      return { data: null, message: 'Canned reply deleted' }
    },
  }),
  route({
    method: 'GET',
    path: '/tickets/{id}/canned-replies',
    access: staff('tickets'),
    purpose: 'Get the canned replies for a ticket, in the customer’s language.',
    description:
      'Those of its legal entity and those for all tickets, with their placeholders filled, by name; 200 at most, ' +
      'and `search` finds the others. To be sent as the `body` of a comment, changed or not.',
    params: ById,
    query: TicketReplyFilters,
    data: TicketReplies,
    read: ({ org }, { params, query }) => repliesForTicket(org, params.id, query),
  }),
]
