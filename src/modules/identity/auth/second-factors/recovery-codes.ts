// Recovery codes: ten of them, each stands once for a code of the app.
import { randomBytes } from 'node:crypto'
import { derive } from '#kernel/keys/secrets.ts'

const COUNT = 10
/** Without letters that are read as others; 60 bits a code. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 12

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode)

function newCode(): string {
  const signs = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return signs.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/**
 * Under the secret key, so that a copy of the database does not suffice to guess them. Dashes, blanks and case do not
 * count.
 */
export const recoveryDigest = (secretKey: string, userId: number, code: string): Buffer =>
  derive(secretKey, 'recovery-code', userId, code.toLowerCase().replaceAll(/[\s-]/g, ''))
