// The address of PostgreSQL, and the number of connections of a process.
import { WrongSettings } from './problems.ts'
import { flag, number, postgresUrl } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const DATABASE = {
  url: {
    name: 'DATABASE_URL',
    meaning: 'PostgreSQL 15 or newer; an embedded one runs under DATA_DIR when unset',
    read: postgresUrl,
    secret: true,
  },
  systemUrl: {
    name: 'DATABASE_SYSTEM_URL',
    meaning: 'Login of its own for the system role (with DATABASE_OWNER_URL, behind PgBouncer)',
    read: postgresUrl,
    secret: true,
  },
  ownerUrl: {
    name: 'DATABASE_OWNER_URL',
    meaning: 'Login of its own for migrations',
    read: postgresUrl,
    secret: true,
  },
  replicaUrl: {
    name: 'DATABASE_REPLICA_URL',
    meaning: 'A streaming replica for reports, exports and lists over all organizations; one login for both roles',
    read: postgresUrl,
    secret: true,
  },
  replicaMaxLagSeconds: {
    name: 'REPLICA_MAX_LAG_SECONDS',
    meaning: 'How far behind the replica may be; beyond that the primary answers',
    fallback: '10',
    read: number(2, 3600),
  },
  nodeReads: {
    name: 'DATABASE_NODE_READS',
    meaning: '`0`: on a Citus cluster, all reads go to the coordinator instead of the node that has the organization',
    fallback: '1',
    read: flag,
  },
  readConnections: {
    name: 'DATABASE_READ_CONNECTIONS',
    meaning: 'Shared connections for reads in each process',
    fallback: '4',
    read: number(1, 32),
  },
  changeConnections: {
    name: 'DATABASE_CHANGE_CONNECTIONS',
    meaning: 'Connections for changes in each process',
    fallback: '10',
    read: number(2, 200),
  },
  startSeconds: {
    name: 'DATABASE_START_SECONDS',
    meaning: 'How long a start waits for a database that cannot be reached yet',
    fallback: '30',
    read: number(0, 3600),
  },
} as const satisfies Variables

type Database = ValuesOf<typeof DATABASE>

export function databaseOf(database: Database): Database {
  const { url, systemUrl, ownerUrl, replicaUrl } = database
  const problems: string[] = []
  if (url === null && (systemUrl !== null || ownerUrl !== null))
    problems.push('DATABASE_SYSTEM_URL and DATABASE_OWNER_URL need DATABASE_URL')
  if (url === null && replicaUrl !== null) problems.push('DATABASE_REPLICA_URL needs DATABASE_URL')
  if ((systemUrl === null) !== (ownerUrl === null))
    problems.push('DATABASE_SYSTEM_URL and DATABASE_OWNER_URL go together')
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  return database
}
