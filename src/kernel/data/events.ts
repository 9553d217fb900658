// Events and their consumers: jobs of the areas and hooks of the vendor (docs/interface/messages.md, Events).
import type { Ports } from './context.ts'
import type { EventType } from './table.ts'
import type { EventPayload, JobKind } from './job-kinds.ts'

/**
 * The statement that emits the event enqueues the job with `{ event_id, resource_id }`. Jobs about one record keep
 * their order. `event` is a value such as `quotesTable.events.paid`, or `*` for every event. `isUsed` is asked once, at
 * the start: without the system that it serves, a consumer enqueues nothing.
 */
export type Consumer = { event: EventType | '*'; job: JobKind<EventPayload>; isUsed?: (ports: Ports) => boolean }

export type EventConsumers = {
  /** The kinds of the jobs to enqueue with an event of this type. */
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
 * that throws is tried again with growing gaps and then becomes a dead letter; no other job waits for it.
 */
export type Hook = (event: HookEvent) => Promise<void> | void
export type Hooks = Readonly<Record<string, Hook>>
