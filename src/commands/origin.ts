// The origin of changes by a command: the system, now.
import { SYSTEM_CALLER, type Origin } from '#kernel/access/transactions.ts'
import { consumersWith } from '../modules.ts'
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
