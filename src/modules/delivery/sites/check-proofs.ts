// Looks at proofs again each day, so that one that is lost shows.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { sites } from './queries.ts'
import { findProof, applyProofResult } from './apply-proof-result.ts'

const DAY_MS = 86_400_000
/** Each minute, which makes 115,200 in a day. */
const BATCH = 80
/** Fewer than the adapter takes, so that there is room for people who wait for their answer. */
const AT_ONCE = 8

const checkProofs = jobKind('sites/check-proofs', {})

export const checkProofsJob = systemJob(checkProofs, {
  everySeconds: 60,
  before: async (io, _job, { inEach }) => {
    const failures: unknown[] = []
    const due = await io.read(sites.toCheck(new Date(io.now.getTime() - DAY_MS), BATCH))
    for (let start = 0; start < due.length; start += AT_ONCE) {
      const some = due.slice(start, start + AT_ONCE)
      const looked = await Promise.all(some.map(async (site) => ({ ...site, found: await findProof(io, site) })))
      const settled = inEach(looked, (ctx, { id, found }) => applyProofResult(ctx, id, found))
      await settled.catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  },
})
