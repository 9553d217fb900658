// The job that removes stored events that are old.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { retentionJob } from '#kernel/jobs/retention.ts'
import { ofVendor } from '#ports/settings-in-force.ts'
import { removeOldEvents } from '../../messages/inbound/provider-events.ts'

export const webhookJobs = [
  retentionJob(jobKind('webhooks/prune', {}), {
    days: ofVendor('inbound_event_days'),
    remove: removeOldEvents,
  }),
]
