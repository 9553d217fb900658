// Parsers of settings; each throws a sentence that says what the text must be.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { hostOf, isLoopback } from '#kernel/network/addresses.ts'
import { asciiMailAddress, isMailAddress } from '#kernel/values/internet-addresses.ts'
import { isTimeZone } from '#kernel/values/time/time-zones.ts'
import { pixKeyProblem } from '#ports/pix-settings.ts'
import { FEWEST_DAYS_KEPT, MOST_DAYS_KEPT } from '#ports/retention-settings.ts'
import { MOST_WARNINGS } from '#ports/vendor-settings.ts'

export const text = (value: string): string => value

/** An empty one is unset, or nothing in the sandbox. */
export function notBlank(value: string): string {
  if (value !== '' && value.trim() === '') throw new Error('must not be blank')
  return value.trim()
}

export const path = (value: string): string => resolve(value)

export const number =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const result = Number(value)
    if (!/^\d+$/.test(value) || result < minimum || result > maximum)
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    return result
  }

export const oneOf =
  <const Choices extends readonly string[]>(...choices: Choices) =>
  (value: string): Choices[number] => {
    const found = choices.find((choice) => choice === value)
    if (found === undefined) throw new Error(`must be ${choices.join(' or ')}`)
    return found
  }

export function flag(value: string): boolean {
  if (['1', 'true', 'on', 'yes'].includes(value)) return true
  if (['0', 'false', 'off', 'no'].includes(value)) return false
  throw new Error('must be 1 or 0')
}

export const list = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

export const listOf =
  <Value>(read: (value: string) => Value) =>
  (value: string): Value[] =>
    list(value).map(read)

export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Error('must be an http or https address such as https://portal.example.com')
  return value.replace(/\/+$/, '')
}

export const isHttps = (url: string): boolean => new URL(url).protocol === 'https:'

/** https, or http on the loopback: requests to it carry secrets. */
export function secureUrl(value: string): string {
  const url = httpUrl(value)
  if (!isHttps(url) && !isLoopback(hostOf(url))) throw new Error('must be https outside the loopback')
  return url
}

export const domains = listOf((value) => {
  if (!/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(value)) throw new Error('must list domains such as vendor.example')
  return value
})

/** As browsers send them; `*` and `null` are refused, since they would allow every origin. */
export function origins(value: string): string[] {
  const given = list(value)
  const wrong = given.find((one) => !/^https?:[^*]+$/.test(one) || !URL.canParse(one) || new URL(one).origin !== one)
  if (wrong !== undefined) throw new Error('must list origins such as https://portal.example.com')
  return given
}

/** Addresses or ranges; a range of all addresses is refused, since every client could then set X-Forwarded-For. */
export function proxies(value: string): string[] {
  const given = list(value)
  for (const proxy of given) {
    const [address = '', bits] = proxy.split('/')
    const family = isIP(address)
    const isRange = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !isRange) throw new Error('must list addresses such as 10.0.0.5 or 10.0.0.0/8')
  }
  return given
}

/** `9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe` or `[2620:fe::fe]:53` */
export function nameServer(value: string): string {
  const [, bracketed, plain = value, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? []
  if (isIP(bracketed ?? plain) === 0 || Number(port) < 1 || Number(port) > 65_535)
    throw new Error('must list addresses such as 9.9.9.9 or [2620:fe::fe]:53')
  return value
}

export function bearerToken(value: string): string {
  if (value.length < 16) throw new Error('must have at least 16 characters')
  return value
}

export function postgresUrl(value: string): string {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new Error('must be an address such as postgres://user:password@host:5432/database')
  return value
}

/** `10/60`: at most 10 in 60 seconds. */
export function rate(value: string): { points: number; windowSeconds: number } {
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(value)
  if (!match) throw new Error('must look like 10/60: requests per seconds')
  return { points: Number(match[1]), windowSeconds: Number(match[2]) }
}

export function timeZone(value: string): string {
  if (!isTimeZone(value)) throw new Error('must be a time zone such as America/Sao_Paulo')
  return value
}

export function email(value: string): string {
  const address = asciiMailAddress(value)
  if (!isMailAddress(address)) throw new Error('must be an e-mail address')
  return address
}

export function secretKey(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters; `openssl rand -base64 48` makes one')
  if (/^(.)\1*$/.test(value) || /^(change|secret|default|example)/i.test(value))
    throw new Error('must be a random secret')
  return value
}

export function daysBefore(value: string): number[] {
  const days = value === 'none' ? [] : list(value)
  const distinct = [...new Set(days.map(Number))]
  if (!days.every((day) => /^[1-9]\d{0,2}$/.test(day) && Number(day) <= 365) || distinct.length > MOST_WARNINGS)
    throw new Error(`must list days from 1 to 365 such as 30,7,1, at most ${MOST_WARNINGS}, or be none`)
  return distinct.toSorted((one, other) => other - one)
}

/** Senders repeat an event for some days, and are known by the stored ones. */
export function daysKept(value: string): number {
  const days = Number(value)
  if (!/^\d+$/.test(value) || (days !== 0 && days < FEWEST_DAYS_KEPT) || days > MOST_DAYS_KEPT)
    throw new Error('must be a whole number from 30 to 36500, or 0')
  return days
}

export function webhookSecret(value: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(value))
    throw new Error('must be whsec_ and 24 to 64 random bytes in base64; `openssl rand -base64 32` makes them')
  return value
}

/** Of senders that take any text; a short one could be guessed. */
export function sharedSecrets(value: string): string[] {
  const secrets = list(value)
  if (!secrets.every((secret) => secret.length >= 16)) throw new Error('must list secrets of at least 16 characters')
  return secrets
}

export function stripeKey(value: string): string {
  if (!/^(sk|rk)_(test|live)_[A-Za-z0-9_]{8,250}$/.test(value))
    throw new Error('must be a secret or restricted key of a Stripe account, such as sk_live_…')
  return value
}

/** Unlike those of Standard Webhooks they are used without decoding. */
export function stripeWebhookSecrets(value: string): string[] {
  const secrets = list(value)
  if (!secrets.every((secret) => /^whsec_[A-Za-z0-9+/=_-]{16,250}$/.test(secret)))
    throw new Error('must list the signing secrets of the webhook endpoint, each whsec_…')
  return secrets
}

/** `IBAN: DE02 …; BIC: BYLADEM1001` */
export const labelledValues = (value: string): { label: string; value: string }[] =>
  value
    .split(';')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [, label = '', rest = ''] = /^([^:]+):(.+)$/s.exec(pair) ?? []
      if (label.trim() === '' || rest.trim() === '') throw new Error('must be pairs such as IBAN: DE02 1203 …; BIC: …')
      return { label: label.trim(), value: rest.trim() }
    })

export function pixKey(value: string): string {
  const problem = pixKeyProblem(value)
  if (problem !== null) throw new Error(problem)
  return value
}
