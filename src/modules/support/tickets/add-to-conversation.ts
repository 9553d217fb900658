// Adds comments and attachments. A customer's comment reopens a ticket; staff's first one is the first response.
import { dropFile, keepFile, receiveFile, type ReceivedFile } from '#modules/documents/files/receive-upload.ts'
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type IoContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import { ownBody } from '#http/organization-body.ts'
import { assertActive, lockActiveTicket, moveTicket } from './change-ticket.ts'
import { reportBreaches } from './ticket-clock.ts'
import {
  type NewTicketComment,
  type TicketAttachment,
  ticketAttachmentsTable,
  type TicketComment,
  ticketCommentsTable,
} from './conversation.ts'
import { tickets } from './queries.ts'
import { ENDED, ticketsTable, type TicketWithClock } from './ticket.ts'

export async function commentOnTicket(
  ctx: OrganizationContext,
  ticket: TicketWithClock | undefined,
  body: NewTicketComment & MailedComment,
): Promise<TicketComment> {
  const { body: text, internal = false, message_digest } = ownBody(ctx, body)
  const { staff: by_staff, userId: author_id, name: author_name } = ctx.caller
  assertMayBeInternal(ctx, internal)
  const mailed: MailedComment = message_digest === undefined ? {} : { message_digest }
  return addComment(ctx, assertActive(ticket), { body: text, internal, by_staff, author_id, author_name, ...mailed })
}

/** Of a comment that came by mail: the digest of its message id, which the organization has once. */
type MailedComment = { message_digest?: string }

/** A public comment by one of the vendor's developers, who need not be known to the service. */
export const commentFromTracker = async (
  ctx: OrganizationContext,
  id: number,
  { body, author_name }: Pick<TicketComment, 'body' | 'author_name'>,
): Promise<TicketComment> =>
  addComment(ctx, await lockActiveTicket(ctx, id), {
    body,
    internal: false,
    by_staff: true,
    author_id: null,
    author_name,
  })

type NewComment = Pick<TicketComment, 'body' | 'internal' | 'by_staff' | 'author_id' | 'author_name'> & MailedComment

async function addComment(
  ctx: OrganizationContext,
  ticket: TicketWithClock,
  written: NewComment,
): Promise<TicketComment> {
  const { id } = ticket
  const created_at = ctx.now.toISOString()
  const comment = await insert(ctx, ticketCommentsTable, { ticket_id: id, ...written, created_at })
  if (!written.by_staff) await bringBack(ctx, ticket)
  else if (!written.internal && ticket.first_responded_at === null) {
    await reportBreaches(ctx, ticket)
    const { first_responded } = ticketsTable.events
    await update(ctx, ticketsTable, id, { first_responded_at: created_at }, first_responded)
  }
  return comment
}

/** After a customer's comment a resolved ticket is open again, and a waiting one is in progress. */
async function bringBack(ctx: OrganizationContext, ticket: TicketWithClock): Promise<void> {
  if (ticket.status === 'resolved') await moveTicket(ctx, ticket, 'open')
  if (ticket.status === 'waiting') await moveTicket(ctx, ticket, 'in_progress')
}

function assertMayBeInternal(ctx: OrganizationContext, internal: boolean): void {
  if (internal && !ctx.caller.staff) throw forbidden('staff_only', 'Only staff may write internal notes')
}

/** Checks the ticket before the upload is received; the transaction checks it again. */
export async function receiveAttachment(io: IoContext, id: number, file: IncomingFile): Promise<ReceivedFile> {
  const [ticket] = await io.read(tickets.statusOf(io.organizationId ?? 0, id))
  if (!ticket) throw notFound()
  if (ENDED.includes(ticket.status)) throw conflict('status_not_allowed', `The ticket is ${ticket.status}`)
  return receiveFile(io, file)
}

export async function attachToTicket(
  ctx: OrganizationContext,
  id: number,
  received: ReceivedFile,
  internal: boolean,
): Promise<TicketAttachment> {
  assertMayBeInternal(ctx, internal)
  await lockActiveTicket(ctx, id)
  await keepFile(ctx, received)
  const { name, content_type, size, sha256, storage_key } = received
  const values = { ticket_id: id, name, content_type, size, sha256, internal, uploaded_by: ctx.caller.userId }
  // The row's type has only the columns that clients see.
  const place: object = { storage_key }
  return insert(ctx, ticketAttachmentsTable, { ...values, ...place })
}

/** Customers can delete only their own uploads. */
export async function removeAttachment(ctx: OrganizationContext, ticketId: number, id: number): Promise<void> {
  const found = await first(ctx, tickets.content(ctx.organizationId, ticketId, id))
  if (!found) throw notFound()
  if (!ctx.caller.staff && found.uploaded_by !== ctx.caller.userId)
    throw forbidden('not_yours', 'Only staff and the user who uploaded it may delete an attachment')
  await remove(ctx, ticketAttachmentsTable, id)
  await dropFile(ctx, found.storage_key)
}
