// The PostgreSQL process of a data directory: initialize it, launch it, find it again, stop it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, readFile, readlink, rename, rm, stat, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { handOver, type Place } from './place.ts'
import { StartupError } from './startup-error.ts'

export type Settings = Readonly<Record<string, string>>
export type Running = { pid: number; port: number; isReady: boolean }

const STARTING_MS = 60_000
const STOPPING_MS = 60_000
const isLinux = process.platform === 'linux'

// The account may be unable to walk to the folder (below a /root that is closed to others). Linux lets a process use the
// directory it stands in whatever lies above it, and spawn goes there before it gives up root.
const options = (place: Place, cwd: string) => ({
  cwd,
  ...place.account,
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})
const pathOf = (folder: string) => (isLinux ? '/proc/self/cwd' : folder)

// Made aside and renamed, so that a start that dies half way leaves no half cluster behind.
export async function initialize(place: Place, binaries: Binaries, settings: Settings): Promise<void> {
  for (const name of await readdir(place.folder)) {
    if (name.startsWith('new-')) await rm(join(place.folder, name), { recursive: true, force: true })
  }
  const name = `new-${randomBytes(6).toString('hex')}`
  const fresh = join(place.folder, name)
  const passwordFile = join(place.folder, `${name}.password`)
  await mkdir(fresh, { mode: 0o700 })
  await handOver(fresh, place.account)
  await writeFile(passwordFile, place.password, { mode: 0o400, flag: 'wx' })
  await handOver(passwordFile, place.account)
  try {
    const login = ['--username=postgres', `--pwfile=../${name}.password`, '--auth=scram-sha-256']
    const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const speed = settings.fsync === 'off' ? ['--no-sync'] : []
    await runInitdb(place, binaries, fresh, ['-D', pathOf(fresh), ...login, ...text, ...speed])
    await rename(fresh, place.data)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function runInitdb(place: Place, binaries: Binaries, cwd: string, parameters: string[]): Promise<void> {
  const log = await open(place.startLog, 'w', 0o600)
  try {
    const child = spawn(binaries.initdb, parameters, { ...options(place, cwd), stdio: ['ignore', log.fd, log.fd] })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new StartupError(`PostgreSQL could not be initialized: ${await lastWords(place)}`)
  } finally {
    await log.close()
  }
}

// Detached: Ctrl-C on the terminal must not reach it before the service has drained.
export async function launch(place: Place, binaries: Binaries, port: number, settings: Settings): Promise<Running> {
  await clearStale(place)
  const log = await open(place.startLog, 'w', 0o600)
  try {
    const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const parameters = ['-D', pathOf(place.data), '-p', String(port), ...pairs]
    const stdio: ['ignore', number, number] = ['ignore', log.fd, log.fd]
    const child = spawn(binaries.postgres, parameters, { ...options(place, place.data), stdio, detached: true })
    await once(child, 'spawn')
    child.unref()
    return await whenReady(place, child)
  } finally {
    await log.close()
  }
}

async function whenReady(place: Place, child: ChildProcess): Promise<Running> {
  for (const start = Date.now(); Date.now() - start < STARTING_MS; await sleep(5)) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const running = await readPidFile(place)
    if (running?.isReady && running.pid === child.pid) return running
  }
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT')
  throw new StartupError(`PostgreSQL did not start: ${await lastWords(place)}`)
}

// The server that runs on this data directory, whoever started it; waits while it starts, recovers or stops.
export async function findRunning(place: Place): Promise<Running | undefined> {
  for (const start = Date.now(); Date.now() - start < STARTING_MS; await sleep(20)) {
    const running = await readPidFile(place)
    if (!running || !(await isServerOf(running.pid, place.data))) return undefined
    if (running.isReady) return running
  }
  throw new StartupError(`The PostgreSQL on ${place.data} neither gets ready nor ends; look into ${place.data}/log.`)
}

export async function shutDown(place: Place, pid: number): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, after which the next start recovers from the log.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServerOf(pid, place.data))) return
    process.kill(pid, signal)
    for (const start = Date.now(); Date.now() - start < STOPPING_MS; await sleep(10)) {
      if (await hasEnded(pid, place.data)) return
    }
  }
}

// A process that ends lets go of its program before its files and ports: it is gone when it is a zombie or not there.
async function hasEnded(pid: number, data: string): Promise<boolean> {
  if (!isLinux) return !(await isServerOf(pid, data))
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status === '' || /\) [ZX] /.test(status)
}

// The eight lines that PostgreSQL keeps: process, folder, start, port, socket folder, address, shared memory, status.
async function readPidFile(place: Place): Promise<Running | undefined> {
  const text = await readFile(join(place.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
}

// A number in a file proves nothing: it may be a zombie's, or by now another program's.
async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (isLinux) return (await readlink(`/proc/${pid}/exe`).catch(() => '')).includes('postgres') && isIn(pid, data)
  const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

async function isIn(pid: number, data: string): Promise<boolean> {
  const [where, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(data)])
  return where !== undefined && where.dev === wanted.dev && where.ino === wanted.ino
}

// After kill -9 of the server: its file would block the next start when the number is taken (a zombie's is), and a
// child busy with a long query would hold the shared memory.
async function clearStale(place: Place): Promise<void> {
  const file = join(place.data, 'postmaster.pid')
  if (!(await readFile(file).catch(() => undefined))) return
  if (isLinux) {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
    const ours = await Promise.all(pids.map(async (pid) => ((await isServerOf(pid, place.data)) ? [pid] : [])))
    for (const pid of ours.flat()) killQuietly(pid)
    while ((await Promise.all(ours.flat().map((pid) => isServerOf(pid, place.data)))).includes(true)) await sleep(5)
  }
  await rm(file, { force: true })
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in between.
  }
}

async function lastWords(place: Place): Promise<string> {
  const folder = join(place.data, 'log')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    [place.startLog, ...names.map((name) => join(folder, name))].map(async (file) => ({
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
