// The stored events of other systems: listed, looked at and replayed by administrators.
import { Type } from 'typebox'
import { InboundEvent, InboundEventDetail, InboundEventFilters } from '#areas/webhooks/inbound-event.ts'
import { inboundEvents } from '#areas/webhooks/inbound-events.ts'
import { replayEvent } from '#areas/webhooks/replay-event.ts'
import { vendor } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'

export const inboundEventRoutes = [
  route({
    method: 'GET',
    path: '/admin/inbound-events',
    access: vendor('jobs'),
    purpose: 'List the stored events of other systems.',
    query: InboundEventFilters,
    page: InboundEvent,
    read: (_, { query }) => inboundEvents.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/inbound-events/{id}',
    access: vendor('jobs'),
    purpose: 'Get a stored event with its body.',
    params: ById,
    data: InboundEventDetail,
    read: (_, { params }) => inboundEvents.byId(params.id),
  }),
  route({
    method: 'POST',
    path: '/admin/inbound-events/{id}/replay',
    access: vendor('jobs'),
    purpose: 'Handle a stored event again.',
    description: '409 when it is of a type that is not used, could not be read, or has a sender that nothing handles.',
    params: ById,
    data: Type.Null(),
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => {
      await replayEvent(ctx, params.id)
      return { data: null, message: 'The event is handled again' }
    },
  }),
]
