// Secrets of other systems that the service has to keep in readable form: encrypted (JWE, AES-256-GCM) under its secret
// key.
import { CompactEncrypt, compactDecrypt } from 'jose'
import { derive, type SecretKey } from '#kernel/keys/secrets.ts'

/** A text that was sealed for one purpose cannot be opened for another. */
export async function seal(secretKey: SecretKey, purpose: string, text: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(derive(secretKey, 'sealed', purpose))
}

/** Throws for a text that was sealed with another key, or changed since. */
export async function unseal(secretKey: SecretKey, purpose: string, sealed: string): Promise<string> {
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  const { plaintext } = await compactDecrypt(sealed, derive(secretKey, 'sealed', purpose), options)
  return new TextDecoder().decode(plaintext)
}
