// Sign-in by another device: codes, polls, decisions, and what the session gets.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Headers, Speaker } from '#test/harness/world.ts'
import { apiKey } from '#test/scenes/records.ts'
import { bearer, PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
const nobody = app.world.anonymous
const scene = secondFactorScene(app)

const SERVER: Headers = { 'user-agent': 'titular-cli/1.0', 'x-forwarded-for': '10.7.7.7' }

type Codes = { device_code: string; user_code: string; verification_uri: string; verification_uri_complete: string }

const begin = async (headers: Headers = SERVER): Promise<Codes> =>
  (await nobody.post('/auth/device', undefined, headers)).data
const poll = ({ device_code }: Codes, headers: Headers = SERVER) =>
  nobody.post('/auth/device/token', { device_code }, headers)
const ACTS = ['check', 'approve', 'reject'] as const
const decide = (who: Speaker, act: (typeof ACTS)[number], { user_code }: Pick<Codes, 'user_code'>) =>
  who.post(`/auth/device/${act}`, { user_code })
const reasonOf = ({ status, errors }: Answer) => [status, errors?.reason]
const inSteps = (seconds: number) => app.clock.advance(seconds)
const as = (headers: Headers): Speaker => app.world.speaker(headers, { userId: 0, email: '', token: '' })
const entriesOf = (userId: number, action: string) =>
  app.database.query<{ details: object; ip: string }>(
    `select details, ip from service_audit where action = $2 and resource_id = $1 order by id`,
    [userId, action],
  )

describe('POST /auth/device', () => {
  it('201 with two codes and where the person goes, of which nothing is stored as it is', async () => {
    const { status, data } = await nobody.post('/auth/device', undefined, SERVER)
    expect([status, data.expires_in, data.interval]).toEqual([201, 600, 5])
    expect(data.device_code).toMatch(/^[\w-]{43}$/)
    expect(data.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(data.verification_uri).toMatch(/\/app\/device$/)
    expect(data.verification_uri_complete).toBe(`${data.verification_uri}?user_code=${data.user_code}`)
    const stored = JSON.stringify(await app.database.query('select d::text from device_sign_ins d'))
    for (const code of [data.device_code, data.user_code, data.user_code.replace('-', '')])
      expect(stored).not.toContain(code)
    expect(app.log.join('\n')).not.toContain(data.user_code)
  })
})

describe('POST /auth/device/check', () => {
  it('200 with what asks and from where, however the code is typed', async () => {
    const [ana, begun] = [await app.world.user(), await begin()]
    const plain = begun.user_code.replace('-', '')
    for (const user_code of [begun.user_code, plain.toLowerCase(), ` ${plain.slice(0, 3)} ${plain.slice(3)} `]) {
      const { status, data } = await decide(ana, 'check', { user_code })
      expect([status, data]).toEqual([
        200,
        {
          device: 'titular-cli',
          ip: '10.7.7.7',
          created_at: app.clock.now.toISOString(),
          expires_at: new Date(app.clock.now.getTime() + 600_000).toISOString(),
        },
      ])
    }
  })
  it('shows no words that the program has chosen but one', async () => {
    const ana = await app.world.user()
    const text = await begin({ ...SERVER, 'user-agent': 'Approve now, your bank asks: http://evil.example' })
    expect((await decide(ana, 'check', text)).data.device).toBe(null)
  })
  it('404 for a wrong code and one that has expired, 401 without a session', async () => {
    const [ana, begun] = [await app.world.user(), await begin()]
    expect((await decide(ana, 'check', { user_code: 'BBBB-BBBB' })).status).toBe(404)
    expect((await decide(nobody, 'check', begun)).status).toBe(401)
    inSteps(601)
    expect((await decide(ana, 'check', begun)).status).toBe(404)
  })
})

describe('POST /auth/device/token', () => {
  it('409 until somebody has approved, then once tokens of a session that is listed and can be ended', async () => {
    const ana = await app.world.user()
    const begun = await begin()
    expect(reasonOf(await poll(begun))).toEqual([409, 'authorization_pending'])
    expect((await decide(ana, 'approve', begun)).status).toBe(200)
    const { status, data, headers } = await poll(begun)
    expect([status, data.token_type]).toEqual([200, 'Bearer'])
    expect(String(headers['set-cookie'])).not.toContain('service_session')
    expect(reasonOf(await poll(begun))).toEqual([401, 'expired_token'])
    expect((await nobody.get('/auth/me', bearer(data.access_token))).data.id).toBe(ana.userId)
    const [session] = (await ana.get('/auth/sessions')).data
    expect(session).toMatchObject({ signed_in_by: 'device', ip: '10.7.7.7', user_agent: 'titular-cli/1.0' })
    const renewed = await nobody.post('/auth/refresh', { refresh_token: data.refresh_token })
    expect((await ana.delete(`/auth/sessions/${session.id}`)).status).toBe(200)
    expect((await nobody.get('/auth/me', bearer(renewed.data.access_token))).status).toBe(401)
  })
  it('writes to the audit log who let what in, and mails the new device', async () => {
    const { headers, userId, email } = await scene.registered()
    await app.database.query(`update users set status = 'ACTIVE', language = 'en' where id = $1`, [userId])
    const begun = await begin()
    await decide(as(headers), 'approve', begun)
    await poll(begun)
    expect(await entriesOf(userId, 'device_approved')).toMatchObject([
      { details: { device: 'titular-cli', ip: expect.any(String) } },
    ])
    const [signedIn] = (await entriesOf(userId, 'signed_in')).slice(-1)
    expect(signedIn).toMatchObject({ ip: '10.7.7.7', details: { by: 'token', signed_in_by: 'device' } })
    const mails = (await mailsTo(app, email)).filter(({ subject }) => subject.startsWith('New sign-in'))
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('titular-cli')])
  })
  it('409 slow_down for a poll that comes too early, and each makes the interval longer', async () => {
    const begun = await begin()
    expect(reasonOf(await poll(begun))).toEqual([409, 'authorization_pending'])
    inSteps(4.9)
    expect(reasonOf(await poll(begun))).toEqual([409, 'slow_down'])
    inSteps(9.9)
    const early = await poll(begun)
    expect([...reasonOf(early), early.message]).toEqual([409, 'slow_down', 'Wait 15 seconds between two polls'])
    inSteps(15)
    expect(reasonOf(await poll(begun))).toEqual([409, 'authorization_pending'])
  })
  it('401 once rejected, which is in the audit log, and for as long as it lives', async () => {
    const [ana, begun] = [await app.world.user(), await begin()]
    expect((await decide(ana, 'reject', begun)).status).toBe(200)
    for (let times = 0; times < 2; times++) expect(reasonOf(await poll(begun))).toEqual([401, 'access_denied'])
    expect(await entriesOf(ana.userId, 'device_rejected')).toHaveLength(1)
    expect((await decide(ana, 'approve', begun)).status).toBe(404)
  })
  it('401 for an unknown code, and after ten minutes, approved or not; the rows are removed', async () => {
    const [ana, begun, approved] = [await app.world.user(), await begin(), await begin()]
    expect(reasonOf(await poll({ ...begun, device_code: 'x' }))).toEqual([401, 'expired_token'])
    expect(reasonOf(await poll({ ...begun, device_code: begun.user_code }))).toEqual([401, 'expired_token'])
    await decide(ana, 'approve', approved)
    inSteps(601)
    for (const one of [begun, approved]) expect(reasonOf(await poll(one))).toEqual([401, 'expired_token'])
    await app.database.query(`insert into jobs (kind, run_at) values ('auth/remove-over', $1)`, [app.clock.now])
    await app.service.worker.drain()
    expect(await app.database.query('select 1 from device_sign_ins')).toEqual([])
  })
  it('gives tokens once to many polls at a time', async () => {
    const [ana, begun] = [await app.world.user(), await begin()]
    await decide(ana, 'approve', begun)
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(begun)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  })
})

describe('an approval', () => {
  it('counts once: of many at a time one is 200, and the device is of that person', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => app.world.user()))
    const begun = await begin()
    const answers = await Promise.all(people.map((one) => decide(one, 'approve', begun)))
    const winner = people[answers.findIndex(({ status }) => status === 200)]
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404, 404, 404, 404,
    ])
    const { data } = await poll(begun)
    expect((await nobody.get('/auth/me', bearer(data.access_token))).data.id).toBe(winner?.userId)
  })
  it('cannot be taken over, undone or seen by somebody else afterwards', async () => {
    const [ana, eve, begun] = [await app.world.user(), await app.world.user(), await begin()]
    await decide(ana, 'approve', begun)
    for (const act of ACTS) expect((await decide(eve, act, begun)).status).toBe(404)
    expect((await poll(begun)).status).toBe(200)
  })
  it('401 by a key of an organization or of the vendor', async () => {
    const begun = await begin()
    const acme = await app.world.organization()
    const key = await apiKey(app, acme, { permission: 'write', scopes: ['organization'] })
    const vendors = await vendorKey(app, { permissions: ['users:write'] })
    const refused = await Promise.all(
      [as(key), vendors].flatMap((who) => ACTS.map(async (act) => (await decide(who, act, begun)).status)),
    )
    expect(new Set(refused)).toEqual(new Set([401]))
    expect(reasonOf(await poll(begun))).toEqual([409, 'authorization_pending'])
  })
  it('by staff signs in as that person of staff, wherever they are at work', async () => {
    const acme = await app.world.organization()
    const staff = await acme.staffAs('support')
    const begun = await begin()
    expect((await decide(staff, 'approve', begun)).status).toBe(200)
    const { data } = await poll(begun)
    expect((await nobody.get('/auth/me', bearer(data.access_token))).data.id).toBe(staff.userId)
  })
  it('by a member gives a session that is admitted where the member is, and nowhere else', async () => {
    const [acme, other] = [await app.world.organization(), await app.world.organization()]
    const member = await acme.member({ scopes: ['quotes'] })
    const begun = await begin()
    await decide(member, 'approve', begun)
    const headers = bearer((await poll(begun)).data.access_token)
    const statusIn = async (path: string, id: number) =>
      (await nobody.get(path, { ...headers, 'x-service-organization': String(id) })).status
    expect([await statusIn('/quotes', acme.id), await statusIn('/invoices', acme.id)]).toEqual([200, 403])
    expect(await statusIn('/quotes', other.id)).toBe(403)
  })
  it('comes to nothing when its session, or the account, ends before the device asks again', async () => {
    const endings: readonly ((who: Headers, userId: number) => Promise<unknown>)[] = [
      (who) => nobody.post('/auth/logout', undefined, who),
      (who) => nobody.put('/auth/me', { password: 'vento-Lilás 9', current_password: PASSWORD }, who),
      (_who, userId) => app.database.query(`update users set disabled_at = now() where id = $1`, [userId]),
    ]
    for (const end of endings) {
      const { headers, userId } = await scene.registered()
      const begun = await begin()
      expect((await decide(as(headers), 'approve', begun)).status).toBe(200)
      await end(headers, userId)
      expect(reasonOf(await poll(begun))).toEqual([401, 'expired_token'])
    }
  })
  it('carries the second factor that its session has, and none that it has not', async () => {
    const ana = await scene.enrolled()
    const acme = await app.world.organization()
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status, can_manage_org)
       values ($1, $2, $3, 'member', 'accepted', true)`,
      [acme.id, ana.userId, ana.email],
    )
    await app.database.query('update organizations set require_mfa = true where id = $1', [acme.id])
    const first = await begin()
    await decide(as(ana.headers), 'approve', first)
    const headers = bearer((await poll(first)).data.access_token)
    const read = () =>
      nobody.get(`/organizations/${acme.id}`, { ...headers, 'x-service-organization': String(acme.id) })
    expect((await read()).status).toBe(200)
    const [session] = (await nobody.get('/auth/sessions', headers)).data
    expect(session).toMatchObject({ is_current: true, second_factor: 'totp' })
    const bia = await app.world.user()
    const second = await begin()
    await decide(bia, 'approve', second)
    await poll(second)
    expect((await bia.get('/auth/sessions')).data[0]).toMatchObject({ signed_in_by: 'device', second_factor: null })
  })
  it('proves nothing anew: the device’s proof is as old as that of its session', async () => {
    const { headers } = await scene.registered()
    const since = app.clock.now.toISOString()
    inSteps(3600)
    const begun = await begin()
    await decide(as(headers), 'approve', begun)
    await poll(begun)
    const [session] = (await nobody.get('/auth/sessions', headers)).data
    expect([session.signed_in_by, session.authenticated_at]).toEqual(['device', since])
  })
})
