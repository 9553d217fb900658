// Answers of a provider that is wrong, false or slow; modules/identity/sso has the sign-ins at a real one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProviderUnavailable, RefusedSignOn, type SignOnRequest } from '#ports/single-sign-on.ts'
import { type FalseAnswer, startFalseProvider } from '#test/stand-ins/false-openid-provider.ts'
import { createOpenidConnect } from './openid-connect.ts'

const asked: SignOnRequest = {
  redirectUri: 'https://titular.example/sso',
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
}
let provider: Awaited<ReturnType<typeof startFalseProvider>>
let other: typeof provider
let sso: ReturnType<typeof createOpenidConnect>

beforeAll(async () => {
  provider = await startFalseProvider()
  other = await startFalseProvider()
})
beforeEach(() => {
  provider.answers({})
  sso = createOpenidConnect({ loopback: true, timeoutMs: 20_000 })
})
afterAll(async () => {
  await provider.close()
  await other.close()
})

const right = { state: asked.state, code: 'c' }
async function finish(answer: FalseAnswer = {}, returned: object = {}) {
  provider.opened(await sso.begin(provider, asked, 'ana@acme.example'))
  provider.answers(answer)
  return sso.finish(provider, asked, { ...right, iss: provider.issuer, ...returned })
}
const refused = (answer: FalseAnswer): Promise<string> =>
  finish(answer).then(
    () => 'accepted',
    ({ message }: Error) => message,
  )
const now = () => Math.floor(Date.now() / 1000)

describe('the answer of a provider', () => {
  it('that is right gives who has signed in; the code goes with the verifier', async () => {
    expect(await finish({ claims: { amr: ['pwd', 'mfa'], name: 'Ana' } })).toEqual({
      issuer: provider.issuer,
      subject: 'ana',
      email: 'ana@acme.example',
      isEmailVerified: true,
      name: 'Ana',
      hasTwoFactors: true,
    })
    expect(Object.fromEntries(provider.exchanged.at(-1) ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: asked.codeVerifier,
      redirect_uri: asked.redirectUri,
    })
  })
  it.each<[string, FalseAnswer]>([
    ['issuer', { claims: { iss: 'https://login.evil.example' } }],
    ['issuer, with a slash', { claims: { iss: 'http://127.0.0.1/' } }],
    ['nonce', { claims: { nonce: 'x'.repeat(43) } }],
    ['nonce, which is missing', { claims: { nonce: undefined } }],
    ['audience', { claims: { aud: 'another-client' } }],
    ['audience among others, without azp', { claims: { aud: ['titular', 'another'] } }],
    ['authorized party', { claims: { azp: 'another-client' } }],
    ['subject, which is missing', { claims: { sub: undefined } }],
    ['subject, which is empty', { claims: { sub: '' } }],
    ['subject, which is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['expiry', { claims: { exp: now() - 120 } }],
    ['time of issue, which is missing', { claims: { iat: undefined } }],
    ['key', { isForged: true }],
    ['algorithm none', { algorithm: 'none' }],
    ['algorithm HS256, by the client secret', { algorithm: 'HS256' }],
    ['ID token, which is missing', { body: { access_token: 'a', token_type: 'Bearer' } }],
    ['ID token, which is no token', { body: { access_token: 'a', token_type: 'Bearer', id_token: 'x' } }],
    ['body', { body: [] }],
  ])('with a wrong %s is refused', async (_what, answer) => {
    await expect(finish(answer)).rejects.toThrow(RefusedSignOn)
  })
  it('is refused when the code was used, or the person said no', async () => {
    await expect(finish({ status: 400, body: { error: 'invalid_grant' } })).rejects.toThrow(RefusedSignOn)
    const no = { code: undefined, error: 'access_denied' }
    await expect(finish({}, no)).rejects.toThrow(RefusedSignOn)
    await expect(finish({}, { code: undefined })).rejects.toThrow(RefusedSignOn)
  })
  it('is refused when another provider has sent the browser, or the answer does not say which', async () => {
    const before = provider.exchanged.length
    for (const iss of [other.issuer, `${provider.issuer}/`, undefined, ''])
      await expect(finish({}, { iss })).rejects.toThrow(RefusedSignOn)
    await expect(finish({}, { state: 'x'.repeat(43) })).rejects.toThrow(RefusedSignOn)
    // No code left this service.
    expect(provider.exchanged).toHaveLength(before)
  })
  it('is refused with its cause, as the provider and the standard call it', async () => {
    const wrongSecret = { error: 'invalid_client', error_description: 'Invalid client secret provided.' }
    expect(await refused({ status: 401, body: wrongSecret })).toContain(
      'invalid_client: Invalid client secret provided.',
    )
    expect(await refused({ claims: { exp: now() - 120 } })).toContain('"exp"')
    expect(await refused({ algorithm: 'HS256' })).toContain('alg')
    expect(await refused({ claims: { aud: 'another-client' } })).toContain('"aud"')
  })
  it('may come from a clock that differs by half a minute', async () => {
    expect(await finish({ claims: { exp: now() - 10, iat: now() + 10 } })).toMatchObject({ subject: 'ana' })
  })
  it('vouches for an address by true, also as text; nothing else does, and what is absent is told from what is false', async () => {
    const said = async (claims: object) => (await finish({ claims: { ...claims } })).isEmailVerified
    for (const email_verified of [true, 'true']) expect(await said({ email_verified })).toBe(true)
    for (const email_verified of [false, 'false', 1, 'yes', {}])
      expect(await said({ email_verified, xms_edov: true })).toBe(false)
    for (const email_verified of [null, undefined]) {
      expect(await said({ email_verified })).toBeNull()
      expect(await said({ email_verified, xms_edov: true })).toBe(true)
      expect(await said({ email_verified, xms_edov: false })).toBeNull()
    }
    expect(await finish({ claims: { amr: 'mfa' } })).toMatchObject({ hasTwoFactors: false })
  })
})

describe('a provider', () => {
  it.each<[string, FalseAnswer]>([
    ['has another issuer', { discovery: { issuer: 'https://login.evil.example' } }],
    ['has an issuer for all tenants', { discovery: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' } }],
    ['has no addresses', { discovery: { authorization_endpoint: undefined, token_endpoint: undefined } }],
    ['has a script for an address', { discovery: { authorization_endpoint: 'javascript:alert(1)//' } }],
    ['answers too much', { discovery: { filler: 'x'.repeat(1_100_000) } }],
  ])('that %s is unavailable', async (_what, answer) => {
    provider.answers(answer)
    await expect(sso.begin(provider, asked, 'ana@acme.example')).rejects.toThrow(ProviderUnavailable)
    provider.answers({})
    expect(await sso.begin(provider, asked, 'ana@acme.example')).toContain(provider.issuer)
  })
  it('that hangs is unavailable', async () => {
    const hasty = createOpenidConnect({ loopback: true, timeoutMs: 200 })
    provider.answers({ hangs: true })
    await expect(hasty.begin(provider, asked, 'ana@acme.example')).rejects.toThrow(ProviderUnavailable)
    await hasty.close()
  })
  it('that fails is unavailable, not one that refuses', async () => {
    await expect(finish({ status: 502, body: {} })).rejects.toThrow(ProviderUnavailable)
  })
  it.each(['http://10.0.0.7', 'http://169.254.169.254', 'http://[fd00::1]', 'http://0.0.0.0'])(
    'at the private address %s is never asked',
    async (issuer) => {
      const started = sso.begin({ ...provider, issuer }, asked, 'ana@acme.example')
      await expect(started).rejects.toThrow(ProviderUnavailable)
    },
  )
  it.each([
    ['keys', { jwks_uri: 'http://10.0.0.7/jwks' }],
    ['tokens', { token_endpoint: 'http://169.254.169.254/latest/meta-data' }],
    ['keys, by a name for a private address', { jwks_uri: 'http://[::ffff:10.0.0.7]/jwks' }],
  ])('whose %s are at a private address is never asked for them', async (_what, discovery) => {
    provider.answers({ discovery })
    provider.opened(await sso.begin(provider, asked, 'ana@acme.example'))
    await expect(sso.finish(provider, asked, { ...right, iss: provider.issuer })).rejects.toThrow(ProviderUnavailable)
  })
  it('that sends on to another address is not followed', async () => {
    provider.answers({ location: `${other.issuer}/.well-known/openid-configuration` })
    await expect(sso.begin(provider, asked, 'ana@acme.example')).rejects.toThrow(ProviderUnavailable)
  })
  it('on this machine is asked in the sandbox only, and never without TLS elsewhere', async () => {
    const strict = createOpenidConnect({ loopback: false })
    await expect(strict.begin(provider, asked, 'ana@acme.example')).rejects.toThrow(ProviderUnavailable)
    const named = { ...provider, issuer: provider.issuer.replace('http:', 'https:') }
    await expect(strict.begin(named, asked, 'ana@acme.example')).rejects.toThrow(ProviderUnavailable)
    await strict.close()
  })
})
