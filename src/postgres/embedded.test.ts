// The real embedded server; as root, in a folder that no other user can enter.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { succeeds, until } from '#test/harness/until.ts'
import { findEmbedded, startEmbedded, THROWAWAY } from './embedded.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

// Writes 1, 2, 3 … one by one, each again until the server acknowledges it.
function writeSteadily(url: string) {
  const load = { acknowledged: 0, isOn: true }
  const session = async () => {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      while (load.isOn) {
        await client.query(`insert into written values (${load.acknowledged + 1})`)
        load.acknowledged += 1
      }
    } catch {
      await sleep(20)
    }
    await client.end().catch(() => undefined)
  }
  const writing = (async () => {
    while (load.isOn) await session()
  })()
  const end = async () => {
    load.isOn = false
    await writing
    return load.acknowledged
  }
  return { end, acknowledged: () => load.acknowledged }
}

async function hundredMore(load: { acknowledged: () => number }): Promise<void> {
  const before = load.acknowledged()
  await until(load.acknowledged, (now) => now > before + 100)
}

// A killed process whose parent does not wait for it stays as a zombie.
const isGone = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ')).includes(' Z ')

describe('startEmbedded', () => {
  let dataDir: string
  const serverPid = async () =>
    Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
  const start = (settings = THROWAWAY) => startEmbedded({ dataDir, log: silent, settings })

  // Sessions of a killed server may answer a little longer than the server lives, so the test waits for the new one.
  async function killServer(): Promise<void> {
    const killed = await serverPid()
    process.kill(killed, 'SIGKILL')
    await until(
      () => serverPid().catch(() => 0),
      (pid) => pid > 0 && pid !== killed,
    )
  }

  // Another process that starts the server and keeps running, so that it can be killed like a service.
  async function otherService() {
    const script = `
      import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
      const log = { info() {}, warn() {}, error() {} }
      const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } })
      console.log(server.url)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    return { child, url: String(line).trim() }
  }

  beforeAll(async () => {
    // mkdtemp creates it with mode 700, below the home folder, which may be closed to other users too.
    dataDir = await mkdtemp(join(homedir(), '.titular-test-'))
  })
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  it('creates a cluster on loopback, and keeps data and port over a restart', async () => {
    const first = await start()
    expect(first.isNew).toBe(true)
    expect(new URL(first.url).hostname).toBe('127.0.0.1')
    expect(await ask(first.url, 'select current_database()')).toBe('titular')
    expect(await ask(first.url, 'show server_version_num')).toMatch(/^18/)
    // A session of its own: Ctrl-C on the terminal reaches only the service.
    const stats = (await readFile(`/proc/${await serverPid()}/stat`, 'utf8')).split(' ')
    expect(stats[5]).toBe(String(await serverPid()))
    expect(await ask(first.url, `select lower('ÁÉ')`)).toBe('áé')
    expect(await ask(first.urlFor('postgres'), 'show timezone')).toBe('UTC')
    await ask(first.url, 'create table kept as select 7 as seven')
    await first.stop()
    await expect(ask(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)

    const second = await start()
    expect(second).toMatchObject({ isNew: false, url: first.url })
    expect(await ask(second.url, 'select seven from kept')).toBe(7)
    await second.stop()
  })

  it('keeps the password in a private file and refuses a wrong one', async () => {
    const server = await start()
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
    const wrong = new URL(server.url)
    wrong.password = 'guess'
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    await server.stop()
  })

  it('refuses a second service with one line, in this process and in another', async () => {
    const server = await start()
    await expect(start()).rejects.toThrow(
      new RegExp(`^Another service \\(process ${process.pid}\\) already runs on .*$`),
    )
    await server.stop()

    const other = await otherService()
    await expect(start()).rejects.toThrow(new RegExp(`\\(process ${other.child.pid}\\)`))
    expect(await findEmbedded(dataDir)).toBe(other.url)
    process.kill(other.child.pid ?? 0, 'SIGKILL')
    await once(other.child, 'exit')
    await (await start()).stop()
    expect(await findEmbedded(dataDir)).toBeUndefined()
  })

  it('adopts the running server of a killed service, with its connections', async () => {
    const other = await otherService()
    const pid = await serverPid()
    const session = new Client({ connectionString: other.url })
    await session.connect()
    process.kill(other.child.pid ?? 0, 'SIGKILL')
    await once(other.child, 'exit')

    const server = await start()
    expect(server.url).toBe(other.url)
    expect(await serverPid()).toBe(pid)
    expect((await session.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await session.end()
    await server.stop()
    expect(await isGone(pid)).toBe(true)
  })

  it('starts after both the server and the service were killed', async () => {
    const other = await otherService()
    const pid = await serverPid()
    process.kill(other.child.pid ?? 0, 'SIGKILL')
    process.kill(pid, 'SIGKILL')
    await once(other.child, 'exit')
    const server = await start()
    expect(await serverPid()).not.toBe(pid)
    expect(await ask(server.url, 'select seven from kept')).toBe(7)
    await server.stop()
  })

  it('restarts a killed server on the same port, also during a long query', async () => {
    const server = await start()
    const busy = ask(server.url, 'select count(*) from generate_series(1, 1e9)').catch(() => 'broken')
    const busyOnes = () => ask(server.url, `select count(*)::int from pg_stat_activity where query like '%1e9%'`)
    await until(busyOnes, (count) => count === 2)
    await killServer()
    expect(await succeeds(() => ask(server.url, 'select seven from kept'))).toBe(7)
    expect(await busy).toBe('broken')
    await server.stop()
  })

  it('loses no acknowledged write when the server is killed under load', async () => {
    const server = await start({ fsync: 'off' })
    await ask(server.url, 'create table written (n bigint)')
    const load = writeSteadily(server.url)
    for (let kills = 0; kills < 2; kills += 1) {
      await hundredMore(load)
      await killServer()
    }
    await hundredMore(load)
    const acknowledged = await load.end()
    const kept = await ask(server.url, 'select count(distinct n)::int from written')
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 1)
    await server.stop()
  })

  it('leaves no server when its password is lost', async () => {
    const file = join(dataDir, 'postgres/password')
    const password = await readFile(file)
    await rm(file)
    await expect(start()).rejects.toThrow(/password authentication failed/)
    await expect(serverPid()).rejects.toThrow(/ENOENT/)
    await writeFile(file, password)
    await (await start()).stop()
  })

  it('repeats PostgreSQL’s own error when it cannot start', async () => {
    const settings = { ...THROWAWAY, shared_buffers: 'plenty' }
    await expect(startEmbedded({ dataDir, log: silent, settings })).rejects.toThrow(/shared_buffers.*"plenty"/)
    await (await start()).stop()
  })
})
