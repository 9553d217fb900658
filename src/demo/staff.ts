// The demo's staff: a person for each role, and a team.
import { createAdministrator } from '#modules/identity/auth/create-administrator.ts'
import { createUser } from '#modules/identity/auth/register-user.ts'
import { staffMembers } from '#modules/identity/staff/queries.ts'
import { createTeam } from '#modules/support/teams/change-team.ts'
import { CUSTOMER } from '#kernel/values/staff-roles.ts'
import { one } from '#kernel/data/context.ts'
import type { DemoService } from './demo-service.ts'
import type { SignIn } from './sign-ins.ts'
import { demoExport } from './export.ts'
import { demoImport } from './import.ts'
import { demoVendorKey } from './vendor-key.ts'
import { DEMO_SIGN_INS, DEMO_STAFF } from './sign-ins.ts'

/** With a public password: only where the service is reachable from this machine alone. */
export async function createStaff(service: DemoService, passwordHash: string): Promise<SignIn[]> {
  const [{ email: administrator }, ...others] = DEMO_STAFF
  await service.transactions.asSystem('the demo', service.origin(), async (ctx) => {
    await createAdministrator(ctx, administrator, passwordHash)
    const { id: by } = await one(ctx, staffMembers.idOf(administrator))
    const { now } = ctx
    for (const { name, email, role } of others) {
      const roles = [CUSTOMER, role]
      const made = await createUser(ctx, { name, email, status: 'ACTIVE', roles, language: 'en', passwordHash, now })
      if (made) await ctx.ask(staffMembers.appoint(made.id, by, now))
      if (made && role === 'support')
        await createTeam(ctx, { name: 'Hosting', default_for: ['ENV'], member_ids: [made.id] })
    }
  })
  await demoImport(service, administrator)
  await demoVendorKey(service, administrator)
  await demoExport(service, administrator)
  const { password } = DEMO_SIGN_INS
  return DEMO_STAFF.map(({ email, role }) => ({ email, password, role, organization: 'all', organizationId: null }))
}
