// Entries about accounts in the service's audit log.
import { type Acting, one, type IoContext } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'

/** The context with the account as its caller, for a request without a session. */
export function actingAs<Context extends Acting>(
  ctx: Context,
  { id, name, email }: { id: number; name: string; email: string },
): Context {
  return { ...ctx, caller: { ...ctx.caller, kind: 'user', userId: id, name, email } }
}

/** Writes an entry and returns its id, under which the job of a notice mail finds it. */
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

/**
 * A failed sign-in; `userId` is null for an unknown address, which is not logged because people type passwords there.
 */
export const refusedSignIn = (
  { now, requestId, ip }: IoContext,
  userId: number | null,
  action: 'sign_in_refused' | 'second_factor_refused' = 'sign_in_refused',
  details: Record<string, unknown> = {},
): Statement =>
  serviceEntry({ caller: { ...SYSTEM_CALLER, name: 'anonymous' }, now, requestId, ip }, action, {
    resource: 'user',
    id: userId,
    details,
  })
