// The platform's administrators.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { createUser } from './register-user.ts'
import { revokeAccess } from './revoke-access.ts'
import { record } from './account-log.ts'
import { users } from './users.ts'

/**
 * False when somebody has that address already; then they get the role and keep their password. Unless the address is
 * unproven: a stranger may have registered with it, so their password and sessions end first.
 */
export async function createAdministrator(ctx: SystemContext, email: string, passwordHash: string): Promise<boolean> {
  const roles = ['customer', 'administrator']
  const made = await createUser(ctx, {
    email,
    name: 'Administrator',
    status: 'ACTIVE',
    roles,
    language: 'en',
    passwordHash,
    now: ctx.now,
  })
  if (made) return true
  const known = await first(ctx, users.byEmail(email))
  if (!known) return false
  if (known.status === 'PENDING') {
    await revokeAccess(ctx, known.id)
    await ctx.ask(users.setPassword(known.id, passwordHash, ctx.now))
    await ctx.ask(users.prove(known.id, known.email, ctx.now))
  }
  await ctx.ask(users.makeAdministrator(known.id, ctx.now))
  await record(ctx, 'made_administrator', known.id)
  return known.status === 'PENDING'
}
