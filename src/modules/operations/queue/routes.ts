// The queue of staff. What may be seen and done of an item depends on the scope of its kind.
import { anyStaff } from '#kernel/values/permissions.ts'
import type { QueueSource } from '#http/manifest/queue.ts'
import { route, type Route } from '#http/route.ts'
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { assignItem, snoozeItem, waitingItem } from './assign-item.ts'
import { queue } from './queries.ts'
import { Assignment, itemPathOf, queueCountsOf, queueFiltersOf, queueItemOf, Snooze } from './queue-item.ts'

export const queueRoutes = (sources: readonly QueueSource[]): Route[] => [...reads(sources), ...changes(sources)]

const kindsOf = (sources: readonly QueueSource[]): string[] => sources.map(({ kind }) => kind)

function reads(sources: readonly QueueSource[]): Route[] {
  const kinds = kindsOf(sources)
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
      page: queueItemOf(kinds),
      features: { limitsOrganizations: true },
      read: ({ now, organizations: only }, { query }) => queue.page(sources, query, { now, only }),
    }),
    route({
      method: 'GET',
      path: '/admin/queue/counts',
      access: anyStaff,
      purpose: 'Get how much waits for staff, by kind.',
      description: 'Only kinds that the caller’s permissions allow to read.',
      data: queueCountsOf(kinds),
      features: { limitsOrganizations: true },
      read: ({ now, organizations: only }) => queue.counts(sources, { now, only }),
    }),
  ]
}

const NEEDS = '403 without the permission to change records of the kind, 404 when it does not wait.'

function changes(sources: readonly QueueSource[]): Route[] {
  const params = itemPathOf(kindsOf(sources))
  const data = queueItemOf(kindsOf(sources))
  return [
    route({
      method: 'POST',
      path: '/admin/queue/{kind}/{id}/assign',
      access: anyStaff,
      purpose: 'Say who has an item of the queue.',
      description: NEEDS,
      params,
      body: Assignment,
      openapi: { operationId: 'assignQueueItem', example: { assignee_id: 1 } },
      data,
      run: async (ctx, { params: item, body }) => ({
        data: await assignItem(ctx, waitingItem(ctx, sources, item), body),
        message: body.assignee_id === null ? 'Nobody has the item' : 'Assigned',
      }),
    }),
    route({
      method: 'POST',
      path: '/admin/queue/{kind}/{id}/snooze',
      access: anyStaff,
      purpose: 'Hide an item of the queue until a time.',
      description: NEEDS,
      params,
      body: Snooze,
      rules: ({ until }, { now }) => inFuture('until', until, now),
      openapi: { operationId: 'snoozeQueueItem', example: { until: '2099-12-01T09:00:00.000Z' } },
      data,
      run: async (ctx, { params: item, body }) => ({
        data: await snoozeItem(ctx, waitingItem(ctx, sources, item), body),
        message: body.until === null ? 'Not snoozed any more' : 'Snoozed',
      }),
    }),
  ]
}
