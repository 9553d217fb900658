// A signed-in person in a browser: the cookie, which no script can read, and the nonce, which another site does not
// have. The nonce is asked for again, once, when the service no longer takes it, and only for the same person: the
// browser has one session for all its pages, and in another one somebody else may have signed in.
import { notConnected, oneAtATime, type Credentials } from './credentials.ts'
import type { LoginRequest, Session, SignInChallenge } from './generated/types.ts'
import { type SecondFactorProof, unlessEnded } from './token-session.ts'

export type CookieSession = Credentials & {
  /** The session that the browser has already, as after a reload; null without one. */
  restore: () => Promise<Session | null>
  /** The session when it is done; else the challenge that `finish` answers. */
  signIn: (request: LoginRequest) => Promise<Session | SignInChallenge>
  finish: (challenge: SignInChallenge, proof: SecondFactorProof) => Promise<Session>
  /** A session that came otherwise: of a passkey, of single sign-on. */
  use: (session: Pick<Session, 'nonce'> & { user?: Pick<Session['user'], 'id'> }) => void
  signOut: () => Promise<void>
}

export function cookieSession(): CookieSession {
  let nonce: string | null = null
  /** Whom this page knows. */
  let userId: number | null = null
  let isRestored = false
  let send = notConnected

  const use: CookieSession['use'] = (session) => {
    nonce = session.nonce
    userId = session.user?.id ?? null
    isRestored = true
  }
  const kept = (session: Session): Session => {
    use(session)
    return session
  }
  const read = oneAtATime(async () => (await send<Session>('GET', '/auth/session').catch(unlessEnded)) ?? null)
  async function restore(): Promise<Session | null> {
    const session = await read()
    if (session) return kept(session)
    nonce = null
    isRestored = true
    return null
  }
  const header = (): Record<string, string> => (nonce === null ? {} : { 'x-service-nonce': nonce })
  const leave = () => send('POST', '/auth/logout', { headers: header() })

  return {
    hasCookies: true,
    connect: (given) => void (send = given),
    async headers() {
      if (!isRestored) await restore()
      return header()
    },
    async renew({ 'x-service-nonce': refused }) {
      if (refused === (nonce ?? undefined)) {
        const session = await read()
        if (session && userId !== null && session.user.id !== userId) return false
        nonce = session?.nonce ?? null
      }
      return nonce !== null && nonce !== refused
    },
    restore,
    async signIn({ email, password }) {
      const answer = await send<Session | SignInChallenge>('POST', '/auth/session', { body: { email, password } })
      return 'second_factor_required' in answer ? answer : kept(answer)
    },
    finish: async ({ challenge }, proof) =>
      kept(await send<Session>('POST', '/auth/session/second-factor', { body: { challenge, ...proof } })),
    use,
    async signOut() {
      if (!isRestored) await restore()
      // The nonce may have ended, or be one of before; the cookie lives on then.
      await leave().catch(async (error: unknown) => {
        unlessEnded(error)
        if (await restore()) await leave()
      })
      nonce = null
    },
  }
}
