// Attacks on a sign-in by single sign-on: other browsers, used answers, other providers, other organizations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Headers, Speaker } from '#test/harness/world.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { startFalseProvider } from '#test/stand-ins/false-openid-provider.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let nobody: Speaker
let provider: OpenidProvider
let scene: ReturnType<typeof signOnScene>

beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  app = await startApp({ environment: { PUBLIC_URL } })
  nobody = app.world.anonymous
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

const finish = (body: object, headers: Headers = {}) => nobody.post('/auth/session/sso', body, headers)

async function visited() {
  const connected = await scene.connected(provider)
  const ana = connected.person('ana')
  const { url, headers } = await scene.begin(ana.email ?? '')
  const { state = '', code = '', iss = '' } = await provider.visit(url, ana)
  return { ...connected, ana, headers, answer: { state, code, iss } }
}

describe('an answer of the provider', () => {
  it('counts once', async () => {
    const { answer, headers } = await visited()
    expect((await finish(answer, headers)).status).toBe(200)
    const again = await finish(answer, headers)
    expect([again.status, again.errors?.reason]).toEqual([401, 'sso_expired'])
  })
  it('that the person has cancelled is 401, and begins nothing', async () => {
    const { answer, headers } = await visited()
    const { state, iss } = answer
    const cancelled = await finish({ state, iss, error: 'access_denied' }, headers)
    expect([cancelled.status, cancelled.errors?.reason]).toEqual([401, 'sso_refused'])
  })
  it('counts once of ten at a time', async () => {
    const { answer, headers } = await visited()
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(answer, headers)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...Array<string>(9).fill('401')])
  })
  it('counts in the browser that began only, and does not end there by being tried elsewhere', async () => {
    const { answer, headers, person } = await visited()
    const other = await scene.begin(person('bia').email ?? '')
    for (const stolen of [{}, other.headers, { cookie: 'service_sign_on=' }])
      expect((await finish(answer, stolen)).status).toBe(401)
    expect((await finish(answer, headers)).status).toBe(200)
  })
  it('counts for ten minutes', async () => {
    const { answer, headers } = await visited()
    app.clock.advance(601)
    expect((await finish(answer, headers)).status).toBe(401)
    await app.service.worker.drain()
  })
  it('does not count with the code of another sign-in', async () => {
    const [one, other] = [await visited(), await visited()]
    const mixed = { ...one.answer, code: other.answer.code }
    expect((await finish(mixed, one.headers)).message).toContain('has not signed you in')
  })
  it('does not count when the code was used already', async () => {
    const { ana, headers, answer } = await visited()
    expect((await finish(answer, headers)).status).toBe(200)
    const again = await scene.begin(ana.email ?? '')
    const fresh = await provider.visit(again.url, ana)
    expect((await finish({ ...fresh, code: answer.code }, again.headers)).status).toBe(401)
  })
  it('is in no table in readable form, and no refusal tells of it', async () => {
    const { answer, headers } = await visited()
    const [row] = await app.database.query(`select * from sso_sign_ins order by expires_at desc limit 1`)
    expect(JSON.stringify(row)).not.toContain(answer.state)
    expect((await finish({ ...answer, code: 'x' }, headers)).raw.body).not.toContain(answer.state)
    expect(app.log.join('')).not.toContain(answer.state)
    expect(app.log.join('')).not.toContain(answer.code)
  })
})

describe('another provider', () => {
  it('cannot end a sign-in that was begun at the first (mix-up)', async () => {
    const evil = await startFalseProvider()
    const { ana, headers, answer } = await visited()
    // The browser was led to the evil provider and comes back with the state of the honest one.
    expect((await finish({ ...answer, iss: evil.issuer }, headers)).status).toBe(401)
    expect(evil.exchanged).toEqual([])
    const again = await scene.begin(ana.email ?? '')
    const honest = await provider.visit(again.url, ana)
    expect((await finish({ state: honest['state'], code: honest['code'] }, again.headers)).status).toBe(401)
    await evil.close()
  })
  it('signs in nobody of a domain that its organization has not proven, whatever it says', async () => {
    const { domain, ana, answer, headers } = await visited()
    const victim = (await finish(answer, headers)).data.user
    const evil = await startFalseProvider()
    const thief = await app.world.organization()
    await scene.prove(thief, 'thief.example')
    await scene.connect(thief, { ...provider, ...evil }, domain, { domains: ['thief.example', domain] })
    const begun = await scene.begin('eve@thief.example')
    evil.opened(begun.url)
    const state = new URL(begun.url).searchParams.get('state')
    for (const claims of [
      { email: ana.email, sub: 'eve' },
      { email: ana.email, sub: ana.sub, iss: evil.issuer },
    ]) {
      evil.answers({ claims })
      const { status, data } = await finish({ state, code: 'c', iss: evil.issuer }, begun.headers)
      expect([status, data]).toEqual([401, null])
    }
    // Nor is the victim's domain sent there.
    expect((await scene.begin(ana.email ?? '')).url).toContain(provider.issuer)
    const [sessions] = await app.database.query<{ n: number }>(
      `select count(*)::int as n from sessions where user_id = $1`,
      [victim.id],
    )
    expect(sessions?.n).toBe(1)
    await evil.close()
  })
  it('does not inherit the accounts of the one before it', async () => {
    const { organization, path, ana, answer, headers, person } = await visited()
    const session = scene.sessionOf(await finish(answer, headers))
    const next = await startFalseProvider()
    expect((await organization.owner.patch(path, { issuer: next.issuer })).status).toBe(200)
    await app.service.worker.drain()
    expect((await nobody.get('/auth/me', session)).status).toBe(401)
    const begun = await scene.begin(ana.email ?? '')
    next.opened(begun.url)
    next.answers({ claims: { sub: ana.sub, email: person('other').email } })
    const state = new URL(begun.url).searchParams.get('state')
    const { data } = await finish({ state, code: 'c', iss: next.issuer }, begun.headers)
    expect(data.user.email).toBe(person('other').email)
    await next.close()
  })
})

describe('a member who was removed so long ago that the entry of it was removed too', () => {
  it('is not brought back; who registered or came later than that becomes a member', async () => {
    const { organization, person } = await scene.connected(provider, { creates_members: true })
    const before = await app.world.user(person('old'))
    await app.world.user(person('new'))
    const [year, day] = ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z']
    await app.database.query('update users set registered = $2 where id = $1', [before.userId, year])
    await app.database.query('update organizations set created_at = $2 where id = $1', [organization.id, year])
    await app.database.query(`insert into audit_beginning (made_at, jws, removed_before) values ($1, 'x', $1)`, [day])
    for (const [name, status] of [
      ['old', 403],
      ['new', 200],
      ['unknown', 200],
    ] as const) {
      const headers = scene.sessionOf(await scene.signIn(provider, person(name)))
      const inside = { ...headers, 'x-service-organization': String(organization.id) }
      expect((await nobody.get('/me/access', inside)).status, name).toBe(status)
    }
    await app.database.query('delete from audit_beginning')
  })
})
