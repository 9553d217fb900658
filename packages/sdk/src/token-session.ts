// A signed-in person by access and refresh token: for programs, servers and apps. Tokens are renewed one at a time,
// however many calls find them expired, since a refresh token works once.
import { notConnected, oneAtATime, type Credentials, type Send } from './credentials.ts'
import { AuthenticationError, ConnectionError, TimeoutError, TitularError } from './errors.ts'
import type { LoginRequest, LoginWithSecondFactorRequest, SignInChallenge, Tokens } from './generated/types.ts'

/** What to keep between runs of a program; `expires_at` in milliseconds. */
export type StoredTokens = { access_token: string; refresh_token: string; expires_at: number }

export type SecondFactorProof = Omit<LoginWithSecondFactorRequest, 'challenge'>

/** Signs in by itself, and again when a session has ended. `code`: asked for accounts with an authenticator app. */
export type PasswordSignIn = LoginRequest & { code?: (() => string | Promise<string>) | undefined }

export type TokenSessionOptions = {
  tokens?: StoredTokens | null | undefined
  /** Keeps them; null when the session has ended. */
  onChange?: ((tokens: StoredTokens | null) => void | Promise<void>) | undefined
  signIn?: PasswordSignIn | undefined
  now?: (() => number) | undefined
}

export type TokenSession = Credentials & {
  readonly tokens: StoredTokens | null
  /** Null when it is done; else the challenge that `finish` answers. */
  signIn: (request: LoginRequest) => Promise<SignInChallenge | null>
  finish: (challenge: SignInChallenge, proof: SecondFactorProof) => Promise<void>
  /** Tokens that came otherwise: of a passkey, of single sign-on, of a registration. */
  use: (tokens: Tokens) => Promise<void>
  signOut: () => Promise<void>
}

/** Renewed so long before their end, for the way of the request and for clocks that differ. */
const MARGIN_MS = 30_000

export function tokenSession(options: TokenSessionOptions = {}): TokenSession {
  const now = options.now ?? Date.now
  let tokens = options.tokens ?? null
  let send = notConnected

  const keep = async (next: StoredTokens | null): Promise<void> => {
    tokens = next
    await options.onChange?.(next)
  }
  const use = ({ access_token, refresh_token, expires_in }: Tokens): Promise<void> =>
    keep({ access_token, refresh_token, expires_at: now() + expires_in * 1000 })
  const finish: TokenSession['finish'] = async ({ challenge }, proof) =>
    use(await send<Tokens>('POST', '/auth/login/second-factor', { body: { challenge, ...proof } }))
  const signIn: TokenSession['signIn'] = async ({ email, password }) => {
    const answer = await send<Tokens | SignInChallenge>('POST', '/auth/login', { body: { email, password } })
    if ('second_factor_required' in answer) return answer
    await use(answer)
    return null
  }
  const byPassword = async ({ code, ...request }: PasswordSignIn): Promise<void> => {
    const challenge = await signIn(request)
    if (challenge && !code) throw new TitularError('The account has a second factor: give `code` to sign in by itself')
    if (challenge && code) await finish(challenge, { code: await code() })
  }
  /** Whether the session has ended. The answer counts only if no sign-out or sign-in came while it was waited for. */
  const refresh = async (old: StoredTokens): Promise<boolean> => {
    const next = await refreshed(send, old).catch(unlessEnded)
    if (tokens === old) await (next ? use(next) : keep(null))
    return tokens === null && !next
  }
  const renewOnce = oneAtATime(async () => {
    const isOver = tokens === null || (await refresh(tokens))
    if (isOver && options.signIn) await byPassword(options.signIn)
  })
  const isDue = ({ expires_at }: StoredTokens): boolean => expires_at - now() < MARGIN_MS
  /** Before their end the tokens do without a renewal. */
  const unlessUsable = (error: unknown): void => {
    if (!tokens || tokens.expires_at <= now()) throw error
  }
  const header = (): Record<string, string> => (tokens ? { authorization: `Bearer ${tokens.access_token}` } : {})

  return {
    get tokens() {
      return tokens
    },
    connect: (given) => void (send = given),
    async headers() {
      const isLacking = tokens ? isDue(tokens) : options.signIn !== undefined
      if (isLacking) await renewOnce().catch(unlessUsable)
      return header()
    },
    async renew({ authorization }) {
      if (header()['authorization'] === authorization) await renewOnce()
      return tokens !== null && header()['authorization'] !== authorization
    },
    signIn,
    finish,
    use,
    async signOut() {
      // A token that has ended would end nothing. Where the renewal gets no answer, the sign-out says so.
      if (tokens && isDue(tokens)) await refresh(tokens).catch(() => false)
      const headers = header()
      await keep(null)
      if (headers['authorization']) await send('POST', '/auth/logout', { headers }).catch(unlessEnded)
    },
  }
}

/** What ends is a success when it has ended already. */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof AuthenticationError)) throw error
}

/** Asked again at once when the answer was lost: for ten seconds a used refresh token has the same successor. */
async function refreshed(send: Send, { refresh_token }: StoredTokens): Promise<Tokens> {
  const ask = () => send<Tokens>('POST', '/auth/refresh', { body: { refresh_token } })
  return ask().catch((error: unknown) => {
    if (error instanceof ConnectionError && !(error instanceof TimeoutError)) return ask()
    throw error
  })
}
