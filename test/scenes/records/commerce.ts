// The order at the commerce platform that belongs to the order.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { orders } }) => {
  const at = { company: 'entity_br', platform: 'woocommerce', reference: String(orders) }
  await add('commerce_orders', {
    order_id: orders,
    ...at,
    is_imported: false,
    platform_status: 'pending',
    synced_at: app.clock.now,
  })
  return {}
}
