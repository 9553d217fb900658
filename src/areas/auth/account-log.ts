// What happened to an account, in the platform's own log.
import { type Acting, one, type IoContext } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'
import { serviceEntry } from '#kernel/data/audit.ts'
import { SYSTEM_CALLER } from '#kernel/data/transactions.ts'

/** The context of somebody who is not signed in yet, or was until now. */
export function actingAs<Context extends Acting>(
  ctx: Context,
  { id, name, email }: { id: number; name: string; email: string },
): Context {
  return { ...ctx, caller: { ...ctx.caller, kind: 'user', userId: id, name, email } }
}

/** Writes the entry and gives its id, by which a notice finds what it tells. */
export async function record(
  ctx: Acting,
  action: string,
  userId: number,
  details: Record<string, unknown> = {},
): Promise<number> {
  const entry = await one(
    ctx,
    sql<{ id: number }>`${serviceEntry(ctx, action, { resource: 'user', id: userId, details })} returning id`,
  )
  return entry.id
}

/** Whose password was wrong; null when nobody has the address, which is not kept (people type passwords there). */
export const refusedSignIn = ({ now, requestId, ip }: IoContext, userId: number | null): Statement =>
  serviceEntry({ caller: { ...SYSTEM_CALLER, name: 'anonymous' }, now, requestId, ip }, 'sign_in_refused', {
    resource: 'user',
    id: userId,
  })
