// The job that handles an event of the tracker: it enqueues the synchronization of the ticket that the issue belongs
// to, if any. An event is only a hint, so it may come twice, late or in any order.
import type { InboundSource } from '#http/manifest/module.ts'
import { readStoredEvent } from '#modules/messages/inbound/provider-events.ts'
import { first } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { TrackerEvent, TRACKERS } from '#ports/issue-tracker.ts'
import { enqueueSync } from './enqueue-sync.ts'
import { ticketIssues } from './queries.ts'

export const handleTrackerEvent = jobKind('issue-tracker/handle-event', { provider_event_id: Id })

export const trackerSource: InboundSource = { names: TRACKERS, reads: null, handle: handleTrackerEvent }

export const handleTrackerEventJob = systemJob(handleTrackerEvent, {
  run: async (ctx, { payload: { provider_event_id: id } }) => {
    const { source, event } = await readStoredEvent(ctx, id, TrackerEvent)
    const issue = await first(ctx, ticketIssues.byReference(source, event.issueId))
    if (issue) await enqueueSync(ctx, issue)
  },
})
