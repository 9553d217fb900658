// POST, PATCH and DELETE of /admin/canned-replies: each has an entry in the service's own audit log.
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound, uniqueViolation } from '#kernel/values/errors.ts'
import { pick } from '#kernel/values/schema.ts'
import type { CannedReply, CannedReplyChange, NewCannedReply } from './canned-reply.ts'
import { cannedReplies } from './queries.ts'

const FIELDS = ['name', 'company', 'body_pt_br', 'body_en'] as const
type Side = Record<string, unknown> | null

export async function addCannedReply(ctx: SystemContext, body: NewCannedReply): Promise<CannedReply> {
  const after = { company: null, ...body }
  const added = await one(ctx, cannedReplies.add(after, ctx.now)).catch(failAsTwin)
  await note(ctx, 'created', added.id, { before: null, after })
  return added
}

export async function changeCannedReply(ctx: SystemContext, id: number, body: CannedReplyChange): Promise<CannedReply> {
  const reply = await first(ctx, cannedReplies.locked(id))
  if (!reply) throw notFound()
  const changed = FIELDS.filter((field) => body[field] !== undefined && body[field] !== reply[field])
  if (changed.length === 0) return reply
  const after = await one(ctx, cannedReplies.change(id, { ...reply, ...body }, ctx.now)).catch(failAsTwin)
  await note(ctx, 'updated', id, { before: pick(reply, changed), after: pick(after, changed) })
  return after
}

/** What was commented with it stays. */
export async function removeCannedReply(ctx: SystemContext, id: number): Promise<void> {
  const removed = await first(ctx, cannedReplies.remove(id))
  if (!removed) throw notFound()
  await note(ctx, 'deleted', id, { before: pick(removed, FIELDS), after: null })
}

const note = (ctx: SystemContext, action: string, id: number, sides: { before: Side; after: Side }) =>
  ctx.ask(serviceChange(ctx, action, { resource: 'canned_reply', id, ...sides }))

function failAsTwin(error: unknown): never {
  if (uniqueViolation(error) === 'canned_replies_name')
    throw conflict('name_taken', 'The legal entity has a canned reply of this name')
  throw error
}
