// What is found of a proof decides over the site: it is verified, stays so, or lapses.
import { move, update } from '#kernel/data/changes.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { type FoundProof, type ProofOutcome, proofOf } from '#ports/site-proofs.ts'
import { type SiteChallenge, type Proof, sites } from './queries.ts'
import { siteProofMoves, sitesTable } from './site.ts'

/** So long a proof counts whose name servers or web server give no answer. */
const PATIENCE_MS = 3 * 86_400_000

export const findProof = ({ ports }: Pick<IoContext, 'ports'>, { domain, challenge }: SiteChallenge) =>
  ports.siteProofs.find(domain, proofOf(challenge))

/** False when there is no such site. */
export async function applyProofResult(ctx: OrganizationContext, id: number, found: FoundProof): Promise<boolean> {
  const site = await sites.find(ctx, id)
  if (!site) return false
  const method = (['dns', 'file'] as const).find((one) => found[one] === 'proven') ?? null
  await sites.looked(ctx, id, method !== null)
  if (method === null) {
    if (isLost(site, found, ctx.now)) await lapse({ ...ctx, reason: reasonOf(found) }, id)
  } else if (site.verification_status !== 'verified') {
    const values = { verification_method: method, verified_at: ctx.now.toISOString() }
    await move(ctx, sitesTable, id, siteProofMoves.verify, values)
  } else if (site.verification_method !== null && found[site.verification_method] !== 'proven') {
    await update(ctx, sitesTable, id, { verification_method: method })
  }
  return true
}

/** At once when the place where it was answers and has it no longer; later when that place does not answer. */
function isLost({ verification_status, verification_method, proof_seen_at }: Proof, found: FoundProof, now: Date) {
  if (verification_status !== 'verified' || verification_method === null) return false
  const outcome: ProofOutcome = found[verification_method]
  return outcome !== 'unreachable' || Date.parse(proof_seen_at ?? '') <= now.getTime() - PATIENCE_MS
}

export const lapse = (ctx: OrganizationContext, id: number) => move(ctx, sitesTable, id, siteProofMoves.lapse)
const reasonOf = ({ dns, file }: FoundProof): string => `DNS: ${dns}; file: ${file}`
