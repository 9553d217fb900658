// POST /admin/staff: gives an account the roles of staff, or invites the address to make one.
import { first, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { CUSTOMER } from '#kernel/values/staff-roles.ts'
import { conflict } from '#kernel/values/errors.ts'
import { record } from '#modules/identity/auth/account-log.ts'
import { issueAndMail } from '#modules/identity/auth/mailed-tokens.ts'
import { createUser } from '#modules/identity/auth/register-user.ts'
import { revokeAccess } from '#modules/identity/auth/revoke-access.ts'
import { sessions } from '#modules/identity/auth/sessions/sessions.ts'
import { mailAboutRoles } from './jobs.ts'
import { lockedAccount, staffMember } from './locked-staff.ts'
import { staffMembers } from './queries.ts'
import type { NewStaffMember, StaffMember } from './staff-member.ts'

export async function appointStaff(ctx: SystemContext, body: NewStaffMember, ports: Ports): Promise<StaffMember> {
  const { email, roles, reason } = body
  const id = (await first(ctx, staffMembers.idOf(email)))?.id ?? (await createdFor(ctx, body))
  if (id === undefined) throw conflict('email_taken', 'The address is reserved for an account that has just left it')
  const { account } = await lockedAccount(ctx, id)
  if (account.is_disabled)
    throw conflict('account_disabled', 'The account of this address is disabled; enable it first')
  if (account.roles.length > 0)
    throw conflict('already_staff', 'The account of this address is staff already; change its roles')
  // Somebody else may have registered the address: who proves it decides what becomes of the account.
  if (account.status === 'PENDING') await revokeAccess(ctx, id)
  // A session was opened with what suffices for a customer, maybe by the identity provider of one.
  await ctx.ask(sessions.endAllOf(id, ctx.now))
  await ctx.ask(staffMembers.setRoles(id, roles, ctx.now))
  await ctx.ask(staffMembers.appoint(id, ctx.caller.userId, ctx.now))
  const entryId = await record(ctx, 'staff_appointed', id, { before: [], after: roles, reason })
  if (account.status === 'PENDING') await issueAndMail(ctx, ports, account, 'verify')
  await mailAboutRoles(ctx, entryId, account)
  return staffMember(ctx, id)
}

/**
 * The new account of an address that has none; it is nobody's until the mailed link proves the address. The
 * administrators are locked first, as by `lockedAccount`: of two who appoint the same address the second waits here,
 * and finds the account.
 */
async function createdFor(ctx: SystemContext, { email, name }: NewStaffMember): Promise<number | undefined> {
  await ctx.ask(staffMembers.lockedAdministrators())
  const made = await createUser(ctx, {
    email,
    name: name ?? email.slice(0, email.lastIndexOf('@')),
    status: 'PENDING',
    roles: [CUSTOMER],
    language: ctx.caller.language === 'pt-BR' ? 'pt-BR' : 'en',
    passwordHash: null,
    now: ctx.now,
  })
  return made?.id ?? (await first(ctx, staffMembers.idOf(email)))?.id
}
