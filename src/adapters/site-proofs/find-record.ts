// The proof as a TXT record. Aliases (CNAME) are resolved by the name server, so that the record may be delegated.
import { PROOF_DNS_NAME, type ProofOutcome } from '#ports/site-proofs.ts'
import type { Search } from './site-proofs.ts'

/** Answers of a name server that knows: no such name, or no such record. */
const ABSENT: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

export async function findRecord({ resolver }: Search, domain: string, proof: string): Promise<ProofOutcome> {
  try {
    const records = await resolver.resolveTxt(`${PROOF_DNS_NAME}.${domain}`)
    // A record longer than 255 characters comes in pieces.
    if (records.some((pieces) => pieces.join('').trim() === proof)) return 'proven'
    return records.length === 0 ? 'not_found' : 'wrong_value'
  } catch (error) {
    return error instanceof Error && 'code' in error && ABSENT.includes(error.code) ? 'not_found' : 'unreachable'
  }
}
