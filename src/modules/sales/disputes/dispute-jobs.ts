// The kinds of the jobs about disputes; jobs.ts has their code.
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'

/** A refund has ended without a payment, so that more of its invoice may be reversed. */
export const reverseRest = eventJobKind('disputes/reverse-rest')

// These are dead letters that tell staff what to do.
export const reportDispute = jobKind('disputes/report', { dispute_id: Id })
export const reportOverRefund = jobKind('disputes/over-refunded', { dispute_id: Id })
