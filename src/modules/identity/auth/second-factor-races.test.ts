// Second factors while the session that asks for them ends, or the factor itself is removed.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import type { Answer, Headers } from '#test/harness/world.ts'
import { createAuthenticator, type Passkey } from '#test/scenes/authenticator.ts'
import { codeAt, PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'

const authenticator = createAuthenticator('https://titular.example')

const app = await appOfFile({ environment: { PUBLIC_URL: 'https://titular.example' } })
const nobody = app.world.anonymous
const scene: ReturnType<typeof secondFactorScene> = secondFactorScene(app)

/** The answer to a request that waits for the account, while somebody else changes it. */
async function overtaken(userId: number, ask: () => Promise<Answer>, change: string): Promise<Answer> {
  const other = new Client({ connectionString: app.database.url })
  await other.connect()
  await other.query('begin')
  await other.query('select 1 from users where id = $1 for no key update', [userId])
  const asked = ask()
  await somebodyWaits(app.database)
  await other.query(change, [userId])
  await other.query('commit')
  await other.end()
  return asked
}
const END_SESSIONS = 'update sessions set ended_at = now() where user_id = $1'

const created = async (headers: Headers) => {
  const { data } = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, headers)
  return authenticator.create(data)
}
const used = async (passkey: Passkey) =>
  authenticator.get(passkey, (await nobody.post('/auth/login/passkey/options')).data)

describe('a session that ends meanwhile', () => {
  it('registers no passkey', async () => {
    const { headers, userId } = await scene.registered()
    const { credential } = await created(headers)
    const register = () => nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)
    expect((await overtaken(userId, register, END_SESSIONS)).status).toBe(401)
    expect(await app.database.query('select 1 from passkeys where user_id = $1', [userId])).toEqual([])
  })
  it('sets up no authenticator app', async () => {
    const { headers, userId } = await scene.registered()
    const { data } = await nobody.post('/auth/mfa/totp', { current_password: PASSWORD }, headers)
    const code = codeAt(data.secret, app.clock.now)
    const confirm = () => nobody.post('/auth/mfa/totp/confirm', { code }, headers)
    expect((await overtaken(userId, confirm, END_SESSIONS)).status).toBe(401)
    const confirmed = 'select 1 from totp_factors where user_id = $1 and confirmed_at is not null'
    expect(await app.database.query(confirmed, [userId])).toEqual([])
  })
  it('gets no new recovery codes', async () => {
    const { headers, userId, code } = await scene.enrolled()
    const given = { code: code() }
    const renew = () => nobody.post('/auth/mfa/recovery-codes', given, headers)
    expect((await overtaken(userId, renew, END_SESSIONS)).status).toBe(401)
  })
})

describe('a passkey that is removed meanwhile', () => {
  it('proves nothing', async () => {
    const { headers, userId } = await scene.registered()
    const { passkey, credential } = await created(headers)
    await nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)
    const proof = { credential: await used(passkey) }
    const prove = () => nobody.post('/auth/step-up', proof, headers)
    const { status, errors } = await overtaken(userId, prove, 'delete from passkeys where user_id = $1')
    expect([status, errors?.fields]).toEqual([422, { credential: 'was not accepted; begin again' }])
    expect((await nobody.get('/auth/sessions', headers)).data[0].second_factor).toBeNull()
  })
  it('leaves no session that it opens at the same moment', async () => {
    const { headers, userId } = await scene.registered()
    const { passkey, credential } = await created(headers)
    const { data } = await nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)
    const signIn = { credential: await used(passkey) }
    const other = new Client({ connectionString: app.database.url })
    await other.connect()
    await other.query('begin')
    await other.query('select 1 from users where id = $1 for no key update', [userId])
    const opened = nobody.post('/auth/login/passkey', signIn)
    await somebodyWaits(app.database)
    const removed = nobody.delete(`/auth/passkeys/${data.id}`, headers)
    await somebodyWaits(app.database, 2)
    await other.query('commit')
    await other.end()
    expect([(await opened).status, (await removed).status]).toEqual([200, 200])
    const live = `select 1 from sessions where user_id = $1 and signed_in_by = 'passkey' and ended_at is null`
    expect(await app.database.query(live, [userId])).toEqual([])
  })
})
