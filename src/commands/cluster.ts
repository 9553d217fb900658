// The commands `doctor` and `organizations move`.
import type { DatabaseConfig } from '#config/config.ts'
import { inspect, type Inspection } from '../postgres/citus/inspect.ts'
import { moveOrganization } from '../postgres/citus/move.ts'
import { asOwner, withLogin } from '../postgres/login.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { Console } from './console.ts'
import { openPostgres } from './databases.ts'

type Options = { config: DatabaseConfig; console: Console }

/** `print` gets the lines; `isJson`: one object. Resolves to whether nothing has to be done. */
export async function doctorCommand({
  config,
  console: { log },
  isJson,
  print,
}: Options & { isJson: boolean; print: (line: string) => void }): Promise<boolean> {
  const postgres = await openPostgres(config, log)
  try {
    const inspection = await asOwner(postgres.ownerUrl, inspect)
    for (const line of isJson ? [JSON.stringify(inspection)] : linesOf(inspection)) print(line)
    return inspection.problems.length === 0
  } finally {
    await postgres.stop()
  }
}

export function linesOf({ citus, distributed, nodes, tables, lostKeys, problems }: Inspection): string[] {
  const widest = Math.max(...tables.map(({ table }) => table.length))
  return [
    distributed
      ? 'Distributed over a Citus cluster.'
      : citus
        ? 'On a Citus cluster, not distributed.'
        : 'On one server.',
    ...nodes.map(({ node, shards, bytes }) => `${node}: ${shards} shards, ${sizeOf(bytes)}`),
    ...tables.map(({ table, place, reason, bytes }) =>
      [table.padEnd(widest), place.padEnd(11), sizeOf(bytes).padStart(9), reason ?? ''].join('  ').trimEnd(),
    ),
    ...(lostKeys.length > 0 ? [`Foreign keys that the cluster cannot keep: ${lostKeys.join(', ')}`] : []),
    ...(problems.length > 0 ? problems : ['No problems found.']),
  ]
}

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} kB` : `${Math.round(bytes / 1_048_576)} MB`

export async function moveCommand({
  config,
  console: { log },
  id,
  to,
  isAlone,
}: Options & { id: string; to: string; isAlone: boolean }): Promise<void> {
  const [, host, port] = /^(.+):(\d+)$/.exec(to) ?? []
  if (!/^[1-9]\d*$/.test(id)) throw new StartupError(`${id} is no id of an organization.`)
  if (host === undefined) throw new StartupError(`${to} is no node: give it as host:port.`)
  const postgres = await openPostgres(config, log)
  try {
    const move = { organizationId: Number(id), to: { host, port: Number(port) }, isAlone }
    const { shard, from } = await withLogin(postgres.ownerUrl, (client) => moveOrganization(client, move))
    log.info(from === to ? `${shard} is on ${to}.` : `Moved ${shard}, with those beside it, from ${from} to ${to}.`)
  } finally {
    await postgres.stop()
  }
}
