// The demo's webhook endpoint, paused because nobody is there, with a test that the log shows.
import { catalogue } from '../modules.ts'
import { changeEndpoint } from '#modules/messages/webhook-endpoints/change-endpoint.ts'
import { createEndpoint } from '#modules/messages/webhook-endpoints/create-endpoint.ts'
import { newKey } from '#modules/messages/webhook-endpoints/endpoint-keys.ts'
import { testEndpoint } from '#modules/messages/webhook-endpoints/test-endpoint.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'

export async function demoWebhookEndpoint(ctx: OrganizationContext, secretKey: string): Promise<void> {
  const body = {
    url: 'https://erp.example/webhooks/titular',
    events: ['quote.paid', 'invoice.paid'],
    description: 'ERP',
  }
  const { id } = await createEndpoint(ctx, body, { catalogue, key: newKey(secretKey, 'v1') })
  await changeEndpoint(ctx, id, { body: { status: 'paused' }, catalogue })
  await testEndpoint(ctx, id)
}
