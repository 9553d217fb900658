// The embedded PostgreSQL: a real server under the data directory, for laptops, small installations and tests.
import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Binaries, locateBinaries } from './binaries.ts'
import { lockDirectory } from './directory-lock.ts'
import type { Log } from './log.ts'
import { existingClusterPaths, isFolder, type ClusterPaths, prepareClusterPaths } from './cluster-paths.ts'
import { findRunning, initialize, launch, type Running, type Settings, shutDown } from './server-process.ts'
import { StartupError } from './startup-error.ts'

export type EmbeddedServer = {
  url: string
  urlFor: (database: string) => string
  // True when this start created the cluster.
  isNew: boolean
  stop: () => Promise<void>
}
export type EmbeddedOptions = {
  dataDir: string
  log: Log
  settings?: Settings
  // Called when PostgreSQL, or what makes its cluster, is on its way: the caller may work meanwhile. Not called when it
  // runs already, and more than once when a port is taken.
  onSpawned?: () => void
}

// For tests only: nothing survives a crash of the machine.
export const THROWAWAY: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const DATABASE = 'titular'
const MAJOR = '18'
const RETRY_MS = [0, 100, 200, 400, 800, 1_600, 3_000]

const SMALL_SERVER: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'titular',
  max_connections: '100',
  shared_buffers: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Without the values that details repeat: they may be personal data.
  log_error_verbosity: 'terse',
  log_line_prefix: '%m [%p] %q%u@%d ',
  // One log file per day of the week, each overwritten a week later.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
}

export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  onSpawned,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const paths = await prepareClusterPaths(dataDir)
  const unlock = lockDirectory(paths.folder)
  try {
    const binaries = await locateBinaries(paths.account)
    const all = { ...SMALL_SERVER, ...settings }
    const isNew = !(await isFolder(paths.data))
    if (isNew) await initialize(paths, binaries, all, onSpawned)
    await assertSameVersion(paths)
    const supervised = await supervise({ paths, binaries, settings: all, log, onSpawned })
    const urlFor = (database: string) => urlOf(paths, supervised.port, database)
    const stop = async () => {
      await supervised.stop()
      unlock()
    }
    return { url: urlFor(DATABASE), urlFor, isNew, stop }
  } catch (cause) {
    unlock()
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The embedded PostgreSQL cannot start: ${reasonOf(cause)}`, { cause })
  }
}

// For commands beside a running service, such as a backup: the URL of its server; undefined when none runs.
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  const paths = await existingClusterPaths(dataDir)
  const running = paths && (await findRunning(paths))
  return running && urlOf(paths, running.port, DATABASE)
}

type Parts = {
  paths: ClusterPaths
  binaries: Binaries
  settings: Settings
  log: Log
  onSpawned?: (() => void) | undefined
}
type SupervisedServer = Parts & { running: Running; isStopping: boolean; recovery: Promise<void>; watcher?: Client }

// One idle connection watches the server: when it breaks, the server is started again on the same port.
async function supervise(parts: Parts): Promise<{ port: number; stop: () => Promise<void> }> {
  const orphan = await findRunning(parts.paths)
  if (orphan) parts.log.info('An earlier run left its embedded PostgreSQL running; going on with it.')
  const running = orphan ?? (await launchOnFreePort(parts))
  const server: SupervisedServer = { ...parts, running, isStopping: false, recovery: Promise.resolve() }
  const stop = async () => {
    server.isStopping = true
    await server.recovery
    await server.watcher?.end().catch(() => undefined)
    await shutDown(server.paths, server.running.pid)
  }
  try {
    await createDatabase(await watch(server))
  } catch (error) {
    await stop()
    throw error
  }
  return { port: running.port, stop }
}

async function watch(server: SupervisedServer): Promise<Client> {
  const client = await connect(urlOf(server.paths, server.running.port, 'postgres'))
  server.watcher = client
  client.once('end', () => {
    if (!server.isStopping) server.recovery = recover(server)
  })
  return client
}

async function recover(server: SupervisedServer): Promise<void> {
  const { paths, binaries, settings, log } = server
  const { port } = server.running
  log.error('The connection to the embedded PostgreSQL broke; bringing it back.')
  for (let attempt = 0; !server.isStopping; attempt += 1) {
    await sleep(RETRY_MS[attempt] ?? RETRY_MS.at(-1))
    try {
      server.running = (await findRunning(paths)) ?? (await launch(paths, binaries, port, settings))
      await watch(server)
      log.warn('The embedded PostgreSQL is back.')
      return
    } catch (error) {
      log.error(`The embedded PostgreSQL is not back yet: ${reasonOf(error)}`)
    }
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'titular watch', keepAlive: true })
  // Without a listener the loss of an idle connection would end the process. The handler of 'end' does the rest.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
  if (rowCount === 0) await client.query(`create database ${DATABASE}`)
}

// Prefers the port of the last start, so that other programs can keep their configuration.
async function launchOnFreePort({ paths, binaries, settings, onSpawned }: Parts): Promise<Running> {
  const before = Number(await readFile(paths.portFile, 'utf8').catch(() => '0'))
  for (let attempt = 0; ; attempt += 1) {
    // Below the range of ephemeral ports.
    const port = attempt === 0 && before > 0 ? before : randomInt(15_000, 32_000)
    if (!(await isFree(port))) continue
    try {
      const running = await launch(paths, binaries, port, settings, onSpawned)
      if (port !== before) await writeFile(paths.portFile, `${port}\n`, { mode: 0o600 })
      return running
    } catch (error) {
      // Another process may have taken the port in between.
      if (attempt > 5 || (await isFree(port))) throw error
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(probe, 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

async function assertSameVersion(paths: ClusterPaths): Promise<void> {
  const version = (await readFile(join(paths.data, 'PG_VERSION'), 'utf8').catch(() => 'an unknown version')).trim()
  if (version === MAJOR) return
  throw new StartupError(`${paths.data} was written by PostgreSQL ${version}, this is ${MAJOR}: back up and restore.`)
}

function urlOf(paths: ClusterPaths, port: number, database: string): string {
  return `postgres://postgres:${paths.password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
