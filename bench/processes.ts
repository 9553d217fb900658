// The compared servers as child processes. They exit when their channel to this one closes, so that none outlives the run.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** `options` are the server's only argument; its log goes into a file, as in production. */
export type ServerFile = {
  file: string
  options: object
  logFile: string
  profileDir?: string | undefined
  /** Those of `npm start`, for a server that runs our code. */
  nodeOptions?: string
}
export type RunningServer = { url: string; pid: number; stop(): Promise<void> }

const START_MS = 60_000
const STOP_MS = 10_000

/** With `profileDir`, Node writes a CPU profile there. */
export async function startServer({
  file,
  options,
  logFile,
  profileDir,
  nodeOptions = '',
}: ServerFile): Promise<RunningServer> {
  const log = await open(logFile, 'a')
  const execArgv = profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir]
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(options)], {
    execArgv,
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: nodeOptions },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  try {
    const port = await portOf(child)
    return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw new Error(`${file} did not start; its log is ${logFile}`, { cause: error })
  }
}

/** The first message of a server is its port. */
async function portOf(child: ChildProcess): Promise<number> {
  const ended = new AbortController()
  const end = () => ended.abort()
  child.once('exit', end)
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_MS)])
    const [message]: { port: number }[] = await once(child, 'message', { signal })
    if (!message) throw new Error('no port')
    return message.port
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
