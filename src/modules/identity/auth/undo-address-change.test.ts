// The owner of the old address gets the account back, whatever the person who changed it did meanwhile.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import { accountsOf, bearer } from '#test/scenes/own-account.ts'

const app = await appOfFile()
const accounts: ReturnType<typeof accountsOf> = accountsOf(app)

const newPassword = 'brisa-Azul 8'
const undo = (body: object) => accounts.nobody.post('/auth/undo-email-change', body)

/** Mails of the same moment have no order, so the clock advances between them. */
async function changed(token: string, to: string): Promise<void> {
  expect((await accounts.put(token, { email: to })).status).toBe(200)
  const link = await accounts.mailbox.link(to, '/verify-account')
  app.clock.advance(1)
  expect((await accounts.verify(link)).status).toBe(200)
  await app.service.worker.drain()
  app.clock.advance(1)
}
const undoLink = (email: string) => accounts.mailbox.link(email, '/undo-email-change')

describe('POST /auth/undo-email-change', () => {
  it('200 before the new address is proven: the change is cancelled, all sessions end, the key sets a password', async () => {
    const { email, token, refresh } = await accounts.proven()
    const to = accounts.later('thief')
    app.clock.advance(1)
    await accounts.put(token, { email: to })
    const waiting = await accounts.mailbox.link(to, '/verify-account')
    const answer = await undo(await undoLink(email))
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ email, password_required: true, reset_key: expect.any(String) })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await accounts.me(token)).status).toBe(401)
    expect((await accounts.nobody.post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect((await accounts.verify(waiting)).status).toBe(422)
    expect((await accounts.login(email)).status).toBe(401)
    const reset = { email, key: answer.data.reset_key, password: newPassword }
    expect((await accounts.nobody.post('/auth/reset-password', reset)).status).toBe(200)
    expect((await accounts.login(email, newPassword)).status).toBe(200)
  })
  it('200 after a second change, a new password, a reset and an API key of the thief', async () => {
    const { email, token } = await accounts.proven()
    const { data: own } = await accounts.nobody.post('/organizations', { name: 'Taken' }, bearer(token))
    const inside = { 'x-service-organization': String(own.id) }
    const [second, third] = [accounts.later('thief'), accounts.later('thief')]
    app.clock.advance(1)
    await changed(token, second)
    const link = await undoLink(email)
    await changed(token, third)
    const thiefs = await undoLink(second)
    expect((await accounts.put(token, { password: newPassword })).status).toBe(200)
    const thief = (await accounts.login(third, newPassword)).data.access_token as string
    const made = await accounts.nobody.post('/auth/api-keys', { name: 'back door' }, { ...bearer(thief), ...inside })
    const keys = { consumer_key: made.data.consumer_key, consumer_secret: made.data.consumer_secret }
    const asKey = () => accounts.nobody.get(`/quotes?${new URLSearchParams(keys).toString()}`, inside)
    expect((await asKey()).status).toBe(200)
    await app.service.worker.drain()
    app.clock.advance(1)
    await accounts.nobody.post('/auth/forgot-password', { email: third })
    const reset = await accounts.mailbox.link(third, '/reset-password')
    const answer = await undo(link)
    expect([answer.status, answer.data.email]).toEqual([200, email])
    expect((await accounts.me(thief)).status).toBe(401)
    expect((await asKey()).status).toBe(401)
    expect((await undo(thiefs)).status).toBe(422)
    expect((await accounts.nobody.post('/auth/reset-password', { ...reset, password: newPassword })).status).toBe(422)
    for (const address of [email, second, third]) expect((await accounts.login(address, newPassword)).status).toBe(401)
    const set = { email, key: answer.data.reset_key, password: 'lua-Verde 9' }
    expect((await accounts.nobody.post('/auth/reset-password', set)).status).toBe(200)
    const { data } = await accounts.login(email, 'lua-Verde 9')
    expect((await accounts.me(data.access_token)).data).toMatchObject({ email, status: 'ACTIVE' })
  })
  it('200 for the owner after the thief undid their own second change', async () => {
    const { email, token } = await accounts.proven()
    const second = accounts.later('thief')
    app.clock.advance(1)
    await changed(token, second)
    const link = await undoLink(email)
    await changed(token, accounts.later('thief'))
    expect((await undo(await undoLink(second))).data.email).toBe(second)
    expect((await undo(link)).data.email).toBe(email)
  })
  it('422 for the thief once the owner has changed back to the old address', async () => {
    const { email, token } = await accounts.proven()
    const second = accounts.later('thief')
    app.clock.advance(1)
    await changed(token, second)
    await accounts.put(token, { email })
    const thiefs = await undoLink(second)
    app.clock.advance(1)
    expect((await accounts.verify(await accounts.mailbox.link(email, '/verify-account'))).status).toBe(200)
    const notice = await accounts.mailbox.newest(second)
    expect(notice.text).toContain(email)
    expect(notice.text).not.toContain('/undo-email-change')
    expect((await accounts.put(token, { password: newPassword })).status).toBe(200)
    expect((await undo(thiefs)).status).toBe(422)
    const { data } = await accounts.login(email, newPassword)
    expect((await accounts.me(data.access_token)).data).toMatchObject({ email })
  })
  it('409 for anybody who registers or changes to the old address meanwhile; the undo works', async () => {
    const { email, token } = await accounts.proven()
    app.clock.advance(1)
    await changed(token, accounts.later('thief'))
    const link = await undoLink(email)
    expect((await accounts.register(email.toUpperCase())).status).toBe(409)
    expect((await accounts.nobody.post('/auth/register-email', { email })).status).toBe(202)
    const other = await accounts.proven()
    await accounts.put(other.token, { email })
    expect((await accounts.verify(await accounts.mailbox.link(email, '/verify-account'))).status).toBe(409)
    expect((await undo(link)).status).toBe(200)
  })
  it('409 for registering with the address while it is being changed', async () => {
    const { email } = await accounts.proven()
    const leaving = new Client({ connectionString: app.database.url })
    await leaving.connect()
    await leaving.query('begin')
    const { rows } = await leaving.query<{ id: number }>(
      `update users set email = 'left@example.com' where email = $1 returning id`,
      [email],
    )
    await leaving.query(
      `insert into address_undos (user_id, email, nonce, digest, requested_at, changed_at, expires_at)
       values ($1, $2, '', '', $3, $3, $3::timestamptz + interval '1 day')`,
      [rows[0]?.id, email, app.clock.now],
    )
    const waiting = accounts.register(email)
    await somebodyWaits(app.database)
    await leaving.query('commit')
    await leaving.end()
    expect((await waiting).status).toBe(409)
  })
  it('200 for one of many requests at once', async () => {
    const { email, token } = await accounts.proven()
    app.clock.advance(1)
    await changed(token, accounts.later())
    const link = await undoLink(email)
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(link)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 422, 422, 422, 422, 422,
    ])
  })
  it('200 while another transaction revokes a key of the account', async () => {
    const { email, token } = await accounts.proven()
    const { data: own } = await accounts.nobody.post('/organizations', { name: 'Taken' }, bearer(token))
    const inside = { ...bearer(token), 'x-service-organization': String(own.id) }
    const { data: key } = await accounts.nobody.post('/auth/api-keys', { name: 'back door' }, inside)
    app.clock.advance(1)
    await changed(token, accounts.later('thief'))
    const link = await undoLink(email)
    const revoking = new Client({ connectionString: app.database.url })
    await revoking.connect()
    await revoking.query('begin')
    await revoking.query('update event_sequences set last_sequence = last_sequence where organization_id = $1', [
      own.id,
    ])
    const undone = undo(link)
    await somebodyWaits(app.database)
    await revoking.query('update api_keys set revoked_at = $2 where id = $1', [key.id, app.clock.now])
    await revoking.query('commit')
    await revoking.end()
    expect((await undone).status).toBe(200)
  })
  it.each(['before', 'after'])('ends a key that is created immediately %s it', async (place) => {
    const { email, token } = await accounts.proven()
    const { data: own } = await accounts.nobody.post('/organizations', { name: 'Taken' }, bearer(token))
    const inside = { ...bearer(token), 'x-service-organization': String(own.id) }
    app.clock.advance(1)
    await changed(token, accounts.later('thief'))
    const link = await undoLink(email)
    const [holding, waiting] = [new Client({ connectionString: app.database.url }), [] as Promise<unknown>[]]
    await holding.connect()
    await holding.query('begin')
    await holding.query('select 1 from event_sequences where organization_id = $1 for update', [own.id])
    const steps = [() => undo(link), () => accounts.nobody.post('/auth/api-keys', { name: 'back door' }, inside)]
    for (const step of place === 'before' ? steps.toReversed() : steps) {
      waiting.push(step())
      await somebodyWaits(app.database, waiting.length)
    }
    await holding.query('commit')
    await holding.end()
    await Promise.all(waiting)
    const keys = await app.database.query(`select 1 from api_keys where organization_id = $1 and revoked_at is null`, [
      own.id,
    ])
    expect(keys).toEqual([])
  })
  it('200 for one of the two when the change is proven and undone at once', async () => {
    const { email, token } = await accounts.proven()
    const to = accounts.later('thief')
    app.clock.advance(1)
    await accounts.put(token, { email: to })
    const proof = await accounts.mailbox.link(to, '/verify-account')
    const [, undone] = await Promise.all([accounts.verify(proof), undo(await undoLink(email))])
    expect(undone.status).toBe(200)
    const [row] = await app.database.query(`select password_hash from users where email = $1`, [email])
    expect(row).toEqual({ password_hash: null })
    expect((await accounts.me(token)).status).toBe(401)
  })
  it('422 for a token that is wrong, of another address or purpose, or 24 hours after the proof', async () => {
    const { email, token } = await accounts.proven()
    const to = accounts.later()
    app.clock.advance(1)
    await changed(token, to)
    const link = await undoLink(email)
    for (const body of [
      { ...link, token: 'x' },
      { ...link, email: to },
    ])
      expect((await undo(body)).errors?.fields).toHaveProperty('token')
    expect((await accounts.verify(link)).status).toBe(422)
    const reset = { email, key: link['token'], password: newPassword }
    expect((await accounts.nobody.post('/auth/reset-password', reset)).status).toBe(422)
    const kept = app.clock.now
    app.clock.advance(86_400)
    expect((await undo(link)).status).toBe(422)
    expect((await accounts.register(email)).status).toBe(201)
    app.clock.now = kept
    expect((await undo(link)).status).toBe(409)
  })
  it('stores no usable token in the tables or the log', async () => {
    const { email, token } = await accounts.proven()
    app.clock.advance(1)
    await accounts.put(token, { email: accounts.later() })
    const link = await undoLink(email)
    const answer = await undo(link)
    const secrets = [link['token'] ?? '', answer.data.reset_key]
    for (const table of ['address_undos', 'user_tokens', 'service_audit', 'jobs'])
      for (const secret of secrets)
        expect(await app.database.query(`select 1 from ${table} t where t::text like $1`, [`%${secret}%`])).toEqual([])
    for (const secret of secrets) expect(app.log.join('\n')).not.toContain(secret)
  })
})
