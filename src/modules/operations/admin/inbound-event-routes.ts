// The stored events of other systems: listed, looked at, replayed and set aside by staff.
import { Type } from 'typebox'
import { InboundEvent, InboundEventDetail, InboundEventFilters } from '#modules/integrations/webhooks/inbound-event.ts'
import { inboundEvents } from '#modules/integrations/webhooks/inbound-events.ts'
import { replayEvent } from '#modules/integrations/webhooks/replay-event.ts'
import { setEventAside, SettingAside } from '#modules/integrations/webhooks/set-event-aside.ts'
import { vendor } from '#kernel/values/permissions.ts'
import type { InboundSource } from '#http/manifest/module.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'

export const inboundEventRoutes = (sources: readonly InboundSource[]) => [
  route({
    method: 'GET',
    path: '/admin/inbound-events',
    access: vendor('jobs'),
    purpose: 'List the stored events of other systems.',
    description: 'Newest first, without their bodies. Sums in `error` are shown with the scope `finances` only.',
    query: InboundEventFilters,
    page: InboundEvent,
    read: (_, { query }) => inboundEvents.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/inbound-events/{id}',
    access: vendor('jobs'),
    purpose: 'Get a stored event with its body.',
    description: 'What payment providers, shops and CRMs send has sums: it needs the scope finances too.',
    params: ById,
    data: InboundEventDetail,
    read: (_, { params }) => inboundEvents.byId(sources, params.id),
  }),
  route({
    method: 'POST',
    path: '/admin/inbound-events/{id}/replay',
    access: vendor('jobs'),
    purpose: 'Handle a stored event again.',
    description: '409 when it is of a type that is not used, could not be read, or has a sender that nothing handles.',
    params: ById,
    data: Type.Null(),
    fails: ['event_not_handled', 'event_unreadable'],
    run: async (ctx, { params }) => {
      await replayEvent(ctx, sources, params.id)
      return { data: null, message: 'The event is handled again' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/inbound-events/{id}/set-aside',
    access: vendor('jobs'),
    purpose: 'Set aside an event that could not be read.',
    description:
      'It leaves the queue, and its dead letter is removed. It is kept, with its body, for people to read ' +
      'until `inbound_event_days` are over; it cannot be handled again. 409 when it could be read, or is set ' +
      'aside already.',
    params: ById,
    body: SettingAside,
    openapi: {
      operationId: 'dismissInboundEvent',
      example: { reason: 'A test of the provider; nothing to settle' },
    },
    data: Type.Null(),
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => {
      await setEventAside(ctx, params.id, body)
      return { data: null, message: 'Event set aside; it is kept to be read, and cannot be handled again' }
    },
  }),
]
