// POST /admin/inbound-events/{id}/set-aside: staff have dealt with an event that could not be read. Its dead letter
// goes with it, since no retry could succeed.
import { Type, type Static } from 'typebox'
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { Closed, Name } from '#kernel/values/schema.ts'
import { removeJobsOfEvent, setAside, storedEvent } from '../../messages/inbound/provider-events.ts'

export const SettingAside = Closed({
  reason: Type.String({
    ...Name,
    description: 'What was done about it; kept with the event and in the audit log',
    examples: ['A test of the provider; nothing to settle'],
  }),
})
export type SettingAside = Static<typeof SettingAside>

export async function setEventAside(ctx: SystemContext, id: number, { reason }: SettingAside): Promise<void> {
  if (!(await first(ctx, storedEvent(id)))) throw notFound()
  if (!(await first(ctx, setAside(id, reason, ctx.now))))
    throw conflict('status_not_allowed', 'Only an event that could not be read can be set aside, and only once')
  await ctx.ask(removeJobsOfEvent(id))
  ctx.write(serviceEntry(ctx, 'set_aside', { resource: 'inbound_event', id, details: { reason } }))
}
