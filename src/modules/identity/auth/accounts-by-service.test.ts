// What the service does with accounts itself: administrators, disabled users, removal of what has expired.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Accounts, accountsOf, asSystem, bearer } from '#test/scenes/own-account.ts'
import { createAdministrator } from './create-administrator.ts'
import { disableUser, enableUser } from './disable-user.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const accounts: Accounts = accountsOf(app)

const hash = () => app.service.ports.passwords.hash('brisa-Azul 8')

describe('disableUser, enableUser', () => {
  it('ends all access at once; sign-in works again after enableUser', async () => {
    const { email, id, token, refresh } = await accounts.registered()
    await asSystem(app, (ctx) => disableUser(ctx, id))
    expect((await accounts.me(token)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect((await accounts.login(email)).status).toBe(401)
    await asSystem(app, (ctx) => enableUser(ctx, id))
    expect((await accounts.me(token)).status).toBe(401)
    expect((await accounts.login(email)).status).toBe(200)
    await expect(asSystem(app, (ctx) => disableUser(ctx, 999_999))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('createAdministrator', () => {
  it('creates an administrator with their own login, and does nothing the second time', async () => {
    await app.database.query(`insert into users (email, name, login) values ('boss@other.example', 'Boss', 'boss')`)
    const passwordHash = await hash()
    expect(await asSystem(app, (ctx) => createAdministrator(ctx, 'boss@example.com', passwordHash))).toBe(true)
    expect(await asSystem(app, (ctx) => createAdministrator(ctx, 'boss@example.com', 'unused'))).toBe(false)
    const { data } = await accounts.login('boss@example.com', 'brisa-Azul 8')
    const token = data.access_token.split('.')[1] ?? ''
    expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toMatchObject({
      scopes: ['*'],
      roles: ['customer', 'administrator'],
    })
    const me = (await accounts.me(data.access_token)).data
    expect(me).toMatchObject({ login: 'boss2', status: 'ACTIVE' })
    expect(me.permissions).toEqual(permissionsOf(['administrator']).toSorted())
    expect((await accounts.me((await accounts.registered()).token)).data.permissions).toEqual([])
  })
  it('leaves an account alone from which the role was taken, while another administrator can sign in', async () => {
    await app.database.query(`update users set roles = '{customer}'`)
    const [other, former] = [await accounts.registered(), await accounts.registered()]
    const rolesOf = async () =>
      (await app.database.query<{ roles: string[] }>('select roles from users where id = $1', [former.id]))[0]?.roles
    await app.database.query(
      `update users set status = 'ACTIVE', roles = case when id = $1 then '{customer,administrator}' else roles end
        where id = any($2)`,
      [other.id, [other.id, former.id]],
    )
    expect(await asSystem(app, (ctx) => createAdministrator(ctx, former.email, 'unused'))).toBe(false)
    expect(await rolesOf()).toEqual(['customer'])
    await app.database.query(`update users set disabled_at = now() where id = $1`, [other.id])
    expect((await accounts.me(former.token)).status).toBe(200)
    expect(await asSystem(app, (ctx) => createAdministrator(ctx, former.email, 'unused'))).toBe(false)
    expect(await rolesOf()).toEqual(['customer', 'administrator'])
    expect((await accounts.me(former.token)).status).toBe(401)
  })
  it('revokes the access of somebody who registered with the address before', async () => {
    await app.database.query(`update users set roles = '{customer}'`)
    const squatter = await accounts.registered()
    const passwordHash = await hash()
    expect(await asSystem(app, (ctx) => createAdministrator(ctx, squatter.email, passwordHash))).toBe(true)
    expect((await accounts.me(squatter.token)).status).toBe(401)
    expect((await accounts.login(squatter.email)).status).toBe(401)
    expect((await accounts.login(squatter.email, 'brisa-Azul 8')).status).toBe(200)
  })
})

describe('auth/remove-over', () => {
  it('removes what has expired, and nothing else', async () => {
    const gone = await accounts.registered()
    const kept = await accounts.registered()
    await nobody.post('/auth/logout', undefined, bearer(gone.token))
    await app.database.query(`update user_tokens set expires_at = $2 where user_id = $1`, [gone.id, app.clock.now])
    await app.database.query(`insert into jobs (kind, run_at) values ('auth/remove-over', $1)`, [app.clock.now])
    await app.service.worker.drain()
    const left = await app.database.query<{ user_id: number; sessions: number; tokens: number }>(
      `select u.id as user_id, (select count(*) from sessions s where s.user_id = u.id) as sessions,
              (select count(*) from user_tokens t where t.user_id = u.id) as tokens
         from users u where u.id = any($1) order by u.id`,
      [[gone.id, kept.id]],
    )
    expect(left).toMatchObject([
      { sessions: 0, tokens: 0 },
      { sessions: 1, tokens: 1 },
    ])
    expect((await accounts.me(kept.token)).status).toBe(200)
  })
})
