// An OpenID provider that answers what a test wants, also what no provider may answer.
import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, SignJWT } from 'jose'
import { listen } from '#test/harness/listen.ts'

export type FalseAnswer = {
  /** Over the claims that would be right. */
  claims?: Record<string, unknown>
  /** Signs with a key that is not among the provider's. */
  isForged?: boolean
  algorithm?: string
  status?: number
  body?: unknown
  /** In place of the provider's own description. */
  discovery?: Record<string, unknown>
  /** What it says of the person behind the access token. */
  userinfo?: Record<string, unknown>
  hangs?: boolean
  /** Sends every request on to there. */
  location?: string
}

const [own, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))

const atOnce = async (): Promise<void> => {}

export async function startFalseProvider(clientId = 'titular') {
  let answer: FalseAnswer = {}
  let nonce = ''
  let issuer = ''
  const exchanged: URLSearchParams[] = []
  let hold = atOnce

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const { claims = {}, isForged = false, algorithm = 'RS256' } = answer
    const right = { iss: issuer, aud: clientId, sub: 'ana', iat: now, exp: now + 60, nonce }
    const person = { email: 'ana@acme.example', email_verified: true }
    const payload = Object.fromEntries(
      Object.entries({ ...right, ...person, ...claims }).filter(([, value]) => value !== undefined),
    )
    if (algorithm === 'none')
      return [{ alg: 'none' }, payload, '']
        .map((part) => part && Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
    const key = algorithm.startsWith('HS') ? Buffer.alloc(32, 'of-the-client') : (isForged ? other : own)?.privateKey
    if (!key) throw new Error('no key')
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid: 'k' }).sign(key)
  }

  const server = await listen(async (request, response) => {
    const send = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (answer.hangs) return
    if (answer.location) return void response.writeHead(302, { location: answer.location }).end()
    const path = request.url?.split('?')[0]
    if (path === '/.well-known/openid-configuration')
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...(answer.userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        ...answer.discovery,
      })
    if (path === '/jwks')
      return send(200, { keys: own ? [{ ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256' }] : [] })
    if (path === '/userinfo') return send(200, answer.userinfo ?? {})
    if (path !== '/token') return send(404, {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    exchanged.push(new URLSearchParams(Buffer.concat(chunks).toString()))
    const held = hold
    hold = atOnce
    await held()
    if (answer.body !== undefined) return send(answer.status ?? 200, answer.body)
    send(answer.status ?? 200, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await idToken() })
  })
  issuer = server.url
  return {
    issuer,
    clientId,
    clientSecret: Buffer.alloc(32, 'of-the-client').toString(),
    exchanged,
    /** What it answers from now on. */
    answers: (wanted: FalseAnswer) => void (answer = wanted),
    /** What it waits for before it answers the next exchange of a code. */
    holds: (wait: () => Promise<void>) => void (hold = wait),
    /** The nonce that it takes from the address that the browser opens. */
    opened: (url: string) => void (nonce = new URL(url).searchParams.get('nonce') ?? ''),
    close: server.close,
  }
}
