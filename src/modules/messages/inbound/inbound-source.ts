// Senders of inbound webhooks: each is one value, declared beside the job that handles its events. Imports no area,
// since the areas that handle events declare theirs with it.
import type { SystemContext } from '#kernel/data/context.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type ReceivedBody, type Sender, storeEvent } from './provider-events.ts'

export type InboundSource = {
  /** The providers whose events the job handles, as `source` of provider_events names them. */
  names: readonly string[]
  /** Its bodies have sums, for whoever may read finances. */
  hasSums: boolean
  handle: JobKind<{ provider_event_id: number }>
  /** Events with the same key are handled in order. Gets the event as it was read, of any version of the code. */
  keyOf?: (event: unknown) => string | undefined
}

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
