import { describe, expect, it } from 'vitest'
import { createLastUses } from '#kernel/access/last-uses.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Headers } from '#test/harness/world.ts'

let count = 0

const app = await appOfFile()
const nobody = app.world.anonymous

const password = 'vento-Lilás 7'

async function account() {
  const email = `sessions${++count}@example.com`
  const { data } = await nobody.post('/auth/register', { email, password, name: 'Ana' })
  return { email, first: bearer(data.access_token), refreshToken: data.refresh_token as string }
}
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

async function signIn(email: string, userAgent: string): Promise<Headers> {
  const answer = await nobody.post('/auth/login', { email, password }, { 'user-agent': userAgent })
  expect(answer.status).toBe(200)
  return bearer(answer.data.access_token)
}

async function signInBrowser(email: string): Promise<Headers> {
  const answer = await nobody.post('/auth/session', { email, password })
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { cookie, 'x-service-nonce': answer.data.nonce }
}

describe('GET /auth/sessions', () => {
  it('200 with the live sessions of the caller alone, the newest first', async () => {
    const { email, first } = await account()
    await account()
    const phone = await signIn(email, 'Phone/1')
    const browser = await signInBrowser(email)
    const gone = await signIn(email, 'Gone/1')
    await nobody.post('/auth/logout', undefined, gone)
    const { status, data, meta } = await nobody.get('/auth/sessions', phone)
    expect([status, meta?.total]).toEqual([200, 3])
    expect(data).toMatchObject([
      { is_browser: true, is_current: false, signed_in_by: 'password', ip: '127.0.0.1' },
      { is_browser: false, is_current: true, user_agent: 'Phone/1' },
      { is_browser: false, is_current: false },
    ])
    expect((await nobody.get('/auth/sessions', browser)).data[0].is_current).toBe(true)
    expect((await nobody.get('/auth/sessions', first)).data[2].is_current).toBe(true)
  })
  it('leaves out what has expired, and says how a mailed link opened one', async () => {
    const { email } = await account()
    const link = await mailboxOf(app).link(email, '/verify-account')
    await nobody.post('/auth/verify-account', { ...link, password })
    const kept = app.clock.now
    app.clock.advance(6.9 * 86_400)
    const late = await signIn(email, 'Late/1')
    expect((await nobody.get('/auth/sessions', late)).data).toMatchObject([
      {},
      { signed_in_by: 'mailed_link' },
      { signed_in_by: 'password' },
    ])
    app.clock.advance(86_400)
    const again = await signIn(email, 'Again/1')
    expect((await nobody.get('/auth/sessions', again)).data).toMatchObject([
      { user_agent: 'Again/1' },
      { user_agent: 'Late/1' },
    ])
    app.clock.now = kept
  })
  it('401 without credentials and for an API key', async () => {
    const { staff } = await app.world.organization()
    expect((await nobody.get('/auth/sessions')).status).toBe(401)
    const key = Buffer.from(`ck_${'a'.repeat(24)}:cs_${'b'.repeat(43)}`).toString('base64')
    expect((await nobody.get('/auth/sessions', { authorization: `Basic ${key}` })).status).toBe(401)
    expect((await staff.get('/auth/sessions?page=0')).status).toBe(422)
  })
})

const seenAt = async (headers: Headers): Promise<string> =>
  (await nobody.get('/auth/sessions', headers)).data[0].last_seen_at

describe('last_seen_at', () => {
  it('moves with a refresh', async () => {
    const { first, refreshToken } = await account()
    app.clock.advance(60)
    await nobody.post('/auth/refresh', { refresh_token: refreshToken })
    expect(await seenAt(first)).toBe(app.clock.now.toISOString())
  })
  it('moves by steps of five minutes with what else is asked, and never back', async () => {
    const { first } = await account()
    const begun = app.clock.now
    const [session] = (await nobody.get('/auth/sessions', first)).data
    const saw = async (seconds: number): Promise<string> => {
      const seen = createLastUses({
        database: app.service.database,
        onError: (error) => expect.unreachable(String(error)),
      })
      seen.ofSession(session.id, new Date(begun.getTime() + seconds * 1000))
      seen.ofSession(null, begun)
      await seen.close()
      return seenAt(first)
    }
    expect(await saw(299)).toBe(begun.toISOString())
    const later = new Date(begun.getTime() + 301_000).toISOString()
    expect(await saw(301)).toBe(later)
    expect(await saw(-900)).toBe(later)
  })
})

describe('DELETE /auth/sessions/{id}', () => {
  it('200, and its tokens are refused from the next request on', async () => {
    const { email, first, refreshToken } = await account()
    const phone = await signIn(email, 'Phone/1')
    const { data } = await nobody.get('/auth/sessions', phone)
    expect((await nobody.delete(`/auth/sessions/${data[1].id}`, phone)).status).toBe(200)
    expect((await nobody.get('/auth/me', first)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(401)
    expect((await nobody.get('/auth/me', phone)).status).toBe(200)
    expect((await nobody.delete(`/auth/sessions/${data[1].id}`, phone)).status).toBe(404)
  })
  it('200 for the current one, whose cookie it clears', async () => {
    const { email } = await account()
    const browser = await signInBrowser(email)
    const [{ id }] = (await nobody.get('/auth/sessions', browser)).data
    const answer = await nobody.delete(`/auth/sessions/${id}`, browser)
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(/^service_session=; Max-Age=0; Path=\//)
    expect((await nobody.get('/auth/me', browser)).status).toBe(401)
  })
  it('404 for another person’s session, which goes on', async () => {
    const [ana, bia] = [await account(), await account()]
    const [{ id }] = (await nobody.get('/auth/sessions', bia.first)).data
    const answer = await nobody.delete(`/auth/sessions/${id}`, ana.first)
    const unknown = await nobody.delete('/auth/sessions/999999999', ana.first)
    expect([answer.status, answer.message]).toEqual([unknown.status, unknown.message])
    expect((await nobody.get('/auth/me', bia.first)).status).toBe(200)
    for (const wrong of ['0', 'x', '1e3', '99999999999999999999'])
      expect((await nobody.delete(`/auth/sessions/${wrong}`, ana.first)).status).toBe(404)
  })
})

describe('DELETE /auth/sessions', () => {
  it('200 with the number; the current session and those of others go on', async () => {
    const { email, first } = await account()
    const other = await account()
    const phone = await signIn(email, 'Phone/1')
    const browser = await signInBrowser(email)
    const answer = await nobody.delete('/auth/sessions', phone)
    expect([answer.status, answer.data]).toEqual([200, { ended: 2 }])
    for (const ended of [first, browser]) expect((await nobody.get('/auth/me', ended)).status).toBe(401)
    for (const live of [phone, other.first]) expect((await nobody.get('/auth/me', live)).status).toBe(200)
    expect((await nobody.delete('/auth/sessions', phone)).data).toEqual({ ended: 0 })
  })
  it('of two at once one wins, and one session is left', async () => {
    const { email, first } = await account()
    const phone = await signIn(email, 'Phone/1')
    const answers = await Promise.all([first, phone].map((headers) => nobody.delete('/auth/sessions', headers)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
    const alive = await Promise.all([first, phone].map((headers) => nobody.get('/auth/me', headers)))
    expect(alive.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
  })
  it('is in the audit log of the service', async () => {
    const { email, first } = await account()
    await signIn(email, 'Phone/1')
    await nobody.delete('/auth/sessions', first)
    const [entry] = await app.database.query<{ action: string; details: object }>(
      `select action, details from service_audit where action = 'other_sessions_ended' order by id desc limit 1`,
    )
    expect(entry?.details).toEqual({ ended: 1 })
  })
})
