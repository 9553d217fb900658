// A webhook endpoint that the service has disabled, with a delivery that was given up.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add }) => {
  const { id: organization_id, owner } = organization
  const setUp = {
    user_id: owner.userId,
    url: 'https://erp.acme.example/hook',
    events: ['*'],
    secret_nonce: 'of-a-test',
  }
  const endpoint_id = await add('webhook_endpoints', { ...setUp, status: 'disabled', disabled_reason: 'gone' })
  await app.database.query(
    `insert into webhook_queues (organization_id, endpoint_id, cursor, claimed_at) values ($1, $2, 0, $3)`,
    [organization_id, endpoint_id, app.clock.now],
  )
  const sent = { event_id: 1, type: 'quote.sent', body: '{}', created_at: app.clock.now }
  const deliveries = await add('webhook_deliveries', { endpoint_id, ...sent, state: 'failed' })
  return { 'webhook-endpoints': endpoint_id, deliveries }
}
