// The tokens of a profile, which several processes use at a time. A refresh token works once, and for ten seconds more
// gives the same successor: whoever is about to renew reads the file again, and writes only over what it renewed.
import { type Credentials, type StoredTokens, tokenSession } from '@titular/sdk'
import type { Profile, Profiles } from './profiles.ts'
import { NotSignedIn } from './usage-error.ts'

const MARGIN_MS = 30_000

export function profileSession(profiles: Profiles, name: string, id: string): Credentials {
  /** What the file has now; another sign-in may be of somebody else. */
  const stored = (): { profile: Profile; tokens: StoredTokens } => {
    const profile = profiles.find(name)
    const session = profile?.credentials?.kind === 'session' ? profile.credentials : null
    if (session && session.id !== id)
      throw new NotSignedIn(`Somebody signed in again meanwhile with the profile "${name}"; start anew`)
    if (!profile || !session?.tokens) throw new NotSignedIn(`The session has ended: titular login --profile ${name}`)
    return { profile, tokens: session.tokens }
  }
  const keep = (renewed: StoredTokens | null, from: StoredTokens): void => {
    const { profile, tokens } = stored()
    const isOfAnother = tokens.refresh_token !== from.refresh_token
    if (!isOfAnother) profiles.save(name, { ...profile, credentials: { kind: 'session', id, tokens: renewed } })
  }
  let connect: Parameters<NonNullable<Credentials['connect']>>[0] | undefined
  let known: StoredTokens | undefined
  let session = tokenSession()
  /** A session that begins with what the file has. */
  const load = (): StoredTokens => {
    const { tokens } = stored()
    if (tokens.refresh_token !== known?.refresh_token) {
      known = tokens
      session = tokenSession({ tokens, onChange: (renewed) => changed(renewed) })
      if (connect) session.connect?.(connect)
    }
    return tokens
  }
  const changed = (renewed: StoredTokens | null): void => {
    const from = known
    if (renewed) known = renewed
    if (from) keep(renewed, from)
  }
  return {
    connect(send) {
      connect = send
      session.connect?.(send)
    },
    async headers() {
      if (!known || known.expires_at - Date.now() < MARGIN_MS) load()
      const headers = await session.headers()
      // Another process may have renewed while this one was refused.
      return session.tokens ? headers : (load(), session.headers())
    },
    async renew(refused) {
      load()
      return (await session.renew?.(refused)) ?? false
    },
  }
}
