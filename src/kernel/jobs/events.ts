// Events and who consumes them: jobs of our own areas and hooks of the vendor (docs/interface.md, Events).

import type { EventType } from '#kernel/data/table.ts'
import type { EventPayload, JobKind } from './job-kinds.ts'

/**
 * The job that the event's own statement writes, with `{ event_id, resource_id }`. Jobs about one record keep their order.
 * `quotesTable.events.paid`, or every event.
 */
export type Consumer = { event: EventType | '*'; job: JobKind<EventPayload> }

export type EventConsumers = {
  /** The kinds of the jobs that the event's statement has to enqueue. */
  jobsFor(type: string): string[]
}

export function eventConsumers(consumers: readonly Consumer[]): EventConsumers {
  return {
    jobsFor: (type) => consumers.filter(({ event }) => event === '*' || event === type).map(({ job }) => job.name),
  }
}

/** An event as a hook sees it. */
export type HookEvent = {
  id: number
  type: string
  organizationId: number
  sequence: number
  resource: string
  resourceId: number
  data: Record<string, unknown>
  at: string
}

/**
 * The vendor's own code, called in this process at least once per event, after the change has been committed. A hook
 * that throws is tried again with growing gaps and then parked; it holds up nothing else.
 */
export type Hook = (event: HookEvent) => Promise<void> | void
export type Hooks = Readonly<Record<string, Hook>>
