// People with an authenticator app, and the app itself: RFC 4226 and 6238 by node:crypto, apart from the library of the service.
import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Headers } from '#test/harness/world.ts'

export const PASSWORD = 'vento-Lilás 7'
export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** The code that an app shows, by the base32 secret. */
export function codeAt(secret: string, now: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 30_000)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A code that does not count at that time. */
export function wrongCode(secret: string, now: Date): string {
  const right = [-30, 0, 30].map((seconds) => codeAt(secret, new Date(now.getTime() + seconds * 1000)))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}

export type Enrolled = {
  email: string
  userId: number
  secret: string
  recoveryCodes: string[]
  /** Of the session that set the app up. */
  headers: Headers
  /** The code of the next step, so that each call gives one that counts. */
  code: () => string
  login: (headers?: Headers) => Promise<Answer>
  /** The second step. */
  answer: (challenge: string, more: object, headers?: Headers) => Promise<Answer>
}

let count = 0

export function secondFactorScene(app: TestApp) {
  const { anonymous: nobody } = app.world

  async function registered(): Promise<{ email: string; headers: Headers; userId: number }> {
    const email = `factor${++count}@example.com`
    const { data } = await nobody.post('/auth/register', { email, password: PASSWORD, name: 'Ana' })
    const headers = bearer(data.access_token)
    return { email, headers, userId: (await nobody.get('/auth/me', headers)).data.id }
  }

  /** The account gets an app. */
  async function enroll(who: Awaited<ReturnType<typeof registered>>): Promise<Enrolled> {
    const begun = await nobody.post('/auth/mfa/totp', { current_password: PASSWORD }, who.headers)
    expect(begun.status).toBe(201)
    const { secret } = begun.data
    const next = () => {
      app.clock.advance(30)
      return codeAt(secret, app.clock.now)
    }
    const confirmed = await nobody.post('/auth/mfa/totp/confirm', { code: next() }, who.headers)
    expect(confirmed.status).toBe(200)
    return {
      ...who,
      secret,
      recoveryCodes: confirmed.data.recovery_codes,
      code: next,
      login: (headers) => nobody.post('/auth/login', { email: who.email, password: PASSWORD }, headers),
      answer: (challenge, more, headers) => nobody.post('/auth/login/second-factor', { challenge, ...more }, headers),
    }
  }

  const enrolled = async (): Promise<Enrolled> => enroll(await registered())

  return { registered, enroll, enrolled }
}
