// SIGTERM under load: requests in flight are answered, the process ends, and the embedded database is stopped.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Connection, connectionTo, isListening } from '#test/harness/keep-alive.ts'
import { ADMINISTRATOR, processOf, type Running } from '#test/harness/process.ts'
import { until as waitUntil } from '#test/harness/until.ts'

let service: Running
afterEach(() => service.remove())

async function started(environment: Record<string, string> = {}): Promise<void> {
  service = await processOf({ LOG_LEVEL: 'info', ...environment })
  await service.start()
}

/** Resolves with the exit code and the signal. */
const ended = () => once(service.child(), 'exit')
const databaseRuns = () => existsSync(join(service.dataDir, 'postgres/data/postmaster.pid'))

const BODY = JSON.stringify(ADMINISTRATOR)
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const SIGN_IN = `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`

/** A sign-in whose body is incomplete, on a connection that was used before. */
async function halfASignIn(): Promise<Connection> {
  const connection = await connectionTo(service.url)
  connection.send(HEALTH)
  expect(await connection.answer()).toMatchObject({
    status: 200,
    head: expect.stringMatching(/connection: keep-alive/i),
  })
  connection.send(SIGN_IN + BODY.slice(0, 10))
  return connection
}

const until = (isSo: () => Promise<boolean> | boolean) => waitUntil(isSo, Boolean, () => service.output())

describe('SIGTERM', () => {
  it.each([1, 3])(
    'sent %i times: requests in flight are answered, exit code 0, the database is stopped',
    async (times) => {
      await started()
      const idle = await connectionTo(service.url)
      idle.send(HEALTH)
      await idle.answer()
      const silent = await connectionTo(service.url)
      const accepted = await connectionTo(service.url)
      const inFlight = await Promise.all(Array.from({ length: 5 }, halfASignIn))
      const exit = ended()
      for (let time = 0; time < times; time++) {
        service.child().kill('SIGTERM')
        await until(() => service.output().split('"draining"').length > 1)
      }
      // A request that arrives with the signal, on a new connection or on an idle one.
      for (const connection of [accepted, idle]) connection.send(HEALTH)
      for (const connection of [accepted, idle])
        expect(await connection.answer()).toMatchObject({
          status: 200,
          head: expect.stringMatching(/connection: close/i),
        })
      await until(async () => !(await isListening(service.url)))
      for (const connection of inFlight) connection.send(BODY.slice(10))
      for (const connection of inFlight)
        expect(await connection.answer()).toMatchObject({
          status: 200,
          head: expect.stringMatching(/connection: close/i),
          body: expect.stringContaining('access_token'),
        })
      expect(await exit, service.output()).toEqual([0, null])
      // It ended by itself, not because of the time limit.
      expect(service.output()).not.toContain('cut off')
      expect(databaseRuns()).toBe(false)
      silent.socket.destroy()
    },
  )

  it('ends within the time limit whatever a client does, and the database too', async () => {
    await started()
    const stuck = await halfASignIn()
    const exit = ended()
    service.child().kill('SIGTERM')
    expect(await exit, service.output()).toEqual([0, null])
    expect(databaseRuns()).toBe(false)
    await until(() => stuck.socket.closed)
  })
})

describe('SHUTDOWN_DELAY_SECONDS', () => {
  it('readiness is 503 while requests are still answered; then the port closes', async () => {
    await started({ SHUTDOWN_DELAY_SECONDS: '2' })
    const before = await connectionTo(service.url)
    const exit = ended()
    const signalled = Date.now()
    service.child().kill('SIGTERM')
    await until(async () => (await fetch(`${service.url}/readyz`)).status === 503)
    const answer = await fetch(`${service.url}/api/v1/auth/check-user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ADMINISTRATOR.email }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('close')
    before.send(HEALTH)
    expect((await before.answer()).status).toBe(200)
    await until(async () => !(await isListening(service.url)))
    expect(Date.now() - signalled).toBeGreaterThanOrEqual(2000)
    expect(await exit, service.output()).toEqual([0, null])
  })
})
