// Comments and attachments: a customer's reply brings a ticket back to work, staff's first one stops the first clock.
import { dropFile, keepFile, receiveFile, type ReceivedFile } from '#areas/files/receive-upload.ts'
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type IoContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/http/errors.ts'
import type { IncomingFile } from '#kernel/http/file-bodies.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { moveTicket, lockActiveTicket } from './change-ticket.ts'
import { reportBreaches } from './ticket-clock.ts'
import {
  type NewTicketComment,
  type TicketAttachment,
  ticketAttachmentsTable,
  type TicketComment,
  ticketCommentsTable,
} from './conversation.ts'
import { tickets } from './queries.ts'
import { ENDED, type Ticket, ticketsTable } from './ticket.ts'

export async function commentOnTicket(
  ctx: OrganizationContext,
  id: number,
  body: NewTicketComment,
): Promise<TicketComment> {
  const { body: text, internal = false } = ownBody(ctx, body)
  const { caller } = ctx
  assertMayBeInternal(ctx, internal)
  const ticket = await lockActiveTicket(ctx, id)
  const comment = await insert(ctx, ticketCommentsTable, {
    ticket_id: id,
    body: text,
    internal,
    by_staff: caller.staff,
    author_id: caller.userId,
    author_name: caller.name,
    created_at: ctx.now.toISOString(),
  })
  if (!caller.staff) await bringBack(ctx, ticket)
  else if (!internal && ticket.first_responded_at === null) {
    await reportBreaches(ctx, ticket)
    await update(
      ctx,
      ticketsTable,
      id,
      { first_responded_at: ctx.now.toISOString() },
      ticketsTable.events.first_responded,
    )
  }
  return comment
}

/** The customer has spoken: a resolved ticket is open again, one that waited for it is worked on. */
async function bringBack(ctx: OrganizationContext, ticket: Ticket): Promise<void> {
  if (ticket.status === 'resolved') await moveTicket(ctx, ticket, 'open')
  if (ticket.status === 'waiting') await moveTicket(ctx, ticket, 'in_progress')
}

function assertMayBeInternal(ctx: OrganizationContext, internal: boolean): void {
  if (internal && !ctx.caller.staff) throw forbidden('Only staff may write internal notes')
}

/** Before the bytes are taken; again in the transaction. */
export async function receiveAttachment(io: IoContext, id: number, file: IncomingFile): Promise<ReceivedFile> {
  const [ticket] = await io.read(tickets.statusOf(io.organizationId ?? 0, id))
  if (!ticket) throw notFound()
  if (ENDED.includes(ticket.status)) throw conflict(`The ticket is ${ticket.status}`)
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
  // No column that a client sees, so none of the row's type.
  const place: object = { storage_key }
  return insert(ctx, ticketAttachmentsTable, { ...values, ...place })
}

/** Customers remove what they brought themselves. */
export async function removeAttachment(ctx: OrganizationContext, ticketId: number, id: number): Promise<void> {
  const found = await first(ctx, tickets.content(ctx.organizationId, ticketId, id))
  if (!found) throw notFound()
  if (!ctx.caller.staff && found.uploaded_by !== ctx.caller.userId)
    throw forbidden('Only staff and the user who uploaded it may delete an attachment')
  await remove(ctx, ticketAttachmentsTable, id)
  await dropFile(ctx, found.storage_key)
}
