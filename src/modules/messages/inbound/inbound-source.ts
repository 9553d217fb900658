// Events of the senders of webhooks are stored once, and handled by the job of their source.
import type { InboundSource } from '#http/manifest/module.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type ReceivedBody, type Sender, storeEvent } from './provider-events.ts'

/** Stores the event and enqueues its handling, unless its type is not used. False if it is stored already. */
export async function receiveEvent(
  ctx: SystemContext,
  source: InboundSource,
  { sender, received, body }: { sender: Sender; received: ReceivedBody; body: Buffer },
): Promise<boolean> {
  const [stored] = await ctx.ask(storeEvent(sender, received, { body, now: ctx.now }))
  if (stored && received.kind !== 'ignored') await handleEvent(ctx, source, { id: stored.id, event: received })
  return stored !== undefined
}

export const handleEvent = (
  ctx: SystemContext,
  { handle, keyOf }: InboundSource,
  { id, event }: { id: number; event: unknown },
): Promise<void> => {
  const key = keyOf?.(event)
  return enqueue(ctx, handle, { provider_event_id: id }, key === undefined ? {} : { key })
}
