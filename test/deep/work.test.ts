// `work` and `serve` when their database starts late, or goes and comes back: they keep running, log it, and continue.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedServer, startEmbedded, THROWAWAY } from '../../src/postgres/embedded.ts'
import { freePort, processOf, type Running } from '#test/harness/process.ts'
import { until as waitUntil } from '#test/harness/until.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
let dataDir: string
let server: EmbeddedServer
const startDatabase = async () => void (server = await startEmbedded({ dataDir, log: quiet, settings: THROWAWAY }))

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'titular-work-'))
  await startDatabase()
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

let running: Running | undefined
afterEach(async () => {
  await running?.remove()
  running = undefined
})

async function service(command: 'work' | 'serve', more: Record<string, string> = {}): Promise<Running> {
  running = await processOf({ DATABASE_URL: server.url, SANDBOX: '1', ...more }, [command])
  return running
}

async function query<Row>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

const cutConnections = () =>
  query(`select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and datname = current_database()`)

const until = (isSo: () => Promise<boolean> | boolean) => waitUntil(isSo, Boolean, () => running?.output() ?? '')

const statusOf = (one: Running, path: string): Promise<number | null> =>
  fetch(`${one.url}${path}`).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => null,
  )

/** Makes a periodic job due and waits until it has run and is scheduled again. */
async function worksOnJobs(): Promise<void> {
  const kind = '(select min(kind) from jobs where every_seconds > 3000)'
  await query(
    `update jobs set run_at = now() - interval '1 day', lease = null, leased_until = null where kind = ${kind}`,
  )
  await until(async () => {
    const [row] = await query<{ is_done: boolean }>(`select run_at > now() as is_done from jobs where kind = ${kind}`)
    return row?.is_done === true
  })
}

describe.each(['work', 'serve'] as const)('%s', (command) => {
  it('keeps running when all its connections are cut, and continues with the jobs', async () => {
    const one = await service(command)
    await one.start()
    const { pid } = one.child()
    await worksOnJobs()
    await cutConnections()
    await worksOnJobs()
    await until(async () => (await statusOf(one, '/readyz')) === 200)
    expect(one.child().pid).toBe(pid)
    expect(one.child().exitCode).toBeNull()
  })

  it('keeps running while the database is away: live but not ready; then works as before', async () => {
    const one = await service(command)
    await one.start()
    await server.stop()
    try {
      await until(async () => (await statusOf(one, '/readyz')) === 503)
      await until(() => one.output().includes('jobs could not be claimed'))
      expect(await statusOf(one, '/healthz')).toBe(200)
      const metrics = await (await fetch(`${one.url}/metrics`)).text()
      expect(metrics).toContain('titular_database_up 0')
    } finally {
      await startDatabase()
    }
    await until(async () => (await statusOf(one, '/readyz')) === 200)
    await worksOnJobs()
    expect(one.child().exitCode).toBeNull()
  })

  it('waits at the start for a database that starts later, and logs it', async () => {
    await server.stop()
    const one = await service(command)
    const child = one.launch()
    try {
      await until(() => one.output().includes('(ECONNREFUSED); start it, or correct the address; trying for'))
      expect(child.exitCode).toBeNull()
    } finally {
      await startDatabase()
    }
    await until(async () => (await statusOf(one, '/readyz')) === 200)
  })

  it('ends with one line when the database cannot be reached in time', async () => {
    const port = await freePort()
    const url = `postgres://somebody:hush-hush@127.0.0.1:${port}/titular`
    const one = await service(command, { DATABASE_URL: url, DATABASE_START_SECONDS: '1' })
    const [code] = await once(one.launch(), 'close')
    expect(code).toBe(1)
    const said = one
      .output()
      .split('\n')
      .filter((line) => line.startsWith('titular: '))
    expect(said).toEqual([
      `titular: DATABASE_URL: no PostgreSQL answers at 127.0.0.1:${port} (ECONNREFUSED); start it, or correct the address; gave up after 1 s`,
    ])
    expect(one.output()).not.toMatch(/ {4}at |hush-hush/)
  })

  it('ends at once on SIGTERM while it waits for the database', async () => {
    const one = await service(command, { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/titular` })
    const child = one.launch()
    await until(() => one.output().includes('trying for'))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited, one.output()).toEqual([0, null])
  })
})

describe('work', () => {
  // Without WORK_PORT only the jobs keep the process alive.
  it('listens on no port without WORK_PORT, and keeps running when its connections are cut or the database is away', async () => {
    const one = await service('work', { WORK_PORT: '' })
    const child = one.launch()
    await until(() =>
      query('select 1 from jobs').then(
        (rows) => rows.length > 0,
        () => false,
      ),
    )
    await worksOnJobs()
    expect(await statusOf(one, '/healthz')).toBeNull()
    await cutConnections()
    await worksOnJobs()
    await server.stop()
    try {
      await until(() => one.output().includes('jobs could not be claimed'))
    } finally {
      await startDatabase()
    }
    await worksOnJobs()
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited, one.output()).toEqual([0, null])
  })
})
