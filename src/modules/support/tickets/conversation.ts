// Comments and attachments of a ticket; internal ones are for staff only.
import { Type, type Static } from 'typebox'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const Internal = Type.Boolean({ description: 'Visible to staff only' })

export const TicketComment = Type.Object(
  {
    id: Id,
    ticket_id: Id,
    body: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', examples: ['The restore is running.'] }),
    internal: Internal,
    by_staff: Type.Boolean(),
    author_id: Nullable(Id),
    author_name: Type.String({ examples: ['Ana Souza'] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A comment on a ticket' },
)
export type TicketComment = Static<typeof TicketComment>

export const NewTicketComment = Closed({
  organization_id: Type.Optional(Id),
  body: TicketComment.properties.body,
  internal: Type.Optional(Internal),
})
export type NewTicketComment = Static<typeof NewTicketComment>

export const ticketCommentsTable = table('ticket_comments', 'ticket_comment', TicketComment, {
  extra: ['organization_id', 'message_digest'],
})

export const TicketAttachment = Type.Object(
  {
    id: Id,
    ticket_id: Id,
    name: Type.String({ description: 'The file name of the upload, cleaned', examples: ['error.png'] }),
    content_type: Type.String({ description: 'Detected from the content', examples: ['image/png'] }),
    size: Type.Integer({ examples: [48_213] }),
    sha256: Type.String({ examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'] }),
    internal: Internal,
    uploaded_by: Nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A file of a ticket' },
)
export type TicketAttachment = Static<typeof TicketAttachment>

export const NewTicketAttachment = Closed({ internal: Type.Optional(Internal) })

export const ticketAttachmentsTable = table('ticket_attachments', 'ticket_attachment', TicketAttachment, {
  extra: ['organization_id', 'storage_key'],
  masked: ['storage_key'],
})

export const ConversationFilters = Closed(Paging)
