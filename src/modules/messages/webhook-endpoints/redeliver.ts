// Sends again: one delivery, or the events of a range of time.
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { Delivery, Redelivery } from './delivery.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { deliveries } from './delivery-queries.ts'
import { ownerOf } from './endpoint-writer.ts'
import { redeliverRange } from './job-kinds.ts'
import { mayGet } from './messages.ts'
import { endpoints } from './queries.ts'
import { subscriberStatement } from './sender-queries.ts'

type Context = OrganizationContext | SystemContext

type RedeliveryOptions = { endpointId: number; id: number; catalogue: Catalogue }

export async function redeliver(ctx: Context, { endpointId, id, catalogue }: RedeliveryOptions): Promise<Delivery> {
  const owner = ownerOf(ctx)
  const asked = await first(ctx, deliveries.one(owner, endpointId, id))
  if (!asked) throw notFound()
  await assertActive(ctx, endpointId)
  const subscriber = await first(ctx, subscriberStatement(endpointId, ctx))
  if (!subscriber || !mayGet(catalogue, asked.type, subscriber))
    throw conflict('endpoint_scopes_missing', `Whoever set the endpoint up does not hold the scopes of ${asked.type}`)
  const delivery = await first(ctx, deliveries.again(owner, endpointId, id, ctx))
  if (!delivery) throw conflict('already_in_progress', 'It waits for an attempt already')
  return delivery
}

export async function redeliverEvents(ctx: Context, endpointId: number, body: Redelivery) {
  await assertActive(ctx, endpointId)
  const range = { from: inUtc(body.from), to: inUtc(body.to), all: body.all ?? false }
  await enqueue(ctx, redeliverRange, { endpoint_id: endpointId, ...range, after: 0 }, { key: keyOf(endpointId) })
  return { endpoint_id: endpointId, ...range }
}

/** One range after the other. */
export const keyOf = (endpointId: number): string => `${redeliverRange.name}:${endpointId}`

const inUtc = (time: string): string => new Date(time).toISOString()

async function assertActive(ctx: Context, id: number): Promise<void> {
  const endpoint = await first(ctx, endpoints.forChange(ownerOf(ctx), id))
  if (!endpoint) throw notFound()
  if (endpoint.status !== 'active')
    throw conflict('status_not_allowed', `A webhook endpoint that is ${endpoint.status} gets nothing`)
}
