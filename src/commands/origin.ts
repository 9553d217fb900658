// The origin of changes by a command: the system, now.
import { SYSTEM_CALLER, type Origin } from '#kernel/data/transactions.ts'
import { consumersWith } from '../areas.ts'
import type { Service } from './compose.ts'

export const commandOrigin = ({ ports, store }: Service): Origin => ({
  caller: SYSTEM_CALLER,
  now: new Date(),
  requestId: 'command',
  ip: null,
  consumers: consumersWith(ports),
  settings: ports.settings,
  store: store(),
})
