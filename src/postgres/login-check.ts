// Checks the database logins before anything is changed: each must have its role, time-outs, and prepared statements
// that last. Behind a pooler, a lack of any of these would fail only some requests.
import { Client, DatabaseError } from 'pg'
import { connectionProblem, type Login, throughPooler } from './connection-problem.ts'
import { APP, sessionOptions, SYSTEM, timeoutsOf } from './roles.ts'
import { StartupError } from './startup-error.ts'

const CONNECT_MS = 5000
const ANSWER_MS = 3000
const OLDEST = 15

type Role = typeof APP | typeof SYSTEM

/** The login that migrates changes settings of its session, so it must not go through a pooler. */
export async function checkOwnerLogin(login: Login): Promise<void> {
  // Any option will do: PostgreSQL takes it, a pooler drops it.
  await withClient(login, { options: '-c statement_timeout=4321ms' }, async (client) => {
    const { version, taken } = await one<{ version: number; taken: string }>(
      client,
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('statement_timeout')
          as taken`,
    )
    if (taken !== '4321ms') throw refusal(login, throughPooler(login.setting, 'it drops the options of a connection'))
    if (version < OLDEST) throw refusal(login, `PostgreSQL ${version} is too old; ${OLDEST} or newer is needed`)
  })
}

/** A login that is one of the two roles itself, behind a pooler or not. */
export async function checkRoleLogin(login: Login, role: Role): Promise<void> {
  await withClient(login, {}, async (client) => {
    await assertRole(client, login, role)
    await assertTimeouts(client, login, role)
    await withClient(login, {}, (other) => assertStaysPrepared(client, other, login))
  })
}

/** A login that sets its role when it connects. */
export async function checkSharedLogin(login: Login): Promise<void> {
  for (const role of [APP, SYSTEM] as const)
    await withClient(login, { options: sessionOptions(role) }, (client) => assertRole(client, login, role))
}

async function assertRole(client: Client, login: Login, role: Role): Promise<void> {
  const { is, bypasses } = await one<{ is: string; bypasses: boolean }>(
    client,
    `select current_user::text as is, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`,
  )
  if (is !== role) throw refusal(login, `the login is ${is}, it must be ${role}`)
  if (bypasses)
    throw refusal(login, `row-level security does not bind ${role}: alter role ${role} nosuperuser nobypassrls`)
}

/** Time-outs must be settings of the role, because a pooler passes its connections from one client to the next. */
async function assertTimeouts(client: Client, login: Login, role: Role): Promise<void> {
  const wanted = Object.entries(timeoutsOf(role))
  const now = await one<Record<string, string>>(
    client,
    `select ${wanted.map(([name]) => `current_setting('${name}') as ${name}`).join(', ')}`,
  )
  const isMissing = (name: string) => (name === 'timezone' ? !/^(Etc\/)?UTC$/.test(now[name] ?? '') : now[name] === '0')
  const missing = wanted.filter(([name]) => isMissing(name))
  if (missing.length === 0) return
  const mend = missing.map(([name, value]) => `alter role ${role} set ${name} = '${value}';`).join(' ')
  throw refusal(
    login,
    `${role} has no ${missing.map(([name]) => name).join(', ')}; as an administrator: ${mend} A pooler ` +
      'has to open its connections anew then',
  )
}

const ask = async (on: Client, text: '1' | '2'): Promise<number | undefined> =>
  (await on.query<{ n: number }>({ name: 'titular_check', text: `select ${text}::int as n` })).rows[0]?.n

/**
 * Two connections prepare different statements under the same name. While the second one keeps the server connection
 * that the first one used, the first executes its statement again: only a pooler that tracks the statements of each
 * client answers right.
 */
async function assertStaysPrepared(client: Client, other: Client, login: Login): Promise<void> {
  try {
    const first = await ask(client, '1')
    await other.query('begin')
    const second = await ask(other, '2')
    const again = await ask(client, '1')
    await other.query('commit')
    if (first === 1 && second === 2 && again === 1) return
  } catch (cause) {
    throw refusal(login, notPrepared(cause), cause)
  }
  throw refusal(login, notPrepared(null))
}

function notPrepared(cause: unknown): string {
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  if (cause instanceof DatabaseError || cause === null)
    return (
      `prepared statements do not survive the pooler${reason}; PgBouncer needs version 1.21, pool_mode = ` +
      'transaction and max_prepared_statements = 200, or pool_mode = session'
    )
  return `the pooler gives no second connection${reason}; its pool must be larger than one`
}

const refusal = ({ setting }: Login, what: string, cause?: unknown): StartupError =>
  new StartupError(`${setting}: ${what}`, { cause })

async function one<Row extends object>(client: Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  const [row] = rows
  if (!row) throw new Error('an answer without a row')
  return row
}

async function withClient<T>(
  login: Login,
  more: { options?: string },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: login.url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    application_name: 'titular check',
    ...more,
  })
  // The running statement reports the error too; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: unknown) => {
      throw connectionProblem(login, error)
    })
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
