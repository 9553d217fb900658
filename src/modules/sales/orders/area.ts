// Orders (spec 4.5).
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { ordersTable } from './order.ts'
import { publishedOrders } from './published.ts'
import { orderRoutes } from './routes.ts'

export const ordersArea = area({
  name: 'orders',
  description: 'Accepted quotes, from payment to delivery.',
  routes: orderRoutes,
  tables: [ordersTable.name],
  published: [publishedOrders],
  searchable: [{ scope: 'orders', table: ordersTable, label: sql`t.number` }],
})
