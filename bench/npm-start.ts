// The service as `npm start` runs it, with the options of package.json, in a process group of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from './run.ts'

export type Started = { url: string; pid: number; readyMs: number; stop(): Promise<void> }

export const ROOT = join(import.meta.dirname, '..')
const LIMIT_MS = 120_000
const POLL_MS = 5

const commandOfStart = async (): Promise<string> => {
  const { scripts }: { scripts: { start: string } } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return scripts.start
}

/** The limits of the heap that `npm start` sets. */
export async function nodeOptionsOfStart(): Promise<string> {
  const [, options] = /NODE_OPTIONS="([^"$]*)/.exec(await commandOfStart()) ?? []
  if (options === undefined) throw new Error('npm start sets no NODE_OPTIONS')
  return options
}

/** `readyMs` is the time from the command to the first 200 of /readyz. */
export async function npmStart(run: Run, dataDir: string, settings: Record<string, string> = {}): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const place = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const began = performance.now()
  const child = spawn('sh', ['-c', await commandOfStart()], {
    cwd: ROOT,
    env: { ...process.env, PATH: path, ...place, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const stop = () => stopGroup(child)
  // A group of its own does not get Ctrl-C.
  run.undo(stop)
  try {
    while (!(await isReady(url))) {
      if (child.exitCode !== null) throw new Error('the service ended while starting')
      if (performance.now() - began > LIMIT_MS) throw new Error('the service did not become ready')
      await sleep(POLL_MS)
    }
    return { url, pid: child.pid ?? 0, readyMs: performance.now() - began, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const group = -child.pid
  const exit = once(child, 'exit')
  process.kill(group, 'SIGTERM')
  const timer = setTimeout(() => process.kill(group, 'SIGKILL'), LIMIT_MS)
  await exit
  clearTimeout(timer)
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}
