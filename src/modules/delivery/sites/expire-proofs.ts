// A domain is proven to one organization at a time, the last that proved it (docs/interface/delivery.md).
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { Id, Timestamp } from '#kernel/values/schema.ts'
import { sites } from './queries.ts'
import { lapse } from './apply-proof-result.ts'

export const expireEarlierProofs = eventJobKind('sites/expire-earlier-proofs')
const expireProof = jobKind('sites/expire-proof', { site_id: Id, verified_at: Timestamp })

/**
 * After each proof. Two that are settled side by side do not see each other, but the job of the one that commits last
 * sees both, and each of the jobs leaves the latest only.
 */
const expireEarlierProofsJob = systemJob(expireEarlierProofs, {
  before: async ({ read, organizationId }, { payload }) =>
    (await read(sites.domainOf(organizationId ?? 0, payload.resource_id)))[0]?.domain ?? null,
  run: async (ctx, _job, domain) => {
    if (domain === null) return
    for (const { organization_id: organizationId, id, verified_at } of await ctx.ask(sites.earlierProofs(domain)))
      await enqueue(ctx, expireProof, { site_id: id, verified_at }, { organizationId })
  },
})

const expireProofJob = organizationJob(expireProof, {
  run: async (ctx, { payload: { site_id, verified_at } }) => {
    const site = await sites.find(ctx, site_id)
    // A proof that was given anew meanwhile is another one.
    if (site?.verification_status === 'verified' && site.verified_at === verified_at) await lapse(ctx, site_id)
  },
})

export const expireProofJobs = [expireEarlierProofsJob, expireProofJob]
