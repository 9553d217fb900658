// The compared servers as child processes. They exit when their channel to this one closes, so that none outlives the run.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerOptions } from './settings.ts'

export type Usage = { cpuMicros: number; rss: number; peak: number }

export type RunningServer = { url: string; usage(): Promise<Usage>; stop(): Promise<void> }

const START_MS = 20_000
const STOP_MS = 10_000

/** With its log in a file, as in production; with `profileDir`, Node writes a CPU profile there. */
export async function startServer(
  options: ServerOptions,
  logFile: string,
  profileDir?: string,
): Promise<RunningServer> {
  const log = await open(logFile, 'a')
  const execArgv = profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir]
  const child = fork(join(import.meta.dirname, 'server.ts'), [JSON.stringify(options)], {
    execArgv,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  try {
    const { port }: { port: number } = await messageOf(child)
    return {
      url: `http://127.0.0.1:${port}`,
      usage: () => {
        child.send('usage')
        return messageOf<Usage>(child)
      },
      stop: () => stop(child),
    }
  } catch (error) {
    await stop(child)
    throw new Error(`the ${options.kind} server did not start; its log is ${logFile}`, { cause: error })
  }
}

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const end = () => ended.abort()
  child.once('exit', end)
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_MS)])
    const [message] = await once(child, 'message', { signal })
    return message
  } finally {
    child.off('exit', end)
  }
}

/** The server exits when the channel closes; otherwise it is killed. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exit
  clearTimeout(timer)
}
