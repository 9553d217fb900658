// Two processes that start at once on one empty database, as of a deployment with two replicas: the demo is loaded once.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { processOf } from '#test/harness/process.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'
import { startEmbedded, THROWAWAY } from '../../src/postgres/embedded.ts'

it('the demo is loaded by one of two processes that start at once; both are ready', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-two-'))
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await startEmbedded({ dataDir, log, settings: THROWAWAY })
  const environment = {
    DATABASE_URL: server.url,
    SANDBOX: '1',
    DEMO: '1',
    SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  const processes = await Promise.all([processOf(environment, ['serve']), processOf(environment, ['serve'])])
  const client = new Client({ connectionString: server.url })
  try {
    await Promise.all(processes.map((one) => one.start()))
    await client.connect()
    const { rows } = await client.query('select name from organizations')
    expect(new Set(rows.map(({ name }) => String(name))).size).toBe(rows.length)
    for (const one of processes) expect(one.output()).not.toContain('The demo is not whole')
    const told = processes.filter((one) => one.output().includes(DEMO_SIGN_INS.password))
    expect(told, processes.map((one) => one.output()).join('\n')).toHaveLength(1)
  } finally {
    await client.end()
    for (const one of processes) await one.remove()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
