// Sets an endpoint up, and decides which events its organization may have sent there.
import { first, one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { conflict, forbidden, invalid } from '#kernel/values/errors.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import type { NewKey } from './endpoint-keys.ts'
import { urlProblem } from '#kernel/network/public-url.ts'
import { ownerOf, writerOf } from './endpoint-writer.ts'
import { endpoints, queues } from './queries.ts'
import {
  ALL_EVENTS,
  type EndpointWithSecret,
  MAX_ENDPOINTS,
  type NewEndpoint,
  NO_DELIVERIES,
} from './webhook-endpoint.ts'

type Context = OrganizationContext | SystemContext

/** Two at once of one organization wait for its lock, so that neither passes the limit. */
export async function createEndpoint(
  ctx: Context,
  body: NewEndpoint,
  { catalogue, key }: { catalogue: Catalogue; key: NewKey },
): Promise<EndpointWithSecret> {
  assertUrl(ctx, body.url)
  const userId = await responsible(ctx, body.events, catalogue)
  const owner = ownerOf(ctx)
  if (!(await first(ctx, endpoints.room(owner))))
    throw conflict('limit_reached', `There can be ${MAX_ENDPOINTS} webhook endpoints`)
  const { secret, ...keyed } = key
  const { description = null, signature = 'v1', url, events } = body
  const settings = { url, events, description, signature, user_id: userId }
  const endpoint = await writerOf(ctx).insert({ ...settings, ...keyed, status: 'active' })
  const { last: cursor } = await one(ctx, queues.latest(owner))
  await ctx.ask(queues.open(owner, endpoint.id, cursor, ctx))
  return { ...endpoint, ...NO_DELIVERIES, secret }
}

export function assertUrl({ settings }: Context, url: string): void {
  const problem = urlProblem(url, settings.webhooks.loopback)
  if (problem !== null) throw invalid({ url: problem })
}

/**
 * Whoever sets an endpoint up must hold the scopes of all its types, as their own collaborator: the endpoint gets what
 * they hold, now and later. Null for the vendor's own, which get every event.
 */
export async function responsible(
  ctx: Context,
  events: readonly string[],
  { kinds }: Catalogue,
): Promise<number | null> {
  if (!('organizationId' in ctx)) return null
  const { kind, userId } = ctx.caller
  // It would act with the membership of whoever made it.
  if (kind === 'api_key')
    throw forbidden('person_needed', 'Only a collaborator of the organization can do this, no API key')
  const member = await first(ctx, endpoints.memberScopes(ctx.organizationId, userId))
  if (!member)
    throw forbidden('not_a_member', 'Only a collaborator of the organization can choose where its events are sent')
  const chosen = kinds.filter(({ type }) => events.includes(ALL_EVENTS) || events.includes(type))
  const needed = SCOPE_NAMES.filter((scope) => chosen.some(({ scopes }) => scopes.includes(scope)))
  const missing = needed.find((scope) => !member.scopes.includes(scope))
  if (missing) throw forbidden('scope_missing', `Scope not authorized: ${missing}`)
  return userId
}
