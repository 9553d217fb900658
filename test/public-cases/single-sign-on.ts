// Identity providers as they are: Microsoft Entra ID, Keycloak, and first set-ups with a mistake in them.
import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { PUBLIC_URL, signOnScene } from '#test/scenes/single-sign-on.ts'
import { type FalseAnswer, startFalseProvider } from '#test/stand-ins/false-openid-provider.ts'
import type { PublicCase, ReadInput } from './public-case.ts'

type Provider = Awaited<ReturnType<typeof startFalseProvider>>
type Scene = { app: TestApp; provider: Provider; signIn: Awaited<ReturnType<typeof sceneAt>>['signIn'] }

/** An organization whose connection has the domain `acme.example`, proven by DNS. */
async function sceneAt(app: TestApp, provider: Provider) {
  const scene = signOnScene(app)
  const organization = await app.world.organization()
  await scene.prove(organization, 'acme.example')
  const { id } = await scene.connect(organization, provider, 'acme.example')
  async function signIn(answer: FalseAnswer) {
    // What it says of itself is read once, at the beginning.
    provider.answers(answer.userinfo ? { userinfo: answer.userinfo } : {})
    const { url, headers } = await scene.begin('ana@acme.example')
    provider.opened(url)
    provider.answers(answer)
    const state = new URL(url).searchParams.get('state')
    return app.world.anonymous.post('/auth/session/sso', { state, code: 'c', iss: provider.issuer }, headers)
  }
  return { organization, id, signIn }
}

async function withProvider(run: (scene: Scene & Awaited<ReturnType<typeof sceneAt>>) => Promise<void>): Promise<void> {
  const provider = await startFalseProvider()
  const app = await startApp({ environment: { PUBLIC_URL } })
  try {
    await run({ app, provider, ...(await sceneAt(app, provider)) })
  } finally {
    await app.close()
    await provider.close()
  }
}

/** Over those that the stand-in gives by itself, an address that it vouches for. */
function claimsOf(read: ReadInput, file: string): Record<string, unknown> {
  const { note: _note, ...claims } = read.json(file)
  return { email: undefined, email_verified: undefined, ...claims }
}

export const singleSignOnCases: PublicCase[] = [
  {
    name: 'entra-no-email-verified',
    expected: 'an address counts without email_verified where Entra ID, or the owner for the provider, answers for it',
    standard: 'OpenID Connect Core 5.1; Microsoft identity platform, ID token claims',
    check: (read) =>
      withProvider(async ({ organization, id, signIn }) => {
        const claims = claimsOf(read, 'id-token.json')
        expect((await signIn({ claims })).errors?.reason).toBe('sso_email_unverified')
        const path = `/sso/connections/${id}`
        expect((await organization.owner.patch(path, { trusts_email: true })).data.trusts_email).toBe(true)
        const refused = await signIn({ claims: { ...claims, email_verified: false } })
        expect([refused.status, refused.errors?.reason]).toEqual([401, 'sso_email_unverified'])
        expect((await signIn({ claims })).data.user).toMatchObject({ email: 'ana@acme.example', name: 'Ana Souza' })
        await organization.owner.patch(path, { trusts_email: false })
        const vouched = { ...claimsOf(read, 'id-token-xms_edov.json'), sub: 'another', email: 'bia@acme.example' }
        expect((await signIn({ claims: { ...vouched, xms_edov: false } })).status).toBe(401)
        expect((await signIn({ claims: vouched })).status).toBe(200)
      }),
  },
  {
    name: 'name-in-id-token',
    expected: 'claims of the ID token and of the userinfo endpoint count together',
    standard: 'OpenID Connect Core 5.4',
    check: (read) =>
      withProvider(async ({ signIn }) => {
        const userinfo = read.json('userinfo.json')
        const answer = await signIn({ claims: claimsOf(read, 'id-token.json'), userinfo })
        expect(answer.data.user).toMatchObject({ email: 'ana@acme.example', name: 'Ana Souza' })
        const other = { ...userinfo, sub: 's-3', email: 'bia@acme.example' }
        // Verified is the other address, not that of the token.
        const spread = { sub: 's-3', email: 'eva@acme.example', email_verified: undefined }
        expect((await signIn({ claims: spread, userinfo: other })).errors?.reason).toBe('sso_email_unverified')
      }),
  },
  {
    name: 'why-refused',
    expected: 'a wrong client secret stands in the audit log and in the log of the service, not in the answer',
    standard: 'RFC 6749, 5.2',
    check: (read) =>
      withProvider(async ({ app, organization, signIn }) => {
        const answer = await signIn(read.json('token-endpoint-answer.json'))
        expect([answer.status, answer.errors?.reason]).toEqual([401, 'sso_refused'])
        expect(answer.raw.body).not.toContain('invalid_client')
        const { data } = await organization.owner.get('/audit-log?action=refused')
        expect(data[0].changes.after.reason).toContain('invalid_client: Invalid client secret provided.')
        const all = await organization.staff.get('/admin/audit-log?log=service&action=sign_in_refused')
        expect(JSON.stringify(all.data[0])).toContain('invalid_client')
        expect(app.log.join('')).toContain('invalid_client')
      }),
  },
  {
    name: 'issuer-not-checked',
    expected: 'an issuer for the accounts of all companies is refused, and one that calls itself otherwise is named',
    standard: 'OpenID Connect Discovery 4.3',
    check: (read) =>
      withProvider(async ({ app, provider, organization, id }) => {
        const connection = read.json('connection.json')
        const make = (issuer: string) => organization.owner.post('/sso/connections', { ...connection, issuer })
        for (const tenant of ['common', 'organizations', 'consumers', 'Common', '{tenantid}']) {
          const issuer = connection.issuer.replace('common', tenant)
          expect(Object.keys((await make(issuer)).errors?.fields ?? {}), issuer).toEqual(['issuer'])
          const changed = await organization.owner.patch(`/sso/connections/${id}`, { issuer })
          expect(changed.status, issuer).toBe(422)
        }
        const { issuer } = read.json('connection-slash.json')
        provider.answers({ discovery: { issuer } })
        const begun = await app.world.anonymous.post('/auth/sso', { email: 'ana@acme.example' })
        expect([begun.status, begun.message]).toEqual([503, expect.stringContaining(`calls itself ${issuer};`)])
      }),
  },
]
