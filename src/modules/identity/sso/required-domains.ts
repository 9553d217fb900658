// The domains whose people have to sign in by a connection are kept with the organization, where the access check reads
// them.
import { requireSignOn } from '#modules/identity/organizations/require-sign-on.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { connections } from './queries.ts'

/** As of now: a domain whose proof has gone is no longer required, since nobody could sign in by it. */
export async function requireDomains(ctx: OrganizationContext): Promise<void> {
  const rows = await ctx.ask(connections.requiredDomains(ctx.organizationId))
  await requireSignOn(
    ctx,
    rows.map(({ domain }) => domain),
  )
}
