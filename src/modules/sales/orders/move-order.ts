// Staff's change of an order's status, where it has no effect beyond the order's row.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { cut } from '#kernel/values/text/text.ts'
import { type OrderRow, type OrderStatus, orderMoves, ordersTable } from './order.ts'

/** 409 when the table of moves has none from the order's status to this one. */
export async function moveOrder(
  ctx: OrganizationContext,
  order: OrderRow,
  status: OrderStatus,
  note: string | null,
): Promise<OrderRow> {
  const found = Object.values(orderMoves).find((one) => one.to === status && allows(one, order.status))
  if (!found) throw conflict('status_not_allowed', `An order that is ${order.status} cannot become ${status}`)
  const completed = status === 'completed' ? { date_completed: ctx.now.toISOString() } : {}
  return move({ ...ctx, reason: note ?? ctx.reason ?? null }, ordersTable, order.id, found, {
    ...completed,
    ...withNote(order, note),
  })
}

/** A new note is appended to the notes of the order, which are never replaced. */
export function withNote(order: OrderRow, note: string | null): { notes?: string } {
  if (note === null || note === '') return {}
  return { notes: cut([order.notes, note].filter(Boolean).join('\n'), 20_000) }
}
