// Checkpoints and beginnings of the audit logs: heads of their chains, signed with Ed25519 as a compact JWS (RFC 7515),
// one line of text. Neither is taken for the other.
import { createPublicKey } from 'node:crypto'
import { compactVerify } from 'jose'
import { loadEd25519Keys } from '#kernel/keys/ed25519-keys.ts'

type SignedHeads = 'checkpoint' | 'beginning'
const VERSION = 1

export async function signHeads(
  what: SignedHeads,
  pems: readonly string[],
  content: object,
): Promise<{ keyId: string; jws: string }> {
  const { keyId, sign } = await loadEd25519Keys(pems)
  return { keyId, jws: sign(typeOf(what), { version: VERSION, ...content }) }
}

/** The content, if one of the keys has signed it as that; public keys will do. Else null. */
export async function readHeads(what: SignedHeads, pems: readonly string[], jws: string): Promise<object | null> {
  for (const pem of pems) {
    const key = createPublicKey(pem)
    const verified = await compactVerify(jws, key, { algorithms: ['EdDSA'] }).catch(() => null)
    if (verified?.protectedHeader.typ !== typeOf(what)) continue
    const content: unknown = JSON.parse(new TextDecoder().decode(verified.payload))
    if (typeof content === 'object' && content !== null && 'version' in content && content.version === VERSION)
      return content
  }
  return null
}

const typeOf = (what: SignedHeads): string => `titular-audit-${what}`
