// Who is staff while a change of it is decided: the account, and the administrators, of whom one must remain.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { type StaffAccount, staffMembers } from './queries.ts'

/**
 * The account of the id, locked with all administrators. 403 when the caller, who waited, is no administrator any more.
 */
export async function lockedAccount(
  ctx: SystemContext,
  id: number,
): Promise<{ account: StaffAccount; isLast: boolean }> {
  const locked = await ctx.ask(staffMembers.locked(id))
  const acting = locked.filter(isActing)
  const { kind, userId } = ctx.caller
  if (kind === 'user' && !acting.some((one) => one.id === userId))
    throw forbidden('role_too_low', 'You are no administrator any more')
  const account = locked.find((one) => one.id === id)
  if (!account) throw notFound()
  return { account, isLast: acting.every((one) => one.id === id) }
}

/** Can sign in, and appoint others. */
const isActing = ({ roles, status, is_disabled }: StaffAccount): boolean =>
  roles.includes('administrator') && status === 'ACTIVE' && !is_disabled

export const assertNotLast = (isLast: boolean): void => {
  if (isLast) throw conflict('last_administrator', 'This is the last administrator; appoint another one first')
}

/** For whatever else takes an account away. */
export async function assertAdministratorRemains(ctx: SystemContext, withoutId: number): Promise<void> {
  const { account, isLast } = await lockedAccount(ctx, withoutId)
  assertNotLast(isLast && isActing(account))
}

/** The same for a person who leaves by themselves, staff or not. */
export async function assertIsNotLastAdministrator(ctx: SystemContext, id: number): Promise<void> {
  const acting = (await ctx.ask(staffMembers.locked(id))).filter(isActing)
  assertNotLast(acting.length > 0 && acting.every((one) => one.id === id))
}

export async function staffMember(ctx: SystemContext, id: number) {
  const member = await first(ctx, staffMembers.byId(id))
  if (!member) throw notFound()
  return member
}
