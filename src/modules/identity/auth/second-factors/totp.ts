// Codes of an authenticator app (TOTP, RFC 6238): SHA-1, six digits, steps of 30 seconds, which every app knows.
import { Secret, TOTP } from 'otpauth'
import { derive } from '#kernel/keys/secrets.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/**
 * Steps before and after the present one whose codes count: the clock of a phone may be wrong, and typing takes time.
 */
const WINDOW = 1

/** Not stored: derived from the service's secret key, like mailed tokens (docs/interface/identity.md). */
export const totpSecret = (secretKey: string, of: { user_id: number; nonce: string }): Buffer =>
  derive(secretKey, 'totp', of.user_id, of.nonce).subarray(0, SECRET_BYTES)

const totpOf = (secret: Uint8Array, named: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({
    ...named,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  })

/** The secret for typing, and the URI for a QR code. */
export function enrollmentOf(secret: Uint8Array, named: { issuer: string; label: string }) {
  const totp = totpOf(secret, named)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step to which the code belongs; null for a wrong one. */
export function stepOf(secret: Uint8Array, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta
}
