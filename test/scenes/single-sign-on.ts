// Organizations with an identity provider, and people who sign in by it.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Headers, Organization } from '#test/harness/world.ts'
import type { OpenidProvider, Person } from '#test/stand-ins/openid-provider.ts'

export const REDIRECT_URI = 'http://127.0.0.1:4999/sso'
/** The service is there for its settings only; tests send their requests without a network. */
export const PUBLIC_URL = 'http://127.0.0.1:4999'

let count = 0

/** What an owner has to know of a provider. */
type Registration = Pick<OpenidProvider, 'issuer' | 'clientId' | 'clientSecret'>

async function connect(organization: Organization, provider: Registration, domain: string, more: object = {}) {
  const made = await organization.owner.post('/sso/connections', {
    name: 'Login',
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    domains: [domain],
    ...more,
  })
  expect(made.status).toBe(201)
  return made.data as { id: number }
}

/** The headers of the session that an answer opened. */
const sessionOf = (answer: Answer): Headers => ({ cookie: cookiesOf(answer), 'x-service-nonce': answer.data.nonce })

export function signOnScene(app: TestApp) {
  const { anonymous: nobody } = app.world

  /** Proven as POST /sites/{id}/verify would. */
  async function prove(organization: Organization, domain: string, method = 'dns'): Promise<number> {
    const [site] = await app.database.query<{ id: number }>(
      `insert into sites (organization_id, domain, name, challenge, verification_status, verification_method, verified_at)
       values ($1, $2, $2, 'c', 'verified', $3, $4) returning id`,
      [organization.id, domain, method, app.clock.now],
    )
    return site?.id ?? 0
  }

  /** An organization whose domain is proven and connected. */
  async function connected(provider: OpenidProvider, more: object = {}) {
    const organization = await app.world.organization()
    const domain = `acme${++count}.example`
    const site = await prove(organization, domain)
    const { id } = await connect(organization, provider, domain, more)
    const person = (name: string, also: Partial<Person> = {}): Person => ({
      sub: `${name}-${domain}`,
      email: `${name}@${domain}`,
      email_verified: true,
      name: 'Ana Souza',
      ...also,
    })
    return { organization, domain, site, id, person, path: `/sso/connections/${id}` }
  }

  async function begin(email: string, more: object = {}) {
    const begun = await nobody.post('/auth/sso', { email, ...more })
    expect(begun.status).toBe(201)
    return { url: String(begun.data.authorization_url), headers: { cookie: cookiesOf(begun) } }
  }

  /** All of it, as a browser does. */
  async function signIn(provider: OpenidProvider, person: Person, headers: Headers = {}): Promise<Answer> {
    const begun = await begin(person.email ?? '')
    const { state = '', code = '', iss = '' } = await provider.visit(begun.url, person)
    return nobody.post('/auth/session/sso', { state, code, iss }, { ...headers, ...begun.headers })
  }

  return { prove, connect, connected, begin, signIn, sessionOf }
}

/** What a browser sends back. */
export const cookiesOf = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((set) => set.split(';')[0])
    .join('; ')
