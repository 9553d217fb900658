// The three database roles: `owner` of the schema, `app` for requests and jobs, `system` for work across organizations.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, DatabaseError, escapeIdentifier } from 'pg'
import { hasCitus } from './citus/cluster.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

export const OWNER = 'titular_owner'
export const APP = 'titular_app'
export const SYSTEM = 'titular_system'
const ROLES = [OWNER, APP, SYSTEM]

// These apply to sessions that log in as the role. SET ROLE does not apply them, so connections that set the role pass
// them as options (sessionOptions).
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [APP]: {
    statement_timeout: '15s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '15s',
    timezone: 'UTC',
  },
  [SYSTEM]: {
    statement_timeout: '60s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '15s',
    timezone: 'UTC',
  },
}

export const timeoutsOf = (role: typeof APP | typeof SYSTEM): Readonly<Record<string, string>> => SETTINGS[role] ?? {}

// As if reading a page elsewhere cost hardly more than the next one, which holds for memory and for disks without
// moving parts. With PostgreSQL's default, 4, lists with a filter walk by id past all rows that do not match, instead
// of taking the index in which those that match lie together (docs/decisions/0050).
const PLANNER = { random_page_cost: '1.1' }
const settingsOf = (role: string): Readonly<Record<string, string>> =>
  role === OWNER ? {} : { ...SETTINGS[role], ...PLANNER }

// With `local`, the nodes of a cluster are told what a transaction sets.
export const TELLS_NODES = 'citus.propagate_set_commands'

// The `options` of a connection that sets its role in the start-up packet. That needs no round trip, and RESET ROLE and
// DISCARD ALL return to the role instead of the login.
export function sessionOptions(role: typeof OWNER | typeof APP | typeof SYSTEM): string {
  const settings = { role, ...settingsOf(role) }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

// One login for both roles, as far as the server lets it switch to them.
export const sharedLogin = (connectionString: string) => ({
  [APP]: { connectionString, options: sessionOptions(APP) },
  [SYSTEM]: { connectionString, options: sessionOptions(SYSTEM) },
})

// Roles belong to the whole server, so a migration of another database may create or grant them at the same time.
const RACES = new Set(['42710', '23505', '40001', '40P01', 'XX000'])
const ATTEMPTS = 20

export async function ensureRoles(client: Client, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await makeRoles(client, log)
    } catch (error) {
      if (error instanceof StartupError) throw error
      const isRace = error instanceof DatabaseError && RACES.has(error.code ?? '') && attempt < ATTEMPTS
      if (!isRace) throw cannotMake(error, await loginOf(client))
      await sleep(20 * attempt * Math.random())
    }
  }
}

async function makeRoles(client: Client, log: Log): Promise<void> {
  const { login, version, database } = await loginOf(client)
  const isCluster = await hasCitus(client)
  for (const role of ROLES) await makeRole(client, { role, isCluster }, log)
  if (isCluster) for (const role of ROLES) await makeOnNodes(client, role)
  await assertBoundByRowSecurity(client)
  // PostgreSQL 16 and newer distinguish between inheriting rights and setting the role; the login needs the latter.
  const become = version >= 160_000 ? ' with inherit false, set true' : ''
  // When each role has a login of its own, the login is the owner, which needs no grant of the other roles here.
  for (const role of login === OWNER ? [] : ROLES) {
    if (login !== role && !(await canBecome(client, login, role))) {
      await client.query(`grant ${role} to ${escapeIdentifier(login)}${become}`)
    }
  }
  // A migration makes the system role the owner of a view, for which the owner must be able to set that role.
  if (!(await canBecome(client, OWNER, SYSTEM))) await client.query(`grant ${SYSTEM} to ${OWNER}${become}`)
  await grantSchema(client, database)
  await forbidTemporaryTables(client, database, log)
}

// The nodes of a cluster log in to each other as the role whose statement they run.
async function makeRole(client: Client, { role, isCluster }: { role: string; isCluster: boolean }, log: Log) {
  const { rows } = await client.query<{ can: boolean }>('select rolcanlogin as can from pg_roles where rolname = $1', [
    role,
  ])
  if (rows[0]) {
    if (isCluster && !rows[0].can) await client.query(`alter role ${role} login`)
    if (isCluster) await tellNodes(client, role)
    return
  }
  const login = isCluster ? 'login' : 'nologin'
  await client.query(`create role ${role} ${login} nosuperuser nobypassrls nocreatedb nocreaterole`)
  for (const [name, value] of Object.entries(settingsOf(role))) {
    await client.query(`alter role ${role} set ${name} = '${value}'`)
  }
  if (isCluster) await tellNodes(client, role)
  log.info(`Made the database role ${role}.`)
}

// Those that were made before there were nodes, which Citus tells them nothing of.
async function makeOnNodes(client: Client, role: string): Promise<void> {
  const settings = Object.entries({ ...settingsOf(role), [TELLS_NODES]: 'local' })
  const statements = [
    `create role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole`,
    ...settings.map(([name, value]) => `alter role ${role} set ${name} = '${value}'`),
  ]
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers($1)`,
    [
      `do $$ begin if to_regrole('${role}') is null then
         set local citus.enable_ddl_propagation = off; ${statements.join('; ')}; end if; end $$`,
    ],
  )
  const refused = rows.find(({ success }) => !success)
  if (refused) throw new Error(`${refused.node} cannot make the role ${role}: ${refused.result}`)
}

const tellNodes = (client: Client, role: string) => client.query(`alter role ${role} set ${TELLS_NODES} = 'local'`)

// Roles made by an operator are left as they are, unless row-level security does not apply to them.
async function assertBoundByRowSecurity(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select rolname as name from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [[APP, SYSTEM]],
  )
  const [role] = rows
  if (!role) return
  throw new StartupError(
    `Row-level security does not bind ${role.name}: alter role ${role.name} nosuperuser nobypassrls; and start again.`,
  )
}

async function canBecome(client: Client, member: string, role: string): Promise<boolean> {
  const { version } = await loginOf(client)
  const right = version >= 160_000 ? 'SET' : 'MEMBER'
  const sql = `select rolsuper or pg_has_role(rolname, $2, '${right}') as can from pg_roles where rolname = $1`
  const { rows } = await client.query<{ can: boolean }>(sql, [member, role])
  return rows[0]?.can ?? false
}

async function grantSchema(client: Client, database: string): Promise<void> {
  const has = await schemaRights(client)
  // With grant option: to give a view to the system role, the owner must grant that role CREATE for a moment.
  if (!has.owner) await client.query(`grant usage, create on schema public to ${OWNER} with grant option`)
  // Creating a trusted extension needs CREATE on the database.
  if (!has.create) await client.query(`grant create on database ${escapeIdentifier(database)} to ${OWNER}`)
  if (!has.used) await client.query(`grant usage on schema public to ${APP}, ${SYSTEM}`)
  // PostgreSQL only warns of a grant that the login may not make, so the rights are read again.
  const { owner, create, used } = await schemaRights(client)
  if (!owner || !create || !used) throw new Error('it may not grant rights on the database and its schema public')
}

// PUBLIC gives every role this right, and with it a schema of its own in which it can create tables and functions. When
// the login may not revoke it, the service runs all the same and logs the statement that the database's owner can run.
async function forbidTemporaryTables(client: Client, database: string, log: Log): Promise<void> {
  const revoke = `revoke temporary on database ${escapeIdentifier(database)} from public`
  const question = `select has_database_privilege('${APP}', current_database(), 'temporary') as may`
  const mayNow = async () => (await client.query<{ may: boolean }>(question)).rows[0]?.may ?? false
  if (!(await mayNow())) return
  // A login that may not revoke it gets a warning or an error, so the right is read again.
  await client.query(revoke).catch(() => undefined)
  if (await mayNow()) log.warn(`The database lets the role ${APP} make temporary tables. Its owner may run: ${revoke};`)
}

async function schemaRights(client: Client): Promise<{ owner: boolean; create: boolean; used: boolean }> {
  const { rows } = await client.query<{ owner: boolean; create: boolean; used: boolean }>(
    `select has_schema_privilege('${OWNER}', 'public', 'create with grant option') as owner,
            has_database_privilege('${OWNER}', current_database(), 'create') as create,
            has_schema_privilege('${APP}', 'public', 'usage') and has_schema_privilege('${SYSTEM}', 'public', 'usage')
                as used`,
  )
  return rows[0] ?? { owner: false, create: false, used: false }
}

async function loginOf(client: Client): Promise<{ login: string; database: string; version: number }> {
  const { rows } = await client.query<{ login: string; database: string; version: number }>(
    `select session_user as login, current_database() as database, current_setting('server_version_num')::int
        as version`,
  )
  return rows[0] ?? { login: '', database: '', version: 0 }
}

const SETTING_STATEMENTS = ROLES.flatMap((role) =>
  Object.entries(settingsOf(role)).map(([name, value]) => `alter role ${role} set ${name} = '${value}';`),
)

const rightsIn = (database: string): string[] => [
  `grant ${SYSTEM} to ${OWNER};`,
  `grant create on database ${database} to ${OWNER};`,
  `grant usage, create on schema public to ${OWNER} with grant option;`,
  `grant usage on schema public to ${APP}, ${SYSTEM};`,
  `revoke temporary on database ${database} from public;`,
]

/** What docs/operations.md has an administrator run, for roles with logins of their own. */
export const administratorsStatements = (database: string): string[] => [...SETTING_STATEMENTS, ...rightsIn(database)]

function cannotMake(cause: unknown, { login, database }: { login: string; database: string }): StartupError {
  const to = escapeIdentifier(login)
  const sql = [
    ...ROLES.map((role) => `create role ${role} nologin;`),
    ...SETTING_STATEMENTS,
    ...(login === OWNER ? [] : [`grant ${ROLES.join(', ')} to ${to};`]),
    ...rightsIn(escapeIdentifier(database)),
  ].join(' ')
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StartupError(
    `The login ${login} cannot make the database roles (${reason}). As an administrator of database ` +
      `${database} run, leaving out roles that exist: ${sql}`,
    { cause },
  )
}
