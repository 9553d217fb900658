// The replica that DATABASE_REPLICA_URL names, if any.
import { type Database, openDatabase } from '#kernel/database/database.ts'
import { createReplica, type Replica } from '#kernel/database/replica.ts'
import { sharedLogin } from '../postgres/roles.ts'
import type { Composition } from './compose.ts'

/** An export holds one. */
const LONG_READS = 2

export function replicaOf({ config, log, waits }: Composition, primary: Database): Replica | null {
  const { replicaUrl, replicaMaxLagSeconds: maxLagSeconds, readConnections } = config.database
  if (replicaUrl === null) return null
  const replica = openDatabase({
    logins: () => sharedLogin(replicaUrl),
    readConnections,
    changeConnections: LONG_READS,
    waits,
    onError: (error) => log.warn({ err: error }, 'a connection to the replica was lost'),
  })
  return createReplica({ replica, primary, maxLagSeconds, log })
}
