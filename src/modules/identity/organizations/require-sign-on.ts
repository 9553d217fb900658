// The domains whose people get into the organization by single sign-on only (docs/decisions/0091).
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { organizationsTable } from './organization.ts'
import { organizations } from './queries.ts'

/** Does nothing when they are the same already. `domains` are in order, each once. */
export async function requireSignOn(ctx: OrganizationContext, domains: readonly string[]): Promise<void> {
  const { sso_domains: before } = await one(ctx, organizations.rowById(ctx.organizationId))
  if (before.join() === domains.join()) return
  await update(ctx, organizationsTable, ctx.organizationId, { sso_domains: [...domains] })
}
