// The kinds of jobs that changes of the terms enqueue; jobs.ts has their code.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Company } from '#kernel/values/schema.ts'

/** After a change of the schedule: suspends or restores entitlements by the new one. */
export const applySchedule = jobKind('dunning/apply-schedule', { company: Company })
/** After the organization's hold began or ended: sets again when its entitlements are suspended. */
export const propagateHold = jobKind('dunning/propagate-hold', {})
