// An organization of the demo with its people, made as registrations make them.
import { createUser } from '#modules/identity/auth/register-user.ts'
import { collaboratorsTable } from '#modules/identity/collaborators/collaborator.ts'
import { createOrganization } from '#modules/identity/organizations/create-organization.ts'
import type { OrganizationValues } from '#modules/identity/organizations/organization.ts'
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { CUSTOMER } from '#kernel/values/staff-roles.ts'
import { FLAGS, SCOPES } from '#kernel/values/permissions.ts'
import { demoConsents } from './consents.ts'
import { DEMO_MEMBERS, DEMO_SIGN_INS, type DemoMember, type DemoOrganization, type SignIn } from './sign-ins.ts'

export type DemoCustomer = {
  organization: OrganizationValues & { name: DemoOrganization }
  language: 'pt-BR' | 'en'
  currency: string
}

/** Gives its context with the owner as the caller. */
export async function openDemoOrganization(
  ctx: SystemContext,
  { organization, language }: DemoCustomer,
  passwordHash: string,
): Promise<OrganizationContext> {
  const members: readonly DemoMember[] = DEMO_MEMBERS[organization.name]
  const people = []
  for (const person of members) {
    const { name, email } = person
    const account = { name, email, status: 'ACTIVE' as const, roles: [CUSTOMER], language, passwordHash, now: ctx.now }
    const made = await createUser(ctx, account)
    if (made) people.push({ ...person, userId: made.id })
  }
  await demoConsents(ctx, people)
  const [owner, ...others] = people
  if (!owner) throw new Error('the demo has people already, but no organization')
  const by = { userId: owner.userId, email: owner.email, name: owner.name }
  const caller = { ...ctx.caller, ...by, kind: 'user' as const, staff: false }
  const { id } = await createOrganization({ ...ctx, caller }, organization)
  const inside = await ctx.enter(id)
  for (const other of others) await insert(inside, collaboratorsTable, membership(other))
  return { ...inside, caller }
}

const membership = ({ userId, email, role, scopes }: DemoMember & { userId: number }) => ({
  user_id: userId,
  email,
  role,
  invite_status: 'accepted' as const,
  ...Object.fromEntries(FLAGS.map((flag) => [flag, scopes.some((scope) => SCOPES[scope].flag === flag)])),
})

export function signInsOf(organization: DemoOrganization, organizationId: number): SignIn[] {
  const { password } = DEMO_SIGN_INS
  const members: readonly DemoMember[] = DEMO_MEMBERS[organization]
  return members.map(({ email, role }) => ({ email, role, password, organization, organizationId }))
}
