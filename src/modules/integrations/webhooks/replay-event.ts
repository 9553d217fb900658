// POST /admin/inbound-events/{id}/replay: the event is handled again. An unfinished job of it is made due instead of
// adding another.
import type { InboundSource } from '#http/manifest/module.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { handleEvent } from '../../messages/inbound/inbound-source.ts'
import { jobOfEvent, retryJobOfEvent, storedEvent } from '../../messages/inbound/provider-events.ts'

export async function replayEvent(ctx: SystemContext, sources: readonly InboundSource[], id: number): Promise<void> {
  const stored = await first(ctx, storedEvent(id))
  if (!stored) throw notFound()
  const { source: name, event, error } = stored
  const source = sources.find(({ names }) => names.includes(name))
  if (!source) throw conflict('event_not_handled', `No code of this version handles events of ${name}`)
  if (event === null)
    throw conflict('event_unreadable', `The event could not be read, so it cannot be handled again: ${error}`)
  if (isIgnored(event)) throw conflict('event_not_handled', 'Events of this type are not used')
  if (await first(ctx, jobOfEvent(id))) {
    await ctx.ask(retryJobOfEvent(id, ctx.now))
    ctx.onEnqueued()
  } else await handleEvent(ctx, source, { id, event })
}

const isIgnored = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'kind' in event && event.kind === 'ignored'
