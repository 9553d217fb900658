// The service as an operator starts it: a process of its own with its own embedded PostgreSQL, to be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ADMINISTRATOR = { email: 'root@titular.example', password: 'crash test password' }

export type Running = {
  url: string
  dataDir: string
  child: () => ChildProcess
  output: () => string
  /** With more in its environment, or other values. */
  start: (more?: Record<string, string>) => Promise<void>
  /** As an operator does: the embedded PostgreSQL ends with it. */
  stop: () => Promise<void>
  /** SIGKILL to the service alone; PostgreSQL stays behind as an orphan. */
  kill: () => Promise<void>
  /** The embedded server's own process. */
  postgresPid: () => Promise<number>
  remove: () => Promise<void>
}

export async function processOf(environment: Record<string, string> = {}): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-process-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''
  const start = async (more: Record<string, string> = {}): Promise<void> => {
    const started = spawn(process.execPath, ['src/main.ts'], {
      cwd: join(import.meta.dirname, '..'),
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        PORT: String(port),
        DEMO: '0',
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
    await ready(url, started, () => output)
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
    start,
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
  for (let tries = 0; tries < 1600; tries++) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${output()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`the service is not ready: ${output()}`)
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
