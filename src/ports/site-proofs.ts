// Port: looks for the proof that somebody controls a domain, in its DNS and on its web server.

/** A TXT record is expected at this name below the domain. */
export const PROOF_DNS_NAME = '_titular-challenge'
/** Or a file at this path of the domain's web server. */
export const PROOF_FILE_PATH = '/.well-known/titular-verification.txt'
/** Precedes the challenge in both. */
export const PROOF_PREFIX = 'titular-challenge='

export const proofOf = (challenge: string): string => PROOF_PREFIX + challenge

export const PROOF_OUTCOMES = ['proven', 'not_found', 'wrong_value', 'redirected', 'unreachable'] as const
/**
 * `not_found`: there is no such record or file; `wrong_value`: there is one with another content; `redirected`: the
 * server sends on to another address, which is not followed; `unreachable`: no answer in time, or none that counts.
 */
export type ProofOutcome = (typeof PROOF_OUTCOMES)[number]

export type FoundProof = { dns: ProofOutcome; file: ProofOutcome }

export interface SiteProofs {
  /** `domain` is canonical, `proof` comes from `proofOf`. Never throws for a failure of the other side. */
  find(domain: string, proof: string): Promise<FoundProof>
}
