// SIGTERM during the start ends everything that was begun, including the embedded PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'

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

const pidFile = (dataDir: string): string => join(dataDir, 'postgres/data/postmaster.pid')

async function postgresIn(dataDir: string): Promise<void> {
  await until(() => readFile(pidFile(dataDir)).catch(() => null))
}
