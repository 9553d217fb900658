// Opens a connection for work on the schema, without time-outs, and always closes it.
import { Client } from 'pg'
import { OWNER } from './roles.ts'
import { StartupError } from './startup-error.ts'

export async function withLogin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'titular schema' })
  // The running statement reports the error too; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set timezone = 'UTC'; set client_min_messages = warning`)
    return await work(client)
  } finally {
    await client.end()
  }
}

// Runs in the role that owns every table, which `migrate` creates.
export async function asOwner<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withLogin(url, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [OWNER])
    if (rowCount === 0) throw new StartupError(`The database has no role ${OWNER}: migrate it first.`)
    await client.query(`set role ${OWNER}`)
    return work(client)
  })
}
