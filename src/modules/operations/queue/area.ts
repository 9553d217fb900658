// The queue of what waits for staff. Each area declares which of its records do (http/manifest/queue.ts).
import { area } from '#http/manifest/area.ts'
import { queueRoutes } from './routes.ts'

export const queueArea = area({
  name: 'queue',
  description: 'What waits for the vendor’s staff: one list, with who has what.',
  fromAll: ({ waiting }) => ({ routes: queueRoutes(waiting) }),
  tables: ['queue_assignments'],
})
