// Devices that have signed in to an account: wrong passwords from elsewhere must not lock them out
// (docs/interface/general.md), and a sign-in from another one is mailed (docs/interface/identity.md). All SQL of
// known_addresses.
import type { Acting } from '#kernel/data/context.ts'
import { readCookie } from '#http/cookie-name.ts'
import { addressKey } from '#kernel/access/rate-limits.ts'
import type { Cookie, Input } from '#http/route.ts'
import { derive, isEqual, randomToken } from '#kernel/keys/secrets.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'

export type Headers = Input<unknown, unknown, unknown>['raw']['headers']
export type Owner = { id: number; password_hash: string | null }
type GuessedAccount = Owner & { is_known_address: boolean }

const COOKIE = 'service_device'
const COOKIE_SECONDS = 180 * 86_400
/** Shorter than the cookie's, because providers reassign IP addresses. */
const ADDRESS_LIFETIME = '30 days'
/** Whoever knows the password may call their program as they like; their mails are bounded. */
const MOST_TOLD = 10

type Place = { address: Buffer; program: Buffer }

export const knownAddresses = {
  guessed: (email: string, address: Buffer, now: Date) => sql<GuessedAccount>`
    select u.id, u.password_hash, exists (
             select 1 from known_addresses k where k.user_id = u.id and k.digest = ${address}
               and k.expires_at > ${now}) as is_known_address
      from users u where lower(u.email) = lower(${email})`,
  /**
   * Gives whether the device was known before. An address alone is enough until the account has its first program, and
   * nothing is for the first sign-in; after ten new ones in a day more of them are not told.
   */
  keep: (userId: number, { address, program }: Place, now: Date) => sql<{ was_known: boolean }>`
    with before as (
      select digest, has_program, expires_at from known_addresses where user_id = ${userId} and expires_at > ${now}
    ), kept as (
      insert into known_addresses (user_id, digest, has_program, expires_at)
      select ${userId}, p.digest, p.has_program, ${now}::timestamptz + ${ADDRESS_LIFETIME}::interval
        from (values (${address}::bytea, false), (${program}::bytea, true)) p (digest, has_program)
      on conflict (user_id, digest) do update set expires_at = excluded.expires_at
    )
    select exists (select 1 from before b where b.digest = ${program})
           or exists (select 1 from before b where b.digest = ${address})
             and not exists (select 1 from before b where b.has_program)
           or not exists (select 1 from before) and u.last_signed_in_at is null
           or (select count(*) from before b where b.has_program
                  and b.expires_at > ${now}::timestamptz + ${ADDRESS_LIFETIME}::interval - interval '1 day') >=
                    ${MOST_TOLD} as was_known
      from users u where u.id = ${userId}`,
  removeAllOf: (userId: number) => sql`delete from known_addresses where user_id = ${userId}`,
  removeOver: (now: Date) => sql`delete from known_addresses where expires_at <= ${now}`,
}

/** Remembers the device and its IP address after a sign-in. The cookie grants no access. */
export async function rememberDevice(ctx: Acting, secretKey: string, owner: Owner, headers: Headers): Promise<Cookie> {
  return (await meetDevice(ctx, secretKey, owner, headers)).cookie
}

/** The same, and whether the account has not signed in with this device before. */
export async function meetDevice(
  ctx: Acting,
  secretKey: string,
  owner: Owner,
  headers: Headers,
): Promise<{ cookie: Cookie; isNew: boolean }> {
  const wasKnown = await rememberAddress(ctx, secretKey, owner.id, headers)
  const device = deviceIn(headers, { secretKey, publicUrl: ctx.settings.publicUrl }, owner, ctx.now)
  const cookie = deviceCookie(ctx, secretKey, owner, device ?? randomToken(16))
  return { cookie, isNew: device === null && !wasKnown }
}

/**
 * The device that reset the password of an account with an app. Its person has proven the mailbox only, so all of them
 * count as one: each would have its own attempts at the code, and a mailbox gives as many resets as one likes.
 */
export function deviceOfReset(ctx: Acting, secretKey: string, owner: Owner): Cookie {
  const device = derive(secretKey, 'reset-device', owner.id).subarray(0, 16).toString('base64url')
  return deviceCookie(ctx, secretKey, owner, device)
}

function deviceCookie({ now }: Acting, secretKey: string, owner: Owner, device: string): Cookie {
  const value = cookieValue(secretKey, owner, device, Math.floor(now.getTime() / 1000))
  return { name: COOKIE, value, maxAgeSeconds: COOKIE_SECONDS }
}

/** Gives whether the program has been at this address before. */
export async function rememberAddress(
  { ask, ip, now }: Acting,
  secretKey: string,
  userId: number,
  headers: Headers,
): Promise<boolean> {
  if (ip === null) return true
  const program = derive(secretKey, 'known-program', addressKey(ip), programIn(headers))
  const [kept] = await ask(knownAddresses.keep(userId, { address: addressDigest(secretKey, ip), program }, now))
  return kept?.was_known ?? true
}

/** Without its version, which changes every month. */
const programIn = ({ 'user-agent': agent = '' }: Headers): string => String(agent).replaceAll(/[\d._]+/g, '')

export type DeviceOf = (request: { headers: Headers; ip: string }, email: string) => Promise<string | null>

/** Which key signs the cookie of a device, and at which address the service sets it. */
type DeviceKeys = { secretKey: string; publicUrl: string }
type ReadAccounts = (statement: Statement<GuessedAccount>) => Promise<GuessedAccount[]>

/** The name under which failed attempts of a known device are counted; null for an unknown device. */
export function deviceOf(read: ReadAccounts, keys: DeviceKeys, clock: () => Date): DeviceOf {
  return async ({ headers, ip }, email) => {
    const [now, address] = [clock(), addressDigest(keys.secretKey, ip)]
    const [guessed] = await read(knownAddresses.guessed(email, address, now))
    if (!guessed) return null
    // The cookie first, because it is one device, while an IP address may be a whole office.
    const device = deviceIn(headers, keys, guessed, now)
    if (device !== null) return `cookie ${device}`
    return guessed.is_known_address ? `address ${address.toString('base64url')}` : null
  }
}

/** The device of a cookie that was set for this account and its current password, else null. */
function deviceIn({ cookie }: Headers, { secretKey, publicUrl }: DeviceKeys, owner: Owner, now: Date): string | null {
  const given = readCookie(cookie?.toString(), COOKIE, publicUrl) ?? ''
  const [, device = '', at = ''] = /^([\w-]{22})\.(\d{1,10})\.[\w-]{43}$/.exec(given) ?? []
  const isGenuine = isEqual(given, cookieValue(secretKey, owner, device, Number(at)))
  return isGenuine && now.getTime() / 1000 - Number(at) < COOKIE_SECONDS ? device : null
}

function cookieValue(secretKey: string, { id, password_hash: hash }: Owner, device: string, at: number): string {
  return `${device}.${at}.${derive(secretKey, 'known-device', id, hash ?? '', device, at).toString('base64url')}`
}

const addressDigest = (secretKey: string, ip: string): Buffer => derive(secretKey, 'known-address', addressKey(ip))
