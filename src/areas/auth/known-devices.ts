// Devices that have signed in to an account: wrong passwords from elsewhere must not lock them out
// (docs/decisions/0023-guesses-from-elsewhere.md). All SQL of known_addresses.
import type { Acting } from '#kernel/data/context.ts'
import { readCookie } from '#kernel/access/credentials.ts'
import { addressKey } from '#kernel/access/rate-limits.ts'
import type { Cookie, Input } from '#kernel/http/route.ts'
import { derive, isEqual, randomToken } from '#kernel/keys/secrets.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']
export type Owner = { id: number; password_hash: string | null }
type Guessed = Owner & { is_known_address: boolean }

const COOKIE = 'service_device'
const COOKIE_SECONDS = 180 * 86_400
/** Shorter than the cookie's, because providers reassign IP addresses. */
const ADDRESS_LIFETIME = '30 days'

export const knownAddresses = {
  guessed: (email: string, address: Buffer, now: Date) => sql<Guessed>`
    select u.id, u.password_hash, exists (
             select from known_addresses k where k.user_id = u.id and k.digest = ${address} and k.expires_at > ${now}) as is_known_address
      from users u where lower(u.email) = lower(${email})`,
  keep: (userId: number, address: Buffer, now: Date) => sql`
    insert into known_addresses (user_id, digest, expires_at)
    values (${userId}, ${address}, ${now}::timestamptz + ${ADDRESS_LIFETIME}::interval)
    on conflict (user_id, digest) do update set expires_at = excluded.expires_at`,
  removeAllOf: (userId: number) => sql`delete from known_addresses where user_id = ${userId}`,
  removeOver: (now: Date) => sql`delete from known_addresses where expires_at <= ${now}`,
}

/** Remembers the device and its IP address after a sign-in. The cookie grants no access. */
export async function rememberDevice(ctx: Acting, secretKey: string, owner: Owner, headers: Headers): Promise<Cookie> {
  await rememberAddress(ctx, secretKey, owner.id)
  return deviceCookie(ctx, secretKey, owner, deviceIn(headers, secretKey, owner, ctx.now) ?? randomToken(16))
}

/**
 * The device that reset the password of an account with an app. Its person has proven the mailbox only, so all of them count as
 * one: each would have its own attempts at the code, and a mailbox gives as many resets as one likes.
 */
export function deviceOfReset(ctx: Acting, secretKey: string, owner: Owner): Cookie {
  const device = derive(secretKey, 'reset-device', owner.id).subarray(0, 16).toString('base64url')
  return deviceCookie(ctx, secretKey, owner, device)
}

function deviceCookie({ now }: Acting, secretKey: string, owner: Owner, device: string): Cookie {
  const value = cookieValue(secretKey, owner, device, Math.floor(now.getTime() / 1000))
  return { name: COOKIE, value, maxAgeSeconds: COOKIE_SECONDS }
}

export async function rememberAddress({ ask, ip, now }: Acting, secretKey: string, userId: number): Promise<void> {
  if (ip !== null) await ask(knownAddresses.keep(userId, addressDigest(secretKey, ip), now))
}

export type DeviceOf = (request: { headers: Headers; ip: string }, email: string) => Promise<string | null>

type Read = (statement: Statement<Guessed>) => Promise<Guessed[]>

/** The name under which failed attempts of a known device are counted; null for an unknown device. */
export function deviceOf(read: Read, secretKey: string, clock: () => Date): DeviceOf {
  return async ({ headers, ip }, email) => {
    const [now, address] = [clock(), addressDigest(secretKey, ip)]
    const [guessed] = await read(knownAddresses.guessed(email, address, now))
    if (!guessed) return null
    // The cookie first, because it is one device, while an IP address may be a whole office.
    const device = deviceIn(headers, secretKey, guessed, now)
    if (device !== null) return `cookie ${device}`
    return guessed.is_known_address ? `address ${address.toString('base64url')}` : null
  }
}

/** The device of a cookie that was set for this account and its current password, else null. */
function deviceIn({ cookie }: Headers, secretKey: string, owner: Owner, now: Date): string | null {
  const given = readCookie(cookie?.toString(), COOKIE) ?? ''
  const [, device = '', at = ''] = /^([\w-]{22})\.(\d{1,10})\.[\w-]{43}$/.exec(given) ?? []
  const isGenuine = isEqual(given, cookieValue(secretKey, owner, device, Number(at)))
  return isGenuine && now.getTime() / 1000 - Number(at) < COOKIE_SECONDS ? device : null
}

function cookieValue(secretKey: string, { id, password_hash: hash }: Owner, device: string, at: number): string {
  return `${device}.${at}.${derive(secretKey, 'known-device', id, hash ?? '', device, at).toString('base64url')}`
}

const addressDigest = (secretKey: string, ip: string): Buffer => derive(secretKey, 'known-address', addressKey(ip))
