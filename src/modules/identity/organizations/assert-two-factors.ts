// Who may ask everybody in an organization for a second factor.
import { sessions } from '#modules/identity/auth/sessions/sessions.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'

/** 409 for whoever has not passed what they ask for: they would shut themselves out with all others. */
export async function assertHasTwoFactors(ctx: OrganizationContext): Promise<void> {
  if (!(await first(ctx, sessions.hasTwoFactors(ctx.caller.sessionId, ctx.organizationId))))
    throw conflict(
      'second_factor_not_tried',
      'Sign in with a second factor of your own first; only then it can be required',
    )
}
