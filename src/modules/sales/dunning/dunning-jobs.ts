// The kinds of jobs that changes of the terms enqueue; jobs.ts has their code.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Company } from '#kernel/values/schema.ts'

/** What may be suspended, or has been, follows a new schedule. */
export const applySchedule = jobKind('dunning/apply-schedule', { company: Company })
/** It follows the organization's hold, or its end. */
export const followHold = jobKind('dunning/follow-hold', {})
