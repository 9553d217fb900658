// A start that must fail: one line per problem, with the setting's name and what to do, no stack, and nothing changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { startSmtpServer } from '#test/stand-ins/smtp.ts'
import { createFirstAdministrator } from '../../src/commands/administrator.ts'
import { readConfig } from '#config/config.ts'
import { startApp } from '#test/harness/app.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '#test/harness/database.ts'
import { ADMINISTRATOR, freePort, processOf } from '#test/harness/process.ts'

/** A cluster for tests asks for no password. */
const { isDistributed } = inject('postgres')

let dataDir: string
let database: TestDatabase
const cleanup: (() => Promise<unknown> | void)[] = []
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'titular-refusal-'))
  database = await cloneDatabase()
})
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step()
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs a command to its end and returns its lines on standard error. */
async function run(environment: Record<string, string>, ...command: string[]): Promise<string[]> {
  const child = spawn(process.execPath, ['src/main.ts', ...command], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  cleanup.push(() => void child.kill('SIGTERM'))
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, said]).toEqual([1, expect.not.stringMatching(/^titular: +at /m)])
  expect(await readdir(dataDir)).toEqual([])
  return said.trim().split('\n')
}

const withDatabase = (change: (url: URL) => void): Record<string, string> => {
  const url = new URL(database.url)
  change(url)
  return { SANDBOX: '1', DATABASE_URL: url.href }
}

async function occupied(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => void server.close())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port
}

describe.skipIf(isDistributed)('a start is refused', () => {
  it('for a port in use, and an address of another machine', async () => {
    const port = await occupied()
    expect(await run({ PORT: String(port) })).toEqual([
      expect.stringMatching(/^titular: PORT \d+ is in use .* set another/),
    ])
    expect(await run({ HOST: '203.0.113.7', SANDBOX: '1' })).toEqual([
      expect.stringContaining('HOST 203.0.113.7 is no'),
    ])
  })
  it('for a WORK_PORT in use, before anything is changed', async () => {
    const port = await occupied()
    const environment = { ...withDatabase((url) => (url.pathname = '/nothing')), WORK_PORT: String(port) }
    expect(await run(environment, 'work')).toEqual([
      `titular: WORK_PORT ${port} is in use on 127.0.0.1; stop what listens there, or set another WORK_PORT`,
    ])
  })
  it('for invalid keys, hooks, password, sender and data directory: all at once', async () => {
    const lines = await run({
      JWT_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----',
      LICENSE_SIGNING_KEY: 'hush',
      HOOKS: join(dataDir, 'hooks.mjs'),
      ADMIN_EMAIL: 'root@titular.example',
      ADMIN_PASSWORD: 'short',
      MAIL_FROM: 'nobody',
    })
    expect(new Set(lines.map((line) => /^titular: ([A-Z_]+)/.exec(line)?.[1] ?? line))).toEqual(
      new Set(['ADMIN_PASSWORD', 'HOOKS', 'JWT_PRIVATE_KEY', 'LICENSE_SIGNING_KEY', 'MAIL_FROM']),
    )
    expect(lines.join()).not.toContain('hush')
    expect(await run({ DATA_DIR: '/dev/null/x' })).toEqual([expect.stringMatching(/^titular: DATA_DIR: ENOTDIR/)])
  })
  it('for a setting that is misspelt', async () => {
    expect(await run({ STRIPE_BR_SECRETKEY: 'hush' })).toEqual([
      'titular: STRIPE_BR_SECRETKEY is no setting; STRIPE_BR_SECRET_KEY is',
    ])
  })
  it('for a secret whose file cannot be read, or that is given twice', async () => {
    expect(await run({ SECRET_KEY_FILE: '/dev/null/x', METRICS_TOKEN: 'hush', METRICS_TOKEN_FILE: 'x' })).toEqual([
      'titular: METRICS_TOKEN and METRICS_TOKEN_FILE are both set; keep one of them',
      'titular: SECRET_KEY_FILE names a file that cannot be read (ENOTDIR)',
    ])
  })
  it('for a mail server that cannot be reached, refuses the login, or has no TLS', async () => {
    const SMTP_URL = `smtp://127.0.0.1:${await freePort()}`
    expect(await run({ SMTP_URL })).toEqual([
      expect.stringMatching(/^titular: SMTP_URL: no mail server .* SMTP_CHECK=0/),
    ])
    const wrong = Object.assign(new Error('no'), { responseCode: 535 })
    const server = await startSmtpServer({ onAuth: (_auth, _session, done) => done(wrong), allowInsecureAuth: true })
    cleanup.push(() => server.close())
    const [refused] = await run({ SMTP_URL: `smtp://post:hush@127.0.0.1:${server.port}` })
    expect(refused).toMatch(/^titular: SMTP_URL: the mail server 127\.0\.0\.1:\d+ refuses the login post; correct/)
    expect(refused).not.toContain('hush')
    expect(await run({ SMTP_URL: `smtps://127.0.0.1:${server.port}` })).toEqual([
      expect.stringMatching(/^titular: SMTP_URL: .* TLS/),
    ])
  })
  it('for a database that cannot be reached, is unknown, or refuses the password', async () => {
    const closed = String(await freePort())
    expect(await run({ ...withDatabase((url) => (url.port = closed)), DATABASE_START_SECONDS: '0' })).toEqual([
      `titular: DATABASE_URL: no PostgreSQL answers at 127.0.0.1:${closed} (ECONNREFUSED); start it, or correct the address; gave up after 0 s`,
    ])
    const [password] = await run(withDatabase((url) => (url.password = 'hush')))
    expect(password).toMatch(/^titular: DATABASE_URL: PostgreSQL refuses the password of postgres at .*; correct it$/)
    expect(password).not.toContain('hush')
    expect(await run(withDatabase((url) => (url.pathname = '/nothing')))).toEqual([
      expect.stringMatching(/^titular: DATABASE_URL: there is no database nothing at .*; make it \(create database/),
    ])
    const owner = { DATABASE_SYSTEM_URL: database.url, DATABASE_OWNER_URL: database.url.replace(/t_\w+$/, 'nothing') }
    expect(await run({ ...withDatabase(() => {}), ...owner })).toEqual([
      expect.stringMatching(/^titular: DATABASE_OWNER_URL: there is no database nothing/),
    ])
  })
  it('for a login with too few rights, with the statements that grant them', async () => {
    await database.query(`create role poor_${process.pid} login password 'poor'`)
    cleanup.push(() => database.query(`drop role poor_${process.pid}`))
    const poor = withDatabase((url) => Object.assign(url, { username: `poor_${process.pid}`, password: 'poor' }))
    expect(await run(poor)).toEqual([
      expect.stringMatching(/^titular: The login poor_\d+ cannot make .* grant titular_owner, .* to "poor_\d+";/),
    ])
  })
  it('for a database of before the first release, and by `migrate`', async () => {
    const old = await emptyDatabase()
    cleanup.push(() => old.drop())
    await old.query(`create table schema_migrations (id serial, name text, run_on timestamp, sha256 text);
      insert into schema_migrations (name) values ('0001-identity'), ('0002-organizations');
      alter table schema_migrations owner to titular_owner`)
    const environment = { SANDBOX: '1', DATABASE_URL: old.url }
    const said = [
      expect.stringMatching(/^titular: The database was made before the first release \(it has 0001-identity\)/),
    ]
    expect(await run(environment)).toEqual(said)
    expect(await run(environment, 'migrate')).toEqual(said)
  })
  it('for files of a backup that cannot be read or written', async () => {
    const environment = { DATABASE_URL: database.url }
    expect(await run(environment, 'restore', '/dev/null/x')).toEqual([expect.stringMatching(/^titular: ENOTDIR/)])
    expect(await run(environment, 'backup', '/dev/null/x')).toEqual([expect.stringMatching(/^titular: ENOTDIR/)])
  })
})

describe.skipIf(isDistributed)('a start succeeds', () => {
  it('with ADMIN_EMAIL alone when the administrator exists', async () => {
    const smtp = await startSmtpServer()
    const service = await processOf({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
    cleanup.push(
      () => smtp.close(),
      () => service.remove(),
    )
    await service.start()
    await service.stop()
    await service.start({ ADMIN_PASSWORD: '' })
    const answer = await fetch(`${service.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMINISTRATOR),
    })
    expect(answer.status).toBe(200)
    expect(service.output()).not.toContain('ADMIN_EMAIL')
  })
  it('with an ADMIN_EMAIL of no account, and a warning', async () => {
    const app = await startApp()
    cleanup.push(() => app.close())
    const config = readConfig({ ADMIN_EMAIL: 'nobody@titular.example' })
    const log = pino({ level: 'warn' }, { write: (line: string) => void app.log.push(line) })
    expect(await createFirstAdministrator(app.service, config, log)).toBeNull()
    expect(app.log.join()).toContain('ADMIN_EMAIL: nobody has the address nobody@titular.example; set ADMIN_PASSWORD')
  })
  it('with an administrator created once, when the embedded database has no account', async () => {
    const app = await startApp()
    cleanup.push(() => app.close())
    const make = () => createFirstAdministrator(app.service, readConfig({}), pino({ level: 'silent' }))
    expect(await make()).toEqual({ email: 'admin@titular.example', password: expect.stringMatching(/^.{12,}$/) })
    expect(await make()).toBeNull()
  })
  it('without keys and outside systems, for migrate and backup', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'titular-backup-'))
    cleanup.push(() => rm(folder, { recursive: true, force: true }))
    const environment = { PATH: process.env['PATH'], DATABASE_URL: database.url, SANDBOX: '0', DATA_DIR: dataDir }
    for (const command of [['migrate'], ['backup', join(folder, 'one')]]) {
      const child = spawn(process.execPath, ['src/main.ts', ...command], {
        cwd: join(import.meta.dirname, '../..'),
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      expect([said, code]).toEqual(['', 0])
    }
    expect(await readdir(folder)).toEqual(['one'])
  })
})
