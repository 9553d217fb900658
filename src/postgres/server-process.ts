// The PostgreSQL process of a data directory: initializing, launching, finding and stopping it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, readFile, readlink, rename, rm, stat, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { handOver, type ClusterPaths } from './cluster-paths.ts'
import { StartupError } from './startup-error.ts'

export type Settings = Readonly<Record<string, string>>
export type Running = { pid: number; port: number; isReady: boolean }

const STARTING_MS = 60_000
const STOPPING_MS = 60_000
const isLinux = process.platform === 'linux'

// The account may be unable to reach the folder by its path (below /root, for instance). On Linux a process may use its
// working directory whatever the rights of the folders above, and spawn changes to it before it gives up root.
const options = (paths: ClusterPaths, cwd: string) => ({
  cwd,
  ...paths.account,
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})
const pathOf = (folder: string) => (isLinux ? '/proc/self/cwd' : folder)

// Created under another name and renamed, so that an interrupted start leaves no incomplete cluster.
export async function initialize(
  paths: ClusterPaths,
  binaries: Binaries,
  settings: Settings,
  onSpawned?: () => void,
): Promise<void> {
  for (const name of await readdir(paths.folder)) {
    if (name.startsWith('new-')) await rm(join(paths.folder, name), { recursive: true, force: true })
  }
  const name = `new-${randomBytes(6).toString('hex')}`
  const fresh = join(paths.folder, name)
  const passwordFile = join(paths.folder, `${name}.password`)
  await mkdir(fresh, { mode: 0o700 })
  await handOver(fresh, paths.account)
  await writeFile(passwordFile, paths.password, { mode: 0o400, flag: 'wx' })
  await handOver(passwordFile, paths.account)
  try {
    const login = ['--username=postgres', `--pwfile=../${name}.password`, '--auth=scram-sha-256']
    const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const speed = settings.fsync === 'off' ? ['--no-sync'] : []
    const parameters = ['-D', pathOf(fresh), ...login, ...text, ...speed]
    await runInitdb(paths, binaries, fresh, parameters, onSpawned)
    await rename(fresh, paths.data)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function runInitdb(
  paths: ClusterPaths,
  binaries: Binaries,
  cwd: string,
  parameters: string[],
  onSpawned?: () => void,
): Promise<void> {
  const log = await open(paths.startLog, 'w', 0o600)
  try {
    const child = spawn(binaries.initdb, parameters, { ...options(paths, cwd), stdio: ['ignore', log.fd, log.fd] })
    const exit = once(child, 'exit')
    onSpawned?.()
    const [code] = await exit
    if (code !== 0) throw new StartupError(`PostgreSQL could not be initialized: ${await lastError(paths)}`)
  } finally {
    await log.close()
  }
}

// Detached, so that Ctrl-C on the terminal does not reach it before the service has drained.
export async function launch(
  paths: ClusterPaths,
  binaries: Binaries,
  port: number,
  settings: Settings,
  onSpawned?: () => void,
): Promise<Running> {
  await clearStale(paths)
  const log = await open(paths.startLog, 'w', 0o600)
  try {
    const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const parameters = ['-D', pathOf(paths.data), '-p', String(port), ...pairs]
    const stdio: ['ignore', number, number] = ['ignore', log.fd, log.fd]
    const child = spawn(binaries.postgres, parameters, { ...options(paths, paths.data), stdio, detached: true })
    await once(child, 'spawn')
    child.unref()
    onSpawned?.()
    return await whenReady(paths, child)
  } finally {
    await log.close()
  }
}

async function whenReady(paths: ClusterPaths, child: ChildProcess): Promise<Running> {
  for (const start = Date.now(); Date.now() - start < STARTING_MS; await sleep(5)) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const running = await readPidFile(paths)
    if (running?.isReady && running.pid === child.pid) return running
  }
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT')
  throw new StartupError(`PostgreSQL did not start: ${await lastError(paths)}`)
}

// Finds the server that runs on this data directory, even if another process started it; waits while it starts,
// recovers or stops.
export async function findRunning(paths: ClusterPaths): Promise<Running | undefined> {
  for (const start = Date.now(); Date.now() - start < STARTING_MS; await sleep(20)) {
    const running = await readPidFile(paths)
    if (!running || !(await isServerOf(running.pid, paths.data))) return undefined
    if (running.isReady) return running
  }
  throw new StartupError(`The PostgreSQL on ${paths.data} neither gets ready nor ends; look into ${paths.data}/log.`)
}

export async function shutDown(paths: ClusterPaths, pid: number): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown; SIGQUIT the immediate one, after which the next start recovers from the log.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServerOf(pid, paths.data))) return
    process.kill(pid, signal)
    for (const start = Date.now(); Date.now() - start < STOPPING_MS; await sleep(10)) {
      if (await hasEnded(pid, paths.data)) return
    }
  }
}

// An ending process releases its program before its files and ports: it has ended only as a zombie or when absent.
async function hasEnded(pid: number, data: string): Promise<boolean> {
  if (!isLinux) return !(await isServerOf(pid, data))
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status === '' || /\) [ZX] /.test(status)
}

// The eight lines of postmaster.pid: process, folder, start, port, socket folder, address, shared memory, status.
async function readPidFile(paths: ClusterPaths): Promise<Running | undefined> {
  const text = await readFile(join(paths.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
}

// A process id from a file is checked, since it may be that of a zombie or, by now, of another program.
async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (isLinux) return (await readlink(`/proc/${pid}/exe`).catch(() => '')).includes('postgres') && isIn(pid, data)
  const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

async function isIn(pid: number, data: string): Promise<boolean> {
  const [where, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(data)])
  return where !== undefined && where.dev === wanted.dev && where.ino === wanted.ino
}

// Cleans up after a kill -9 of the server: its pid file would block the next start while the number is in use (a
// zombie's is), and a child with a long query would hold the shared memory.
async function clearStale(paths: ClusterPaths): Promise<void> {
  const file = join(paths.data, 'postmaster.pid')
  if (!(await readFile(file).catch(() => undefined))) return
  if (isLinux) {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
    const ours = await Promise.all(pids.map(async (pid) => ((await isServerOf(pid, paths.data)) ? [pid] : [])))
    for (const pid of ours.flat()) killQuietly(pid)
    while ((await Promise.all(ours.flat().map((pid) => isServerOf(pid, paths.data)))).includes(true)) await sleep(5)
  }
  await rm(file, { force: true })
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function lastError(paths: ClusterPaths): Promise<string> {
  const folder = join(paths.data, 'log')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    [paths.startLog, ...names.map((name) => join(folder, name))].map(async (file) => ({
      text: await readFile(file, 'utf8').catch(() => ''),
      at: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  const lines = texts
    .toSorted((left, right) => left.at - right.at)
    .flatMap(({ text }) => text.trim().split('\n').slice(-20))
  const telling = lines.filter((line) => /FATAL|PANIC|error/i.test(line))
  return telling.at(-1) ?? lines.at(-1) ?? 'it said nothing'
}
