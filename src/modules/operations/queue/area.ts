// The queue of what waits for staff. Each area declares which of its records do (http/manifest/queue.ts).
import { area } from '#http/manifest/area.ts'
import type { QueueSource } from '#http/manifest/queue.ts'
import { queueRoutes } from './routes.ts'

export const queueArea = (sources: readonly QueueSource[]) =>
  area({
    name: 'queue',
    description: 'What waits for the vendor’s staff: one list, with who has what.',
    routes: queueRoutes(sources),
    tables: ['queue_assignments'],
  })
