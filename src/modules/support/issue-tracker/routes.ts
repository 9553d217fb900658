// The issue of a ticket in the vendor's tracker (docs/interface/support.md, Issue tracker).
import { Type } from 'typebox'
import { org, staff } from '#kernel/values/permissions.ts'
import { notFound } from '#kernel/values/errors.ts'
import { parts, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { linkingBy, linkIssue, linkRules, syncAgain, unlinkIssue } from './link-issue.ts'
import { ticketIssues } from './queries.ts'
import { NewTicketIssue, TicketIssue } from './ticket-issue.ts'

export const issueTrackerRoutes = [
  route({
    method: 'GET',
    path: '/tickets/{id}/issue',
    access: org('tickets'),
    purpose: 'Get the issue of a ticket in the issue tracker.',
    description: 'Only staff see `sync_error`. 404 when the ticket is linked to none.',
    params: ById,
    openapi: { tag: 'tickets' },
    data: TicketIssue,
    read: ({ org: id }, { params }) =>
      parts([ticketIssues.ofTicket(id, params.id)], ([[issue]], { caller }) => {
        if (!issue) throw notFound()
        return caller.staff ? issue : { ...issue, sync_error: null }
      }),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/issue',
    access: staff('tickets'),
    purpose: 'Create an issue for a ticket, or link it to an existing one.',
    description:
      'With `key` to an existing issue, else a new one, whose text is the number and the priority of the ' +
      'ticket and what `title` and `description` add. A job does it; until then `sync_state` is `pending`. ' +
      'Without a tracker `key`, perhaps with `url`, is only recorded. 409 when the ticket has an issue, or ' +
      'is closed or cancelled.',
    params: ById,
    body: NewTicketIssue,
    rules: linkRules,
    openapi: {
      tag: 'tickets',
      operationId: 'createTicketIssue',
      example: { title: 'Restore fails', description: 'Files above 4 GiB, since version 3.2' },
    },
    data: TicketIssue,
    status: 201,
    fails: ['issue_linked', 'not_configured', 'status_not_allowed'],
    before: async (io, { body }) => linkingBy(io, body),
    run: async (ctx, { params, body }, linking) => ({
      data: await linkIssue(ctx, params.id, body, linking),
      message: 'Issue linked',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/tickets/{id}/issue',
    access: staff('tickets'),
    purpose: 'Delete the link of a ticket to its issue.',
    description: 'The issue stays in the tracker.',
    params: ById,
    openapi: { tag: 'tickets' },
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await unlinkIssue(ctx, params.id)
      return { data: null, message: 'Issue unlinked' }
    },
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/issue/sync',
    access: staff('tickets'),
    purpose: 'Synchronize a ticket and its issue now.',
    description:
      'Tries again what failed, and carries the ticket’s status over once more. 409 when the issue is recorded only.',
    params: ById,
    openapi: { tag: 'tickets', operationId: 'syncTicketIssue' },
    data: TicketIssue,
    status: 202,
    fails: ['not_configured'],
    run: async (ctx, { params }) => ({ data: await syncAgain(ctx, params.id), message: 'Synchronization requested' }),
  }),
]
