// Row-level security of distributed tables. Citus makes restrictive policies permissive on the shards, and takes no
// policy with a subquery for the table itself. So what bound a role together becomes one permissive policy for each
// command, in which subqueries find nothing; the shards then get the subqueries, over the shards that lie beside them.
// A shard that was just moved or split has the table's policies: it hides too much, until `openShards` has run.
import { type Client, escapeIdentifier } from 'pg'
import { shardsOf } from './cluster.ts'

/** `using` and `check` are expressions, as PostgreSQL prints them. */
export type Policy = { table: string; name: string; using: string | null; check: string | null }
export type StoredPolicy = Policy & { isRestrictive: boolean; command: string; role: string }
type FoldedPolicy = Policy & { command: Command; role: string }

const ASIDE = 'titular_distribution.policies'
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
type Command = (typeof COMMANDS)[number]

export const makePolicyStore = (client: Client) =>
  client.query(
    `create table if not exists ${ASIDE} (
       "table" text, name text, "using" text, "check" text, primary key ("table", name))`,
  )

/** Before the table is distributed, in the same transaction; and again when a migration has added a policy. */
export async function foldPolicies(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<StoredPolicy>(
    `select tablename as "table", policyname as name, permissive = 'RESTRICTIVE' as "isRestrictive", cmd as command,
        role::text as role,
            coalesce(k."using", qual) as "using", coalesce(k."check", with_check) as "check"
       from pg_policies cross join unnest(roles) r (role) left join ${ASIDE} k on k."table" = tablename
           and k.name = policyname
      where schemaname = 'public' and tablename = $1 order by policyname`,
    [table],
  )
  const isNew = ({ name }: StoredPolicy) => !rows.some(({ role }) => name.startsWith(`${role}_`))
  for (const role of new Set(
    rows.filter((policy) => isNew(policy) && cannotBeDistributed(policy)).map((policy) => policy.role),
  )) {
    const former = rows.filter((policy) => policy.role === role)
    for (const { name } of former)
      await client.query(`drop policy ${escapeIdentifier(name)} on ${escapeIdentifier(table)}`)
    for (const policy of folded(former)) {
      await client.query(
        `create policy ${policy.name} on ${escapeIdentifier(table)} for ${policy.command} to ${role}
           ${expressions(policy, closed)}`,
      )
      await client.query(
        `insert into ${ASIDE} ("table", name, "using", "check") values ($1, $2, $3, $4)
          on conflict ("table", name) do update set "using" = excluded."using", "check" = excluded."check"`,
        [table, policy.name, policy.using, policy.check],
      )
    }
  }
}

/** Those that a migration gave to tables that are distributed, in the same transaction. */
export async function foldNewPolicies(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_policy o join pg_class c on c.oid = o.polrelid
       join pg_dist_partition p on p.logicalrelid = c.oid where not o.polpermissive order by 1`,
  )
  for (const { name } of rows) await foldPolicies(client, name)
}

const cannotBeDistributed = ({ isRestrictive, ...policy }: StoredPolicy): boolean =>
  isRestrictive || hasSubquery(policy)
const hasSubquery = ({ using, check }: Policy): boolean => `${using} ${check}`.includes('SELECT ')

/** One permissive policy for each command that the policies of a role allow. */
export function folded(policies: readonly StoredPolicy[]): FoldedPolicy[] {
  return COMMANDS.flatMap((command) => {
    const applied = policies.filter((one) => one.command === 'ALL' || one.command === command)
    const permissive = applied.filter((one) => !one.isRestrictive)
    const [first] = permissive
    if (!first) return []
    const restrictive = applied.filter((one) => one.isRestrictive)
    const together = (expression: (policy: StoredPolicy) => string | null) =>
      [joined(permissive.map(expression), ' or '), ...restrictive.map((one) => expression(one) ?? 'true')]
        .map((part) => `(${part})`)
        .join(' and ')
    return {
      table: first.table,
      name: `${first.role}_${command.toLowerCase()}`,
      role: first.role,
      command,
      using: command === 'INSERT' ? null : together(({ using }) => using),
      check: command === 'INSERT' || command === 'UPDATE' ? together(({ using, check }) => check ?? using) : null,
    }
  })
}

const joined = (expressions: readonly (string | null)[], by: string): string =>
  expressions.map((expression) => `(${expression ?? 'true'})`).join(by)

/** Gives the shards the subqueries. May be repeated. */
export async function openShards(client: Client): Promise<void> {
  const { rows } = await client.query<Policy>(`select "table", name, "using", "check" from ${ASIDE} order by 1, 2`)
  const shards = await shardsOf(client)
  for (const policy of rows.filter(hasSubquery)) {
    for (const { shard, node, port, range } of shards.filter(({ table }) => table === policy.table)) {
      const beside = new Map(shards.filter((one) => one.range === range).map((one) => [one.table, one.shard]))
      const onItsShard = (expression: string) => onShard(expression, policy.table, beside)
      await onNode(
        client,
        { node, port },
        `alter policy ${policy.name} on ${escapeIdentifier(shard)} ${expressions(policy, onItsShard)}`,
      )
    }
  }
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

const expressions = ({ using, check }: Policy, as: (expression: string) => string): string =>
  [using === null ? '' : `using (${as(using)})`, check === null ? '' : `with check (${as(check)})`].join(' ')

/** As PostgreSQL prints it. */
const SUBQUERY = /\(\s*SELECT true\s+FROM (\w+) \w+\s+WHERE /g

/** Never true. A constant would be seen before the statement is sent, and Citus would ask no shard for the rows. */
const NEVER = '(now() IS NULL)'

/** `(SELECT true FROM tickets t WHERE …)` finds nothing. */
export function closed(expression: string): string {
  let result = expression
  for (let found = result.search(SUBQUERY); found >= 0; found = result.search(SUBQUERY)) {
    // What is never true would let everything through behind it.
    if (/\bNOT[\s(]*$/i.test(result.slice(0, found))) throw new Error(`a policy denies a subquery: ${expression}`)
    result = `${result.slice(0, found)}${NEVER}${result.slice(endOf(result, found))}`
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
