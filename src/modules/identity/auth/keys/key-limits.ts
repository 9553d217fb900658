// What the API keys of organizations and of the vendor have in common: an end, networks, the last use, and secrets that
// are rotated (docs/interface/general.md).
import { Type, type Static } from 'typebox'
import { conflict, invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { digest, randomToken } from '#kernel/keys/secrets.ts'
import { isWithin, networkOf } from '#kernel/network/addresses.ts'
import { Closed, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { type Clock, fromNow, isPast } from '#kernel/values/time/clock.ts'

const DAY_MINUTES = 1440
const MAX_NETWORKS = 100

const Networks = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: MAX_NETWORKS,
  uniqueItems: true,
  description: 'Addresses and ranges (CIDR), IPv4 and IPv6, from which the key is accepted; null: from everywhere',
  examples: [['203.0.113.7', '2001:db8::/32']],
})

/** What whoever makes or changes a key decides. */
export const KeyLimits = {
  expires_at: Nullable({ ...Timestamp, description: 'From then on the key is refused; null: never' }),
  allowed_ips: Nullable(Networks),
}
export type KeyLimits = { expires_at?: string | null; allowed_ips?: string[] | null }

/** What every key shows beside. */
export const KeyUse = {
  last_used_at: Nullable({ ...Timestamp, description: 'Up to six minutes late; null: never' }),
  previous_secret_ends_at: Nullable({
    ...Timestamp,
    description: 'After a rotation: until when the former secret counts, too',
  }),
}

export const Rotation = Closed({
  overlap_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * DAY_MINUTES,
      default: DAY_MINUTES,
      description: 'How long the former secret counts beside the new one; 0 ends all former secrets at once',
      examples: [60],
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

/** What the schema of the limits cannot say. */
export function limitRules({ expires_at, allowed_ips }: KeyLimits, clock: Clock): Fields {
  const wrong = (allowed_ips ?? []).flatMap((text, index): [string, string][] =>
    networkOf(text) === null ? [[`allowed_ips.${index}`, NO_NETWORK]] : [],
  )
  const isOver = typeof expires_at === 'string' && isPast(clock, expires_at)
  return { ...(isOver && { expires_at: 'must be in the future' }), ...Object.fromEntries(wrong) }
}

const NO_NETWORK = 'must be an address or a range such as 10.0.0.0/8, without bits beyond its length'

/** The limits of the body as they are stored; absent ones are left out. */
export const storedLimits = ({ expires_at, allowed_ips }: KeyLimits) => ({
  ...(expires_at !== undefined && { expires_at }),
  ...(allowed_ips !== undefined && { allowed_ips: allowed_ips && [...new Set(allowed_ips.map(networkIn))] }),
})

function networkIn(text: string): string {
  const network = networkOf(text)
  if (network === null) throw invalid({ allowed_ips: NO_NETWORK })
  return network
}

/** Whether the key is accepted for longer, or from elsewhere, with the limits that are given than it was before. */
export function isWider(before: KeyLimits, { expires_at, allowed_ips }: KeyLimits): boolean {
  return isLater(before.expires_at ?? null, expires_at) || isFromElsewhere(before.allowed_ips ?? null, allowed_ips)
}

const isLater = (before: string | null, given: string | null | undefined): boolean =>
  before !== null && given !== undefined && (given === null || Date.parse(given) > Date.parse(before))

const isFromElsewhere = (before: readonly string[] | null, given: readonly string[] | null | undefined): boolean =>
  before !== null && given !== undefined && (given === null || !given.every((one) => before.some(containing(one))))

const containing =
  (network: string) =>
  (other: string): boolean =>
    isWithin(network, other)

/** The two halves of a new key; `prefix` tells whose it is. */
export const newPair = (prefix: 'c' | 'v') => ({
  consumerKey: `${prefix}k_${randomToken(18)}`,
  consumerSecret: newSecret(prefix),
})
const newSecret = (prefix: 'c' | 'v'): string => `${prefix}s_${randomToken(32)}`
export const bytesOf = (secret: string): string => `\\x${digest(secret).toString('hex')}`

/** A key as it is read to be rotated. */
export type KeyToRotate = {
  id: number
  consumer_key: string
  secret_digest: string
  secret_version: number
  expires_at: string | null
  previous_secret_ends_at: string | null
}

/**
 * The new secret, and the columns that change with it; 409 for a key that has expired, or whose former secret still
 * counts.
 */
export function rotated(key: KeyToRotate, { overlap_minutes = DAY_MINUTES }: Rotation, clock: Clock) {
  if (key.expires_at !== null && isPast(clock, key.expires_at)) throw conflict('key_expired', 'The API key has expired')
  const { previous_secret_ends_at: until } = key
  if (until !== null && !isPast(clock, until) && overlap_minutes > 0)
    throw conflict('rotation_running', `The former secret still counts, until ${until}`)
  const secret = newSecret(key.consumer_key.startsWith('v') ? 'v' : 'c')
  const overlaps = overlap_minutes > 0
  return {
    secret,
    columns: {
      secret_digest: bytesOf(secret),
      // Tokens of the version before count while the former secret does.
      secret_version: key.secret_version + 1,
      previous_digest: overlaps ? key.secret_digest : null,
      previous_secret_ends_at: overlaps ? fromNow(clock, overlap_minutes * 60).toISOString() : null,
    },
  }
}
