// In whose name the acts of a history are done.
import { type Caller, first, type OrganizationContext } from '#kernel/data/context.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { sql } from '#kernel/values/sql.ts'
import { DEMO_STAFF } from '../sign-ins.ts'

type Account = { id: number; name: string; roles: string[] }

const accountOf = (ctx: OrganizationContext, email: string) =>
  first(ctx, sql<Account>`select id, name, roles from users where email = ${email}`)

/** A member of the customer. */
export async function asMember(ctx: OrganizationContext, email: string): Promise<OrganizationContext> {
  const account = await accountOf(ctx, email)
  if (!account) throw new Error(`the demo has nobody with the address ${email}`)
  const caller: Caller = { ...ctx.caller, kind: 'user', userId: account.id, name: account.name, email, staff: false }
  return { ...ctx, caller }
}

export type StaffName = 'saulo' | 'sofia' | 'flora' | 'otto'

/** Somebody of staff; where the demo has none, since others can reach the service, the name without an account. */
export async function asStaff(ctx: OrganizationContext, who: StaffName): Promise<OrganizationContext> {
  const person = DEMO_STAFF.find(({ email }) => email.startsWith(who))
  if (!person) throw new Error(`the demo has no ${who} among its staff`)
  const account = await accountOf(ctx, person.email)
  const { name, email } = person
  if (!account) return { ...ctx, caller: { ...ctx.caller, name } }
  const permissions = permissionsOf(account.roles)
  return { ...ctx, caller: { ...ctx.caller, kind: 'user', userId: account.id, name, email, permissions } }
}
