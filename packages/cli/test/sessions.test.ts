// Signing in, profiles, and processes that use one profile at a time.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { until } from '../../../test/harness/until.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import { signOnScene } from '../../../test/scenes/single-sign-on.ts'
import { startOpenidProvider } from '../../../test/stand-ins/openid-provider.ts'
import { profilesOf, type Profile } from '../src/profiles.ts'
import { home, inProcess, start, titular } from './program.ts'

const app = await appOfFile({ listens: true })
const provider = await startOpenidProvider({ redirectUri: `${app.url}/sso` })
afterAll(() => provider.close())
const { registered, enrolled } = secondFactorScene(app)

const DAY_SECONDS = 86_400

type Home = ReturnType<typeof home>
const fileOf = (env: Home, name = 'default'): string => join(env.XDG_CONFIG_HOME, 'titular/profiles', `${name}.json`)
const profileIn = (env: Home, name?: string): Profile => JSON.parse(readFileSync(fileOf(env, name), 'utf8'))
const change = (env: Home, more: (profile: Profile) => Profile): void =>
  writeFileSync(fileOf(env), JSON.stringify(more(profileIn(env))))

const ENTER = ['--url', app.url, '--password-stdin']

/** Signed in with a password. */
async function signedIn(...flags: string[]) {
  const { email } = await registered()
  const env = home()
  const { code, err } = await inProcess(['login', ...ENTER, '--email', email, ...flags], {
    env,
    stdin: `${PASSWORD}\n`,
  })
  expect([code, err]).toEqual([0, expect.stringContaining(`Signed in at ${app.url} as ${email}`)])
  return { email, env }
}
const emailIn = async (env: Home, ...flags: string[]) => {
  const { code, out, err } = await inProcess(['auth', 'get-me', ...flags], { env })
  return code === 0 ? JSON.parse(out).email : [code, err]
}

describe('where profiles are', () => {
  it('is no folder of the place where the program is called', async () => {
    const { HOME, XDG_CONFIG_HOME: config } = { HOME: home().XDG_CONFIG_HOME, ...home() }
    for (const wrong of ['', 'config', '../config']) {
      const env = { HOME, XDG_CONFIG_HOME: wrong }
      const { code } = await inProcess(['login', '--url', app.url, '--with-token'], { env, stdin: 'none\n' })
      expect(code).toBe(3)
      expect(profilesOf(env).names()).toEqual([])
      profilesOf(env).save('mine', { url: app.url, credentials: null })
      expect(profilesOf({ HOME }).names()).toEqual(['mine'])
      profilesOf(env).remove('mine')
    }
    expect(profilesOf({ XDG_CONFIG_HOME: config }).names()).toEqual([])
  })
  it('says of a file that is no profile which one it is, and nothing of what it has', async () => {
    const { env } = await signedIn()
    writeFileSync(fileOf(env), '{"url":"http://127.0.0.1","credentials":{"kind":"token","token":"hunter2}')
    const { code, err } = await inProcess(['whoami'], { env })
    expect([code, err]).toEqual([2, expect.stringContaining(`${fileOf(env)} is no JSON`)])
    expect(err).not.toContain('hunter2')
  })
})

describe('signing in', () => {
  it('keeps the tokens in a file of the person alone', async () => {
    const { email, env } = await signedIn()
    expect(await emailIn(env)).toBe(email)
    expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600)
    expect(statSync(join(fileOf(env), '..')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(fileOf(env), '..'))).toEqual(['default.json'])
    expect((await inProcess(['profile', 'list'], { env })).out).not.toContain('token"')
  })
  it('with a code where the account has an app', async () => {
    const { email, code } = await enrolled()
    const env = home()
    const args = ['login', ...ENTER, '--email', email]
    const without = await inProcess(args, { env, stdin: PASSWORD })
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('Give --code')])
    expect((await inProcess([...args, '--code', code()], { env, stdin: PASSWORD })).code).toBe(0)
    expect(await emailIn(env)).toBe(email)
  })
  it('says what is wrong, and leaves the profile of before', async () => {
    const { email, env } = await signedIn()
    const wrong = await inProcess(['login', ...ENTER, '--email', email], { env, stdin: 'no' })
    expect(wrong.code).toBe(3)
    expect((await inProcess(['login', '--url', app.url, '--email', email], { env })).code).toBe(2)
    expect(await emailIn(env)).toBe(email)
  })
  it('with an API key, or a token of somebody else', async () => {
    const acme = await app.world.organization()
    const { data } = await acme.owner.post('/auth/api-keys', { name: 'ERP', scopes: ['tickets'] })
    const env = home()
    const key = ['login', '--url', app.url, '--profile', 'erp', '--key-id', data.consumer_key]
    const secret = data.consumer_secret
    expect((await inProcess(key, { env: { ...env, TITULAR_SECRET: secret } })).code).toBe(0)
    expect((await inProcess(key, { env, stdin: `${secret}\n` })).code).toBe(0)
    // Other users of the machine would see it in the list of processes.
    expect((await inProcess([...key, '--key-secret', secret], { env })).code).toBe(2)
    expect((await inProcess(['tickets', 'list'], { env })).out).toBe('[]\n')
    const token = await inProcess(['login', '--url', app.url, '--with-token'], { env, stdin: `${acme.owner.token}\n` })
    expect([token.code, profileIn(env, 'erp').credentials]).toEqual([0, expect.objectContaining({ kind: 'token' })])
    const bad = await inProcess(['login', '--url', app.url, '--with-token'], { env, stdin: 'x' })
    expect(bad.code).toBe(3)
  })
  it('by single sign-on in the browser, whose answer comes to this machine', async () => {
    const { person } = await signOnScene(app).connected(provider)
    const ana = person('ana')
    const env = home()
    const child = await start(['login', '--url', app.url, '--sso', '--no-browser', '--email', ana.email ?? ''], env)
    const [url = ''] = await until(
      () => /http\S+authorize?\S*|http\S+state=\S+/.exec(child.err()) ?? [],
      (found) => found.length > 0,
      child.err,
    )
    const { state = '', code = '', iss = '' } = await provider.visit(url, ana)
    const port = state.split('.').at(-1)
    // Whoever does not know the state is not listened to.
    expect((await fetch(`http://127.0.0.1:${port}/?state=other&code=x`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/favicon.ico`)).status).toBe(404)
    const page = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ state, code, iss }).toString()}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('close this window')])
    expect(await child.ended).toMatchObject({ code: 0, err: expect.stringContaining(`as ${ana.email}`) })
    expect(await emailIn(env)).toBe(ana.email)
  })
  it('names the other way where no browser can be opened', async () => {
    const { person } = await signOnScene(app).connected(provider)
    const args = ['login', '--url', app.url, '--sso', '--email', person('ana').email ?? '']
    const child = await start(args, { ...home(), PATH: '/nowhere' })
    await until(child.err, (err) => err.includes('titular login --device'), child.err)
    child.child.kill('SIGINT')
    expect((await child.ended).code).toBe(130)
  })
})

describe('profiles', () => {
  it('are chosen, changed and removed', async () => {
    const { env, email } = await signedIn('--profile', 'one', '--organization', '7', '--language', 'pt-BR')
    await inProcess(['login', ...ENTER, '--email', (await registered()).email, '--profile', 'two'], {
      env,
      stdin: PASSWORD,
    })
    const list = async () => JSON.parse((await inProcess(['profile', 'list'], { env })).out)
    expect(await list()).toMatchObject([
      { name: 'one', current: false, url: app.url, organization: 7, language: 'pt-BR', signed_in_by: 'session' },
      { name: 'two', current: true },
    ])
    expect(await emailIn(env, '--profile', 'one')).toBe(email)
    expect((await inProcess(['profile', 'use', 'one', '--organization', '8'], { env })).err).toContain('organization 8')
    expect(await emailIn(env)).toBe(email)
    expect((await inProcess(['profile', 'remove', 'two'], { env })).code).toBe(0)
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['one'])
    for (const args of [['use', 'three'], ['remove', 'tow'], ['use'], ['rename', 'one'], ['use', 'one', 'x']])
      expect((await inProcess(['profile', ...args], { env })).code).toBe(2)
  })
  it('end with logout, at the service too', async () => {
    const { env } = await signedIn()
    const { credentials } = profileIn(env)
    const token = credentials?.kind === 'session' ? credentials.tokens?.access_token : ''
    expect((await inProcess(['logout'], { env })).code).toBe(0)
    expect(profileIn(env).credentials).toBeNull()
    expect((await app.world.anonymous.get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(401)
    expect(await emailIn(env)).toEqual([3, expect.stringContaining('titular login')])
    expect((await inProcess(['logout'], { env })).code).toBe(0)
  })
  it('give their credentials to their own service alone', async () => {
    const { env } = await signedIn()
    const elsewhere = app.url.replace('127.0.0.1', 'localhost')
    expect(await emailIn(env, '--url', elsewhere)).toEqual([3, expect.any(String)])
    expect(await emailIn(env, '--url', `${app.url}/api/v1/`)).toEqual(expect.stringContaining('@'))
  })
})

const ended = (profile: Profile): Profile =>
  profile.credentials?.kind === 'session' && profile.credentials.tokens
    ? {
        ...profile,
        credentials: { ...profile.credentials, tokens: { ...profile.credentials.tokens, expires_at: 0 } },
      }
    : profile

describe('processes that use one profile', () => {
  it('renew its tokens at the same time, and none signs the others out', async () => {
    const { email, env } = await signedIn()
    for (let round = 0; round < 3; round++) {
      change(env, ended)
      const all = await Promise.all(
        Array.from({ length: 6 }, () => titular(['auth', 'get-me', '--columns', 'email'], env)),
      )
      expect(all.map(({ code, out }) => [code, JSON.parse(out || 'null')])).toEqual(all.map(() => [0, { email }]))
      app.clock.advance(60)
    }
    expect(await emailIn(env)).toBe(email)
  })
  it('take what another one renewed, long after', async () => {
    const { profileSession } = await import('../src/profile-session.ts')
    const { createTitular, getMe } = await import('@titular/sdk')
    const { email, env } = await signedIn()
    const { credentials } = profileIn(env)
    const id = credentials?.kind === 'session' ? credentials.id : ''
    const long = createTitular({ baseUrl: app.url, credentials: profileSession(profilesOf(env), 'default', id) })
    expect((await long.call(getMe)).email).toBe(email)
    for (let round = 0; round < 3; round++) {
      // The tokens that the long one holds end; another process renews them, and the old ones work no more.
      app.clock.advance(DAY_SECONDS)
      change(env, ended)
      expect(await emailIn(env)).toBe(email)
      app.clock.advance(60)
      expect((await long.call(getMe)).email).toBe(email)
    }
    expect((await inProcess(['logout'], { env })).code).toBe(0)
    await expect(long.call(getMe)).rejects.toThrow(/ended|signed|token/i)
  })
  it('stop when somebody else signs in meanwhile', async () => {
    const { profileSession } = await import('../src/profile-session.ts')
    const { createTitular, getMe } = await import('@titular/sdk')
    const { env } = await signedIn()
    const { credentials } = profileIn(env)
    const id = credentials?.kind === 'session' ? credentials.id : ''
    const long = createTitular({ baseUrl: app.url, credentials: profileSession(profilesOf(env), 'default', id) })
    await long.call(getMe)
    const other = await registered()
    await inProcess(['login', ...ENTER, '--email', other.email], { env, stdin: PASSWORD })
    app.clock.advance(DAY_SECONDS)
    await expect(long.call(getMe)).rejects.toThrow('signed in again meanwhile')
    expect(await emailIn(env)).toBe(other.email)
  })
})
