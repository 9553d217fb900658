// How statements travel over the connections of a database: reads share a few, each transaction has one.
import type { Client, Pool, PoolClient } from 'pg'
import type { Statement } from '#kernel/values/sql.ts'
import type { AnswerTimeouts } from './answer-timeouts.ts'
import type { Role } from './database.ts'
import type { PoolState } from './pool-state.ts'
import type { SharedConnections } from './shared-connections.ts'
import { groupsOver, type Session } from './transaction.ts'

export type ServerAddress = { host: string; port: number }

/** The connections that a transport has. */
export type Connector = {
  timeouts: AnswerTimeouts
  readConnections: Readonly<Record<Role, number>>
  /** One round trip on the connection. */
  send(client: Client, statements: readonly Statement[]): Promise<unknown[][]>
  /** Connections that many reads use at once. */
  share(role: Role): SharedConnections
  /** Connections with one user at a time, to the server of the role's login unless `at` names another one. */
  createPool(role: Role, max: number, at?: ServerAddress): Pool
  checkOut(pool: Pool): Promise<PoolClient>
}

export type Transport = {
  createReads(role: Role): SharedConnections
  /** For one transaction on the connection, which waits so long for each answer. */
  groupsOf(client: Client, role: Role, answerMs: number): Pick<Session, 'begin' | 'run'>
  /** Besides those of reads and changes. */
  morePools(): PoolState[]
  close(): Promise<void>
}

export type OpenTransport = (connector: Connector) => Transport

export const toOneServer: OpenTransport = ({ share, send, timeouts }) => ({
  createReads: share,
  groupsOf: (client, _role, answerMs) =>
    groupsOver((statements) => timeouts.wait(client, send(client, statements), answerMs)),
  morePools: () => [],
  close: async () => {},
})
