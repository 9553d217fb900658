// Changes, pauses, resumes, disables and deletes an endpoint, and rotates its secret.
import { first, one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { notFound } from '#kernel/values/errors.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { assertUrl, responsible } from './create-endpoint.ts'
import type { NewKey } from './endpoint-keys.ts'
import { ownerOf, writerOf } from './endpoint-writer.ts'
import { giveUpDeliveries } from './job-kinds.ts'
import { type EndpointRow, endpoints, queues } from './queries.ts'
import type {
  DisabledReason,
  EndpointChange,
  EndpointWithSecret,
  Rotation,
  WebhookEndpoint,
} from './webhook-endpoint.ts'

type Context = OrganizationContext | SystemContext
type RotationRequest = {
  body: Rotation
  catalogue: Catalogue
  newKeyFor: (signature: EndpointRow['signature']) => NewKey
}

/**
 * A new address, other types and the end of `disabled` make the caller the one whose scopes count. What a disabled
 * endpoint missed is not sent by itself.
 */
export async function changeEndpoint(
  ctx: Context,
  id: number,
  { body, catalogue }: { body: EndpointChange; catalogue: Catalogue },
): Promise<WebhookEndpoint> {
  const { status, ...fields } = body
  if (fields.url !== undefined) assertUrl(ctx, fields.url)
  const endpoint = await locked(ctx, id)
  const owner = ownerOf(ctx)
  const writer = writerOf(ctx)
  const isResumed = status === 'active' && endpoint.status !== 'active'
  const isSetUp = fields.url !== undefined || fields.events !== undefined || isResumed
  const user_id = isSetUp ? await responsible(ctx, fields.events ?? endpoint.events, catalogue) : endpoint.user_id
  if (fields.url !== undefined && fields.url !== endpoint.url) await ctx.ask(queues.unblock(owner, id))
  if (Object.keys(fields).length > 0 || user_id !== endpoint.user_id) await writer.update(id, { ...fields, user_id })
  if (status === 'paused' && endpoint.status !== 'paused') await writer.move(endpoint, 'pause', {})
  if (isResumed) {
    await writer.move(endpoint, 'resume', { disabled_reason: null })
    if (endpoint.status === 'disabled')
      await ctx.ask(queues.restart(owner, id, (await one(ctx, queues.latest(owner))).last))
  }
  return shown(ctx, id)
}

/**
 * Who knows the secret can forge events, so that the caller needs the scopes of the endpoint's types. Twice at once:
 * the second replaces the first's, which nobody has used yet.
 */
export async function rotateSecret(
  ctx: Context,
  id: number,
  { body, catalogue, newKeyFor }: RotationRequest,
): Promise<EndpointWithSecret> {
  const endpoint = await locked(ctx, id)
  await responsible(ctx, endpoint.events, catalogue)
  const { secret, ...key } = newKeyFor(endpoint.signature)
  const { overlap_hours: hours = 24 } = body
  const isOverlap = hours > 0
  const previous = {
    previous_secret_nonce: isOverlap ? endpoint.secret_nonce : null,
    previous_secret_until: isOverlap ? fromNow(ctx, hours * 3600).toISOString() : null,
  }
  await writerOf(ctx).update(id, { ...key, ...previous }, 'secret_rotated')
  return { ...(await shown(ctx, id)), secret }
}

/** By the service. Whatever waits is given up; nothing happens to one that is deleted or disabled already. */
export async function disableEndpoint(ctx: Context, id: number, reason: DisabledReason): Promise<void> {
  const endpoint = await first(ctx, endpoints.forChange(ownerOf(ctx), id))
  if (!endpoint || endpoint.status === 'disabled') return
  await writerOf(ctx).move(endpoint, 'disable', { disabled_reason: reason })
  await giveUp(ctx, id)
}

/** The row stays, for the audit log; nothing finds it any more. */
export async function deleteEndpoint(ctx: Context, id: number): Promise<void> {
  await locked(ctx, id)
  await writerOf(ctx).update(id, { deleted_at: ctx.now.toISOString() }, 'deleted')
  await giveUp(ctx, id)
}

const giveUp = (ctx: Context, id: number) =>
  enqueue(ctx, giveUpDeliveries, { endpoint_id: id, created_until: ctx.realNow.toISOString() })

async function locked(ctx: Context, id: number): Promise<EndpointRow> {
  const endpoint = await first(ctx, endpoints.forChange(ownerOf(ctx), id))
  if (!endpoint) throw notFound()
  return endpoint
}

async function shown(ctx: Context, id: number): Promise<WebhookEndpoint> {
  const endpoint = await first(ctx, endpoints.one(ownerOf(ctx), id))
  if (!endpoint) throw notFound()
  return endpoint
}
