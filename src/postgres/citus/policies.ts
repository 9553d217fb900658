// Row-level security of distributed tables. Citus takes no policy with a subquery for the table itself, only for its shards, so
// the table gets the policy with nothing found in its place, and the shards that lie beside each other get the policy itself. A
// shard that was just moved or split has the table's: it hides too much, until `openShards` has run.
import { type Client, escapeIdentifier } from 'pg'

type Policy = { table: string; name: string; using: string | null; check: string | null }

const ASIDE = 'titular_distribution.policies'
/** As PostgreSQL prints it. */
const SUBQUERY = /\(\s*SELECT true\s+FROM (\w+) \w+\s+WHERE /g

/** Keeps the policies with subqueries of a table that is about to be distributed, and closes them. */
export async function closePolicies(client: Client, table: string): Promise<void> {
  await client.query(
    `create table if not exists ${ASIDE} ("table" text, name text, "using" text, "check" text, primary key ("table", name))`,
  )
  const { rows } = await client.query<Policy>(
    `insert into ${ASIDE} ("table", name, "using", "check")
     select tablename, policyname, qual, with_check from pg_policies
      where schemaname = 'public' and tablename = $1 and concat(qual, with_check) ~ 'SELECT '
     returning "table", name, "using", "check"`,
    [table],
  )
  for (const policy of rows) await client.query(alter(policy, table, closed))
}

/** Gives each shard the policies themselves. May be repeated. */
export async function openShards(client: Client): Promise<void> {
  const { rows } = await client.query<Policy>(`select "table", name, "using", "check" from ${ASIDE} order by 1, 2`)
  const shards = await shardsOf(client)
  for (const policy of rows) {
    for (const { shard, node, port, index } of shards.filter(({ table }) => table === policy.table)) {
      const beside = new Map(shards.filter((one) => one.index === index).map((one) => [one.table, one.shard]))
      const statement = alter(policy, shard, (expression) => onShard(expression, policy.table, beside))
      await onNode(client, { node, port }, statement)
    }
  }
}

type Shard = { table: string; shard: string; node: string; port: number; index: string }

async function shardsOf(client: Client): Promise<Shard[]> {
  const { rows } = await client.query<Shard>(
    `select s.logicalrelid::text as "table", shard_name(s.logicalrelid, s.shardid) as shard, n.nodename as node, n.nodeport as port,
            s.shardminvalue as index
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
      where n.noderole = 'primary' and s.shardminvalue is not null order by 1, 2`,
  )
  return rows
}

async function onNode(
  client: Client,
  { node, port }: { node: string; port: number },
  statement: string,
): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    `select success, result from master_run_on_worker(array[$1], array[$2]::int[], array[$3], false)`,
    [node, port, `set citus.enable_manual_changes_to_shards = on; ${statement}`],
  )
  if (!rows[0]?.success) throw new Error(`${node}:${port} refused a policy: ${rows[0]?.result ?? 'no answer'}`)
}

function alter({ name, using, check }: Policy, table: string, as: (expression: string) => string): string {
  return `alter policy ${escapeIdentifier(name)} on ${escapeIdentifier(table)}
    ${using === null ? '' : `using (${as(using)})`} ${check === null ? '' : `with check (${as(check)})`}`
}

/** `(SELECT true FROM tickets t WHERE …)` finds nothing. */
export function closed(expression: string): string {
  let result = expression
  for (let found = SUBQUERY.exec(result); found; found = SUBQUERY.exec(result)) {
    result = `${result.slice(0, found.index)}NULL::boolean${result.slice(endOf(result, found.index))}`
    SUBQUERY.lastIndex = 0
  }
  return result
}

/** Behind the parenthesis that closes the one at `from`. */
function endOf(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at + 1
  }
  throw new Error('a policy is not closed')
}

/** The tables of the subqueries, and the policy's own, by the names of their shards. */
export function onShard(expression: string, table: string, shards: ReadonlyMap<string, string>): string {
  const named = (name: string): string => {
    const shard = shards.get(name)
    if (shard === undefined) throw new Error(`${name} is not distributed, but a policy of ${table} reads it`)
    return shard
  }
  return expression
    .replaceAll(SUBQUERY, (text: string, name: string) => text.replace(`FROM ${name} `, `FROM ${named(name)} `))
    .replaceAll(new RegExp(String.raw`\b${table}\.`, 'g'), `${named(table)}.`)
}
