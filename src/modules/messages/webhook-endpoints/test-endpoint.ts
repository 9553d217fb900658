// Sends a test, so that whoever sets an endpoint up sees what it gets and what it answers.
import { first, one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { type Delivery, TEST_TYPE } from './delivery.ts'
import { deliveries } from './delivery-queries.ts'
import { ownerOf } from './endpoint-writer.ts'
import { endpoints } from './queries.ts'

export async function testEndpoint(ctx: OrganizationContext | SystemContext, id: number): Promise<Delivery> {
  const owner = ownerOf(ctx)
  const endpoint = await first(ctx, endpoints.forChange(owner, id))
  if (!endpoint) throw notFound()
  if (await first(ctx, deliveries.waitingTest(owner, id)))
    throw conflict('already_in_progress', 'The test before it has not been sent yet')
  const { url, description } = endpoint
  const body = JSON.stringify({
    type: TEST_TYPE,
    timestamp: ctx.now.toISOString(),
    organization_id: owner,
    data: { id, url, description },
  })
  return one(ctx, deliveries.addTest(owner, id, { type: TEST_TYPE, body }, ctx))
}
