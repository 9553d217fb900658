// Who acts when a command does: the system, now.
import { SYSTEM_CALLER, type Origin } from '#kernel/work.ts'
import { consumersWith } from '../areas.ts'

export const commandOrigin = (): Origin => ({
  caller: SYSTEM_CALLER,
  now: new Date(),
  requestId: 'command',
  ip: null,
  consumers: consumersWith([]),
})
