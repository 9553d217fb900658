// The demo's staff: a person for each role.
import { createAdministrator } from '#modules/identity/auth/create-administrator.ts'
import { createUser } from '#modules/identity/auth/register-user.ts'
import { staffMembers } from '#modules/identity/staff/queries.ts'
import { CUSTOMER } from '#kernel/values/staff-roles.ts'
import { one } from '#kernel/data/context.ts'
import type { Service } from './compose.ts'
import type { SignIn } from './console.ts'
import { demoExport } from './demo-export.ts'
import { demoImport } from './demo-import.ts'
import { demoVendorKey } from './demo-vendor-key.ts'
import { DEMO_SIGN_INS, DEMO_STAFF } from './demo-sign-ins.ts'
import { commandOrigin } from './origin.ts'

/** With a public password: only where the service is reachable from this machine alone. */
export async function createStaff(service: Service, passwordHash: string): Promise<SignIn[]> {
  const [{ email: administrator }, ...others] = DEMO_STAFF
  await service.transactions.asSystem('the demo', commandOrigin(service), async (ctx) => {
    await createAdministrator(ctx, administrator, passwordHash)
    const { id: by } = await one(ctx, staffMembers.idOf(administrator))
    const { now } = ctx
    for (const { name, email, role } of others) {
      const roles = [CUSTOMER, role]
      const made = await createUser(ctx, { name, email, status: 'ACTIVE', roles, language: 'en', passwordHash, now })
      if (made) await ctx.ask(staffMembers.appoint(made.id, by, now))
    }
  })
  await demoImport(service, administrator)
  await demoVendorKey(service, administrator)
  await demoExport(service, administrator)
  const { password } = DEMO_SIGN_INS
  return DEMO_STAFF.map(({ email, role }) => ({ email, password, role, organization: 'all', organizationId: null }))
}
