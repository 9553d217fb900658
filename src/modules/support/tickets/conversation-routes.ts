// Comments and attachments of tickets (docs/interface/support.md, Tickets).
import { Type } from 'typebox'
import { extensionOf, UPLOAD_TYPES } from '#modules/documents/files/content-type.ts'
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { discardFile, UPLOAD_REFUSALS } from '#modules/documents/files/receive-upload.ts'
import { org, staffNeed } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import {
  ConversationFilters,
  NewTicketAttachment,
  NewTicketComment,
  TicketAttachment,
  TicketComment,
} from './conversation.ts'
import { attachToTicket, commentOnTicket, receiveAttachment, removeAttachment } from './add-to-conversation.ts'
import { tickets } from './queries.ts'

const AttachmentOf = Closed({ id: Id, attachment_id: Id })

/** The key of the bytes in the file store; never in an answer. */
const Content = Type.Object({
  id: Id,
  content_type: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  storage_key: Type.String(),
  uploaded_by: Type.Unsafe<number | null>({}),
  number: Type.String(),
})

const comments = [
  route({
    method: 'GET',
    path: '/tickets/{id}/comments',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the comments of a ticket.',
    description: 'Oldest first. Only staff see internal ones.',
    params: ById,
    query: ConversationFilters,
    page: TicketComment,
    read: ({ org: id }, { params, query }) => tickets.comments(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/comments',
    access: org('tickets'),
    purpose: 'Comment on a ticket.',
    description:
      'A customer’s comment reopens a resolved ticket, and sets a waiting one to `in_progress`. `internal` ' +
      'is for staff. 409 when the ticket is closed or cancelled.',
    params: ById,
    body: NewTicketComment,
    openapi: { example: { body: 'It happened again at 14:30.' } },
    data: TicketComment,
    status: 201,
    fails: ['status_not_allowed'],
    before: { asks: ({ org: id }, { params }) => [tickets.locked(id, params.id)] },
    run: async (ctx, { body, rows: [[ticket]] }) => ({
      data: await commentOnTicket(ctx, ticket, body),
      message: 'Comment added',
    }),
  }),
]

const attachments = [
  route({
    method: 'GET',
    path: '/tickets/{id}/attachments',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'List the attachments of a ticket.',
    description: 'Oldest first. Only staff see internal ones.',
    params: ById,
    query: ConversationFilters,
    page: TicketAttachment,
    read: ({ org: id }, { params, query }) => tickets.attachments(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/attachments',
    access: org('tickets'),
    purpose: 'Upload an attachment to a ticket.',
    description:
      'The content type is detected from the content. 409 when the ticket is closed or cancelled, or a ' +
      'quota of the organization is reached.',
    params: ById,
    body: NewTicketAttachment,
    openapi: { example: { internal: false } },
    data: TicketAttachment,
    status: 201,
    fails: ['status_not_allowed', ...UPLOAD_REFUSALS],
    features: {
      upload: {
        maxBytes: ({ files }) => files.maxBytes,
        receive: (io, { params }, file) => receiveAttachment(io, params.id, file),
        discard: (io, received) => discardFile(io, received),
      },
    },
    run: async (ctx, { params, body }, received) => ({
      data: await attachToTicket(ctx, params.id, received, body.internal ?? false),
      message: 'File attached',
    }),
  }),
  route({
    method: 'GET',
    path: '/tickets/{id}/attachments/{attachment_id}/content',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Download an attachment.',
    description:
      'Always as an attachment, named by the number of the ticket and the extension of its type. Internal ones are ' +
      '404 for customers.',
    params: AttachmentOf,
    openapi: { operationId: 'downloadTicketAttachment' },
    data: Content,
    features: {
      file: {
        produces: UPLOAD_TYPES,
        make: async (io, found) =>
          fileAnswer(io, found, { fileName: `${found.number}-${found.id}.${extensionOf(found.content_type)}` }),
      },
    },
    read: ({ org: id }, { params }) => row(tickets.content(id, params.id, params.attachment_id)),
  }),
  route({
    method: 'DELETE',
    path: '/tickets/{id}/attachments/{attachment_id}',
    access: org('tickets'),
    purpose: 'Delete an attachment.',
    description:
      'Staff may delete any, customers those that they uploaded themselves (403). Its content is removed too, for ' +
      'good. Possible for tickets that have ended, too.',
    params: AttachmentOf,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await removeAttachment(ctx, params.id, params.attachment_id)
      return { data: null, message: 'Attachment removed' }
    },
  }),
]

export const conversationRoutes = [...comments, ...attachments]
