// A real OpenID provider (npm's oidc-provider) on the loopback, and a browser that signs in there as whom a test names.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { listen } from '#test/harness/listen.ts'

export type Person = { sub: string; email?: string; email_verified?: boolean; name?: string; amr?: string[] }

export type OpenidProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Opens the address as a browser does, signs in, and gives the parameters of the redirect to the service. */
  visit(authorizationUrl: string, person: Person): Promise<Record<string, string>>
  /** What reached it, as `GET /path`. */
  requests: string[]
  /** Answers 500 from now on. */
  fail(isFailing: boolean): void
  close(): Promise<void>
}

// One key for all, since generating one takes most of a second.
const KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'of-the-tests',
}

type Options = { redirectUri: string; clientId?: string; isThin?: boolean }

/** `isThin`: the address is not in ID tokens, only behind the access token. */
export async function startOpenidProvider({ redirectUri, clientId = 'titular', isThin = false }: Options) {
  const people = new Map<string, Person>()
  const clientSecret = `secret-${randomUUID()}`
  const requests: string[] = []
  let current: Person = { sub: 'nobody' }
  let isFailing = false
  let provider: Provider | undefined
  const { url: issuer, close } = await listen(async (request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (isFailing) return void response.writeHead(500).end('down')
    if (!request.url?.startsWith('/interaction')) return provider?.callback()(request, response)
    const { sub: accountId, amr } = current
    await provider?.interactionFinished(request, response, { login: { accountId, amr, remember: false } })
  })
  const address = ['email', 'email_verified', 'name']
  const made = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: isThin,
    cookies: { keys: ['of-the-tests'] },
    jwks: { keys: [KEY] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: async (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: async (use: string) => {
        const person = people.get(sub)
        const hidden = isThin && use === 'id_token' ? address : []
        return Object.fromEntries(Object.entries(person ?? {}).filter(([name]) => !hidden.includes(name)))
      },
    }),
    loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new made.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider = made

  async function visit(authorizationUrl: string, person: Person): Promise<Record<string, string>> {
    current = person
    people.set(person.sub, person)
    const cookies = new Map<string, string>()
    let url = authorizationUrl
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reached = await fetch(url, { redirect: 'manual', headers: { cookie } })
      for (const set of reached.headers.getSetCookie()) {
        const [pair = ''] = set.split(';')
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      const location = reached.headers.get('location')
      if (location === null) throw new Error(`the provider answers ${reached.status}: ${await reached.text()}`)
      url = new URL(location, url).href
      if (url.startsWith(redirectUri)) return Object.fromEntries(new URL(url).searchParams)
    }
    throw new Error('the provider redirects without end')
  }
  const fail = (failing: boolean) => void (isFailing = failing)
  return { issuer, clientId, clientSecret, visit, requests, fail, close } satisfies OpenidProvider
}
