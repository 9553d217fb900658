// Sign-in by another device: the address and the code, the polls, and what ends them; recovery codes, which no flag
// takes.
import { createTitular, tokenSession, type TokenSession } from '@titular/sdk'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { until } from '../../../test/harness/until.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import type { Console } from '../src/console.ts'
import { signInByDevice } from '../src/device.ts'
import { type Child, consoleOf, home, inProcess, start } from './program.ts'

const app = await appOfFile({ listens: true })
const { enrolled } = secondFactorScene(app)

const LOGIN = ['login', '--url', app.url, '--device']
const codeIn = (text: string): string => /\b[A-Z]{4}-[A-Z]{4}\b/.exec(text)?.[0] ?? ''

/** A process that waits; its code. */
async function waiting(env: ReturnType<typeof home>): Promise<{ child: Child; user_code: string }> {
  const child = await start(LOGIN, env)
  const user_code = await until(() => codeIn(child.err()), Boolean, child.err)
  return { child, user_code }
}

type Poll = (console: Console, session: TokenSession, pause: (ms: number) => Promise<void>) => Promise<void>
/** In this process, with pauses of the test. */
const poll: Poll = (console, credentials, pause) =>
  signInByDevice(console, createTitular({ baseUrl: app.url, credentials }), credentials, pause)

describe('titular login --device', () => {
  it('signs in with pipes alone once somebody approves, and keeps the session in the profile', async () => {
    const ana = await app.world.user()
    const env = home()
    const { child, user_code } = await waiting(env)
    expect(child.err()).toContain(`${app.url}/app/device?user_code=${user_code}`)
    expect((await ana.post('/auth/device/check', { user_code })).data.device).toBe('titular-cli')
    expect((await ana.post('/auth/device/approve', { user_code })).status).toBe(200)
    const { code, out, err } = await child.ended
    expect([code, out, err]).toEqual([0, '', expect.stringContaining(`Signed in at ${app.url} as ${ana.email}`)])
    const me = await inProcess(['auth', 'get-me'], { env })
    expect(JSON.parse(me.out).email).toBe(ana.email)
    expect((await ana.get('/auth/sessions')).data[0]).toMatchObject({ signed_in_by: 'device', is_browser: false })
  })
  it('ends on Ctrl-C with 130, and makes no profile', async () => {
    const env = home()
    const { child } = await waiting(env)
    child.child.kill('SIGINT')
    expect((await child.ended).code).toBe(130)
    expect((await inProcess(['profile', 'list', '--format', 'json'], { env })).out).toBe('[]\n')
  })
  it('3 when the person does not let it in, in the words of the service', async () => {
    const ana = await app.world.user()
    const { child, user_code } = await waiting(home())
    expect((await ana.post('/auth/device/reject', { user_code })).status).toBe(200)
    expect(await child.ended).toMatchObject({ code: 3, err: expect.stringContaining('access_denied') })
  })
  it('waits five seconds more each time that the service asks for it', async () => {
    const [ana, session, { console, parts }] = [await app.world.user(), tokenSession(), consoleOf()]
    const pauses: number[] = []
    await poll(console, session, async (ms) => {
      pauses.push(ms / 1000)
      const user_code = codeIn(parts.err)
      if (pauses.length === 4) await ana.post('/auth/device/approve', { user_code })
      // The clock of the service stands still, so the second poll comes too early.
      if (pauses.length > 2) app.clock.advance(ms / 1000)
    })
    expect(pauses).toEqual([5, 5, 10, 10])
    expect(session.tokens).not.toBeNull()
  })
  it('says that the code has expired', async () => {
    const [session, { console }] = [tokenSession(), consoleOf()]
    const waits = poll(console, session, async () => app.clock.advance(301))
    await expect(waits).rejects.toMatchObject({ status: 401, reason: 'expired_token' })
    expect(session.tokens).toBeNull()
  })
  it('goes on while the service cannot be reached, no longer than the code lives', async () => {
    const [session, { console }] = [tokenSession(), consoleOf()]
    let polls = 0
    const titular = createTitular({
      baseUrl: app.url,
      credentials: session,
      fetch: async (...request) => {
        if (new Request(...request).url.endsWith('/auth/device')) return fetch(...request)
        polls++
        throw new TypeError('fetch failed')
      },
    })
    await expect(signInByDevice(console, titular, session, async () => {})).rejects.toThrow('no answer')
    // 5, 10, 15 … seconds: the fifteenth pause ends ten minutes.
    expect(polls).toBe(15)
  })
})

describe('a recovery code', () => {
  it('is taken from TITULAR_CODE, and by no flag', async () => {
    const { email, recoveryCodes, code } = await enrolled()
    const [env, recovery = ''] = [home(), recoveryCodes[0]]
    const args = ['login', '--url', app.url, '--password-stdin', '--email', email]
    const byFlag = await inProcess([...args, '--code', recovery], { env, stdin: PASSWORD })
    expect([byFlag.code, byFlag.err]).toEqual([2, expect.stringContaining('TITULAR_CODE')])
    expect(byFlag.err).not.toContain(recovery)
    for (const TITULAR_CODE of [recovery, code()])
      expect((await inProcess(args, { env: { ...env, TITULAR_CODE }, stdin: PASSWORD })).code).toBe(0)
  })
})
