// Refreshing the tokens of a session, and its end.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Accounts, accountsOf, bearer } from '#test/scenes/own-account.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const accounts: Accounts = accountsOf(app)

const refresh = (token: string) => nobody.post('/auth/refresh', { refresh_token: token })

describe('POST /auth/refresh', () => {
  it('200 with the next tokens of the same session', async () => {
    const { token, refresh: own } = await accounts.registered()
    const answer = await refresh(own)
    expect(answer.status).toBe(200)
    expect(answer.data.refresh_token).not.toBe(own)
    expect((await accounts.me(answer.data.access_token)).status).toBe(200)
    expect((await accounts.me(token)).status).toBe(200)
    expect((await refresh(answer.data.refresh_token)).status).toBe(200)
  })
  it('200 with the same successor within the grace period; 401 after it, which ends the whole session', async () => {
    const { refresh: own } = await accounts.registered()
    const next = await refresh(own)
    app.clock.advance(9)
    const again = await refresh(own)
    expect([again.status, again.data.refresh_token]).toEqual([200, next.data.refresh_token])
    expect((await accounts.me(again.data.access_token)).status).toBe(200)
    app.clock.advance(2)
    const reused = await refresh(own)
    expect([reused.status, reused.errors?.code]).toEqual([401, 'AUTHENTICATION_ERROR'])
    expect((await refresh(next.data.refresh_token)).status).toBe(401)
    for (const { data } of [next, again]) expect((await accounts.me(data.access_token)).status).toBe(401)
    const entries = await app.database.query(`select action from service_audit where action = 'refresh_token_reused'`)
    expect(entries).toHaveLength(1)
  })
  it('200 with one successor for 32 requests at once', async () => {
    const { refresh: own } = await accounts.registered()
    const answers = await Promise.all(Array.from({ length: 32 }, () => refresh(own)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ data }) => data.refresh_token)).size).toBe(1)
    const [row] = await app.database.query<{ live: number }>(
      `select count(*) as live from refresh_tokens r join refresh_tokens other using (session_id)
        where other.digest = sha256($1::bytea) and r.rotated_at is null`,
      [Buffer.from(own)],
    )
    expect(row?.live).toBe(1)
  })
  it('401 after seven days, for a wrong token, and for an access token', async () => {
    const { token, refresh: own } = await accounts.registered()
    for (const wrong of ['x', 'A'.repeat(43)]) expect((await refresh(wrong)).status).toBe(401)
    expect((await refresh(token.slice(0, 255))).status).toBe(401)
    const kept = app.clock.now
    app.clock.advance(7 * 86_400)
    expect((await refresh(own)).status).toBe(401)
    app.clock.now = kept
  })
  it('422 for a token that is not a string', async () => {
    expect((await nobody.post('/auth/refresh', { refresh_token: 7 })).status).toBe(422)
  })
  it('401 when the user has been disabled', async () => {
    const { email, refresh: own } = await accounts.registered()
    await app.database.query(`update users set disabled_at = now() where email = $1`, [email])
    expect((await refresh(own)).status).toBe(401)
  })
  it('stores digests only, never tokens', async () => {
    const { refresh: own } = await accounts.registered()
    const rows = await app.database.query<{ all: string }>(
      `select (select jsonb_agg(to_jsonb(r))::text from refresh_tokens r) || (select jsonb_agg(to_jsonb(a))::text from service_audit a)
              || coalesce((select jsonb_agg(to_jsonb(j))::text from jobs j), '') as all`,
    )
    expect(rows[0]?.all).not.toContain(own)
  })
})

describe('POST /auth/logout', () => {
  it('200 and the session, its refresh token and its access tokens end at once; others stay', async () => {
    const { email, token, refresh: own } = await accounts.registered()
    const other = await accounts.login(email)
    const answer = await nobody.post('/auth/logout', undefined, bearer(token))
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect((await accounts.me(token)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: own })).status).toBe(401)
    expect((await accounts.me(other.data.access_token)).status).toBe(200)
    expect((await nobody.post('/auth/logout', undefined, bearer(token))).status).toBe(401)
  })
  it('401 without credentials', async () => {
    expect((await nobody.post('/auth/logout')).status).toBe(401)
  })
  it('422 for a body', async () => {
    const { token } = await accounts.registered()
    expect((await nobody.post('/auth/logout', { all: true }, bearer(token))).status).toBe(422)
  })
})
