// Migrations of a database that may be distributed.
import type { Client } from 'pg'
import { isDistributed } from './cluster.ts'
import { foldNewPolicies } from './policies.ts'

/** As node-pg-migrate ends the transaction of each file. */
const END = 'COMMIT;'

/** The connection for the runner of migrations. */
export const forMigrations = async (client: Client): Promise<Client> =>
  (await isDistributed(client)) ? foldingPolicies(client) : client

/**
 * What a file adds to the policies is folded before it commits: until then nobody
 * else sees that Citus has made it permissive on the shards.
 */
function foldingPolicies(client: Client): Client {
  const query = async (text: string, values?: unknown[]) => {
    if (text === END) await foldNewPolicies(client)
    return client.query(text, values)
  }
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)) })
}
