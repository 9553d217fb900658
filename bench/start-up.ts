// Cold and warm start of `src/main.ts`: from the command to the first 200 of /readyz, with a data directory that does not
// exist yet, and with the one of the start before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const LIMIT_MS = 60_000
const POLL_MS = 5

export async function measureStartUp({ quick }: Run): Promise<Report> {
  const figures = { coldMs: [] as number[], warmMs: [] as number[] }
  for (let time = 0; time < (quick ? 1 : 3); time++) {
    const parent = await mkdtemp(join(tmpdir(), 'titular-start-'))
    try {
      figures.coldMs.push(await startOnce(join(parent, 'data')))
      figures.warmMs.push(await startOnce(join(parent, 'data')))
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  }
  const verdicts = [
    upTo('cold start, with demo', median(figures.coldMs), 1800, 'ms'),
    upTo('warm start', median(figures.warmMs), 500, 'ms'),
  ]
  return { verdicts, lines: [], figures }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = once(child, 'exit')
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error('the service ended while starting')
      if (performance.now() - started > LIMIT_MS) throw new Error('the service did not become ready')
      await sleep(POLL_MS)
    }
    return performance.now() - started
  } finally {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    await exit
    clearTimeout(timer)
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
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
