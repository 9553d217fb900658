// A start that is stopped, or fails, while several things begin at once: all of them end, the embedded PostgreSQL included.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freePort } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'
import { startEmbedded, THROWAWAY } from '../../src/postgres/embedded.ts'

it.each([
  ['node src/main.ts', process.execPath, ['src/main.ts']],
  // npm passes the signal to its child, which must not be a shell that does not pass it on.
  ['npm start', 'npm', ['start']],
])('SIGTERM to %s during the start leaves no database running', async (_name, program, given) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-start-'))
  const child = spawn(program, given, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: '0' },
    stdio: 'ignore',
  })
  try {
    const exited = once(child, 'exit')
    await postgresIn(dataDir)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    // PostgreSQL removes this file when it has shut down.
    await expect(readFile(pidFile(dataDir))).rejects.toThrow(/ENOENT/)
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})

it('a PostgreSQL that cannot start is named without waiting for what began beside it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-start-'))
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  await (await startEmbedded({ dataDir, log, settings: THROWAWAY })).stop()
  await appendFile(join(dataDir, 'postgres/data/postgresql.auto.conf'), `work_mem = 'plenty'\n`)
  // Reading it never ends.
  await promisify(execFile)('mkfifo', [join(dataDir, 'secret.key')])
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const [said] = await once(child.stderr, 'data')
    expect(String(said)).toMatch(/^titular: PostgreSQL did not start/)
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})

const pidFile = (dataDir: string): string => join(dataDir, 'postgres/data/postmaster.pid')

async function postgresIn(dataDir: string): Promise<void> {
  await until(() => readFile(pidFile(dataDir)).catch(() => null))
}
