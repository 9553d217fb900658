// Checks of the configured logins on a real PostgreSQL, before anything is changed. The behaviour of poolers
// was tested by hand (docs/operations.md).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '#test/harness/golden.ts'
import { until } from '#test/harness/until.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { checkOwnerLogin, checkRoleLogin, checkSharedLogin } from './login-check.ts'
import { administratorsStatements, APP, SYSTEM, timeoutsOf } from './roles.ts'

const NAME = `login_${process.pid}`

let database: TestDatabase
let login: { setting: string; url: string }
beforeAll(async () => {
  database = await cloneDatabase()
  await database.query(`create role ${NAME} login password 'x'`)
  await database.query(`grant ${APP}, ${SYSTEM} to ${NAME}`)
  const url = Object.assign(new URL(database.url), { username: NAME, password: 'x' }).href
  login = { setting: 'DATABASE_URL', url }
})
afterAll(async () => {
  await database.query(`drop role ${NAME}`)
  await database.drop()
})

it('docs/operations.md has every statement that an administrator runs for the roles', async () => {
  const written = (await readFile(join(ROOT, 'docs/operations.md'), 'utf8')).split('\n')
  expect(written).toEqual(expect.arrayContaining(administratorsStatements('titular')))
})

describe('a login that is one of the roles itself', () => {
  it('is refused when it is another role', async () => {
    await expect(checkRoleLogin(login, APP)).rejects.toThrow(
      `DATABASE_URL: the login is ${NAME}, it must be titular_app`,
    )
  })
  it('is refused without the time-outs of its role, with the statements that set them', async () => {
    await database.query(`alter role ${NAME} set role ${APP}`)
    await database.query(`alter role ${NAME} set timezone = 'America/Sao_Paulo'`)
    const missing = Object.entries(timeoutsOf(APP)).map(
      ([name, value]) => `alter role titular_app set ${name} = '${value}';`,
    )
    await expect(checkRoleLogin(login, APP)).rejects.toThrow(missing.join(' '))
  })
  it('is accepted with both, and with statements that stay prepared', async () => {
    for (const [name, value] of Object.entries(timeoutsOf(APP)))
      await database.query(`alter role ${NAME} set ${name} = '${value}'`)
    await checkRoleLogin(login, APP)
    await expect(checkRoleLogin(login, SYSTEM)).rejects.toThrow('the login is titular_app, it must be titular_system')
  })
})

describe('a login that sets the roles', () => {
  it('is accepted when it may set them, and refused when it may not', async () => {
    await database.query(`alter role ${NAME} reset role`)
    await checkSharedLogin(login)
    await database.query(`revoke ${SYSTEM} from ${NAME}`)
    await expect(checkSharedLogin(login)).rejects.toThrow(/^DATABASE_URL: .*role/)
  })
  it('changes nothing in the database', async () => {
    await checkOwnerLogin(login)
    const client = new Client({ connectionString: database.url })
    await client.connect()
    try {
      const left = `select count(*)::int as n from pg_stat_activity where usename = $1`
      expect(
        await until(
          async () => (await client.query<{ n: number }>(left, [NAME])).rows[0]?.n,
          (n) => n === 0,
        ),
      ).toBe(0)
    } finally {
      await client.end()
    }
  })
})
