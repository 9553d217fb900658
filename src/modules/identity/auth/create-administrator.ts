// Creates administrators of the vendor.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { CUSTOMER } from '#kernel/values/staff-roles.ts'
import { createUser } from './register-user.ts'
import { revokeAccess } from './revoke-access.ts'
import { sessions } from './sessions/sessions.ts'
import { record } from './account-log.ts'
import { users } from './users.ts'

/**
 * False when an account with a proven address exists: it gets the role and keeps its password; its sessions end. An
 * account whose address is unproven may be somebody else's, so its access is revoked and it gets the new password.
 * Where another administrator can sign in, an account that exists stays as it is: its role may have been taken away,
 * and each start comes here.
 */
export async function createAdministrator(ctx: SystemContext, email: string, passwordHash: string): Promise<boolean> {
  const made = await createUser(ctx, {
    email,
    name: 'Administrator',
    status: 'ACTIVE',
    roles: [CUSTOMER],
    language: 'en',
    passwordHash,
    now: ctx.now,
  })
  if (made) {
    await ctx.ask(users.makeAdministrator(made.id, ctx.now))
    return true
  }
  const known = await first(ctx, users.byEmail(email))
  if (!known || (await first(ctx, users.anyAdministrator()))) return false
  if (known.status === 'PENDING') {
    await revokeAccess(ctx, known.id)
    await ctx.ask(users.setPassword(known.id, passwordHash, ctx.now))
    await ctx.ask(users.prove(known.id, known.email, ctx.now))
  }
  await ctx.ask(users.makeAdministrator(known.id, ctx.now))
  await ctx.ask(sessions.endAllOf(known.id, ctx.now))
  await record(ctx, 'made_administrator', known.id)
  return known.status === 'PENDING'
}
