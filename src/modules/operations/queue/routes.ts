// The queue of staff. Each kind has routes of its own, since each needs other permissions.
import { anyStaff, vendor } from '#kernel/values/permissions.ts'
import type { QueueSource } from '#http/manifest/queue.ts'
import { route, type Route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { assignItem, snoozeItem } from './assign-item.ts'
import { queue } from './queries.ts'
import { Assignment, queueCountsOf, queueFiltersOf, queueItemOf, Snooze } from './queue-item.ts'

export function queueRoutes(sources: readonly QueueSource[]): Route[] {
  const kinds = sources.map(({ kind }) => kind)
  const QueueItem = queueItemOf(kinds)
  return [
    route({
      method: 'GET',
      path: '/admin/queue',
      access: anyStaff,
      purpose: 'List what waits for staff, the longest waiting first.',
      description:
        'Each kind is listed only if the caller’s permissions allow to read it. ' +
        `${sources.map(({ kind, waits }) => `\`${kind}\`: ${waits}`).join('; ')}. \`act\` is the request ` +
        'that settles the item. An item leaves the queue with the state of its record.',
      query: queueFiltersOf(kinds),
      page: QueueItem,
      features: { limitsOrganizations: true },
      read: ({ now, organizations: only }, { query }) => queue.page(sources, query, { now, only }),
    }),
    route({
      method: 'GET',
      path: '/admin/queue/counts',
      access: anyStaff,
      purpose: 'Count what waits for staff, by kind.',
      description: 'Only kinds that the caller’s permissions allow to read.',
      data: queueCountsOf(kinds),
      features: { limitsOrganizations: true },
      read: ({ now, organizations: only }) => queue.counts(sources, { now, only }),
    }),
    ...sources.flatMap((source) => changesOf(source, QueueItem)),
  ]
}

const changesOf = (source: QueueSource, QueueItem: ReturnType<typeof queueItemOf>): Route[] => [
  route({
    method: 'POST',
    path: `/admin/queue/${source.kind}/{id}/assign`,
    access: vendor(source.scope),
    purpose: `Say who has an item of the queue (${source.kind}).`,
    description: '404 when it does not wait.',
    params: ById,
    body: Assignment,
    openapi: { operationId: `assignQueue${camel(source.kind)}`, example: { assignee_id: 1 } },
    data: QueueItem,
    run: async (ctx, { params, body }) => ({
      data: await assignItem(ctx, { source, id: params.id }, body),
      message: body.assignee_id === null ? 'Nobody has the item' : 'Assigned',
    }),
  }),
  route({
    method: 'POST',
    path: `/admin/queue/${source.kind}/{id}/snooze`,
    access: vendor(source.scope),
    purpose: `Hide an item of the queue until a time (${source.kind}).`,
    description: '404 when it does not wait.',
    params: ById,
    body: Snooze,
    rules: ({ until }, { now }) => inFuture('until', until, now),
    openapi: { operationId: `snoozeQueue${camel(source.kind)}`, example: { until: '2099-12-01T09:00:00.000Z' } },
    data: QueueItem,
    run: async (ctx, { params, body }) => ({
      data: await snoozeItem(ctx, { source, id: params.id }, body),
      message: body.until === null ? 'Not snoozed any more' : 'Snoozed',
    }),
  }),
]

/** `DeadLetters` */
const camel = (kind: string): string =>
  kind
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
