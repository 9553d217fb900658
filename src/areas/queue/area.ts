// The queue of what waits for staff. Each area declares which of its records do (kernel/data/queue.ts).
import { area } from '#kernel/area.ts'
import type { QueueSource } from '#kernel/data/queue.ts'
import { queueRoutes } from './routes.ts'

export const queueArea = (sources: readonly QueueSource[]) =>
  area({
    name: 'queue',
    description: 'What waits for the vendor’s staff: one list, with who has what.',
    routes: queueRoutes(sources),
    tables: ['queue_assignments'],
  })
