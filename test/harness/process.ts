// Runs the service as an operator starts it: a separate process with its own embedded PostgreSQL, which tests can kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_SYSTEMS } from './other-systems.ts'
import { until } from './until.ts'

export const ADMINISTRATOR = { email: 'root@titular.example', password: 'crash test password' }

export type Running = {
  url: string
  dataDir: string
  child: () => ChildProcess
  output: () => string
  /** Starts it and waits until it is ready; `more` are additional or different environment variables. */
  start: (more?: Record<string, string>) => Promise<void>
  /** Starts it without waiting until it is ready. */
  launch: (more?: Record<string, string>) => ChildProcess
  /** SIGTERM, as an operator stops it: the embedded PostgreSQL ends too. */
  stop: () => Promise<void>
  /** SIGKILL to the service only; PostgreSQL keeps running. */
  kill: () => Promise<void>
  /** The process id of the embedded server. */
  postgresPid: () => Promise<number>
  remove: () => Promise<void>
}

/** `command` as on the command line, `entry` the program; `work` has its health at the same address. */
export async function processOf(
  environment: Record<string, string> = {},
  command: readonly string[] = [],
  entry = 'src/main.ts',
): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-process-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''
  const launch = (more: Record<string, string> = {}): ChildProcess => {
    const started = spawn(process.execPath, [entry, ...command], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        [command[0] === 'work' ? 'WORK_PORT' : 'PORT']: String(port),
        DEMO: '0',
        ...NO_SYSTEMS,
        ADMIN_EMAIL: ADMINISTRATOR.email,
        ADMIN_PASSWORD: ADMINISTRATOR.password,
        LOG_LEVEL: 'warn',
        ...environment,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return started
  }
  const running = (): ChildProcess => {
    if (!child) throw new Error('not started')
    return child
  }
  return {
    url,
    dataDir,
    child: running,
    output: () => output,
    launch,
    start: (more) => ready(url, launch(more), () => output),
    stop: () => end(running(), 'SIGTERM'),
    kill: () => end(running(), 'SIGKILL'),
    postgresPid: async () =>
      Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n', 1)[0]),
    remove: async () => {
      await end(running(), 'SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const look = async () => {
    if (child.exitCode !== null) throw new Error(`the service ended: ${output()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    return answer?.status
  }
  await until(look, (status) => status === 200, output)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
