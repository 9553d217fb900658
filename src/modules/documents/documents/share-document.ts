// Creates and revokes share links. Only a digest of the token is stored.
import { fileUrl } from '#modules/documents/files/signed-link.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Rules } from '#http/route.ts'
import { digest, randomToken } from '#kernel/keys/secrets.ts'
import { fromNow, isPast } from '#kernel/values/time/clock.ts'
import {
  type DocumentShare,
  documentSharesTable,
  LONGEST_DAYS,
  type ShareRequest,
  USUAL_DAYS,
} from './document-share.ts'
import { documents } from './queries.ts'

const DAY_SECONDS = 86_400
/** Of one document at a time. */
const MOST_OPEN = 50

export const shareRules: Rules<ShareRequest> = ({ expires_at, expires_in }, clock) => ({
  ...(expires_at !== undefined && isPast(clock, expires_at) && { expires_at: 'must lie in the future' }),
  ...(expires_at !== undefined &&
    new Date(expires_at) > fromNow(clock, LONGEST_DAYS * DAY_SECONDS) && {
      expires_at: `must lie within ${LONGEST_DAYS} days`,
    }),
  ...(expires_at !== undefined && expires_in !== undefined && { expires_in: 'is another way to say expires_at' }),
})

export async function shareDocument(
  ctx: OrganizationContext,
  id: number,
  body: ShareRequest,
): Promise<DocumentShare & { url: string }> {
  const { expires_at, expires_in, note = null } = ownBody(ctx, body)
  const [document] = await ctx.ask(documents.sourceOf(ctx.organizationId, id))
  if (!document) throw notFound()
  if (document.visibility === 'staff')
    throw conflict('staff_only_document', 'A document for staff only has no share links')
  const open = await ctx.ask(documents.openShares(ctx.organizationId, id, ctx))
  if (open.length >= MOST_OPEN)
    throw conflict('limit_reached', `The document has ${MOST_OPEN} open share links, the maximum`)
  const token = randomToken()
  // The row's type has only the columns that clients see.
  const secret: object = { token_digest: `\\x${digest(token).toString('hex')}` }
  const share = await insert(ctx, documentSharesTable, {
    document_id: id,
    note,
    created_by: ctx.caller.userId,
    created_by_name: ctx.caller.name,
    expires_at: expires_at ?? fromNow(ctx, expires_in ?? USUAL_DAYS * DAY_SECONDS).toISOString(),
    ...secret,
  })
  const url = fileUrl(ctx.settings.publicUrl, token)
  return { ...share, access_count: 0, last_accessed_at: null, url }
}

/** Succeeds for one that is revoked already. */
export async function revokeShare(ctx: OrganizationContext, id: number, shareId: number): Promise<void> {
  const share = await first(ctx, documents.share(ctx.organizationId, id, shareId))
  if (!share) throw notFound()
  if (share.revoked_at === null) await revoke(ctx, shareId)
}

export async function revokeShares(ctx: OrganizationContext, id: number): Promise<void> {
  for (const share of await ctx.ask(documents.openShares(ctx.organizationId, id, ctx))) await revoke(ctx, share.id)
}

const revoke = (ctx: OrganizationContext, id: number) =>
  update(ctx, documentSharesTable, id, { revoked_at: ctx.now.toISOString() }, documentSharesTable.events.revoked)
