// Orders (spec 4.5).
import { area } from '#kernel/area.ts'
import { sql } from '#kernel/data/sql.ts'
import { ordersTable } from './order.ts'
import { orderRoutes } from './routes.ts'

export const ordersArea = area({
  name: 'orders',
  description: 'What an accepted quote becomes.',
  routes: orderRoutes,
  tables: [ordersTable.name],
  searchable: [{ scope: 'orders', table: ordersTable, label: sql`t.number` }],
})
