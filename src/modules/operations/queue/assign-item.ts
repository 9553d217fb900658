// Who has an item of the queue, and until when it is snoozed. Both stay with the record when it comes back to the
// queue.
import { first, type SystemContext } from '#kernel/data/context.ts'
import type { QueueSource } from '#http/manifest/queue.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { queue } from './queries.ts'
import type { Assignment, ItemPath, QueueItem, Snooze } from './queue-item.ts'

type Item = { source: QueueSource; id: number }

/** What the path names: 403 for who may not change records of its kind. */
export function waitingItem({ caller }: SystemContext, sources: readonly QueueSource[], { kind, id }: ItemPath): Item {
  const source = sources.find((one) => one.kind === kind)
  if (!source) throw notFound()
  const needed = permissionFor(source.scope, true)
  if (!caller.permissions?.includes(needed)) throw forbidden('scope_missing', `Scope not authorized: ${needed}`)
  return { source, id }
}

export async function assignItem(ctx: SystemContext, item: Item, { assignee_id: id }: Assignment): Promise<QueueItem> {
  const { kind, scope } = item.source
  await assertWaiting(ctx, item)
  if (id !== null && !(await first(ctx, queue.mayAct(id, scope))))
    throw invalid({ assignee_id: `is nobody of staff who may change ${kind}` })
  return changed(ctx, item, queue.assign(kind, item.id, id))
}

export async function snoozeItem(ctx: SystemContext, item: Item, { until }: Snooze): Promise<QueueItem> {
  await assertWaiting(ctx, item)
  return changed(ctx, item, queue.snooze(item.source.kind, item.id, until))
}

async function assertWaiting(ctx: SystemContext, { source, id }: Item): Promise<void> {
  if (!(await first(ctx, queue.item(source, id, ctx.now)))) throw notFound()
}

async function changed(ctx: SystemContext, { source, id }: Item, change: Statement): Promise<QueueItem> {
  ctx.write(change)
  const item = await first(ctx, queue.item(source, id, ctx.now))
  if (!item) throw notFound()
  return item
}
