// PUT /auth/me: a user's changes to their own profile, address and password.
import { type Acting, first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Cookie, Input, Result, RuleContext } from '#http/route.ts'
import { checkCurrentPassword, wrongPassword } from './passwords/current-password.ts'
import { requestAddressChange } from './request-address-change.ts'
import { rememberDevice } from './sessions/known-devices.ts'
import { hashNew, passwordRules } from './register-user.ts'
import { replacePassword } from './passwords/reset-password.ts'
import { NO_COOKIE } from './sessions/end-sessions.ts'
import { userOf } from './sessions/sign-in.ts'
import { record } from './account-log.ts'
import type { ProfileChange, User } from './user.ts'
import { userTokens } from './sessions/user-tokens.ts'
import { type Account, users } from './users.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']

/**
 * `provenHash`: hash of the current password, if the change needs it. `passwordHash`: of the new one, if there is one.
 */
export type CheckedChange = { ports: Ports; provenHash: string | null; passwordHash: string | null }

export async function checkChange(io: IoContext, body: ProfileChange): Promise<CheckedChange> {
  const { ports, caller } = io
  const { password, current_password: current = '' } = body
  if (secured(body, caller?.email) === null) return { ports, provenHash: null, passwordHash: null }
  const provenHash = await checkCurrentPassword(io, current)
  return { ports, provenHash, passwordHash: password === undefined ? null : await hashNew(io, password) }
}

/** The name of the change that needs the current password, or null. */
function secured({ email, password }: Partial<ProfileChange>, own: string | null | undefined): string | null {
  if (email !== undefined && !isSame(email, own)) return 'e-mail address'
  return password === undefined ? null : 'password'
}

export function profileRules(body: Partial<ProfileChange>, { email, isGiven }: RuleContext): Fields {
  const needing = isGiven('current_password') ? null : secured(body, email)
  return {
    ...passwordRules(body),
    ...(needing !== null && { current_password: `is required for a new ${needing}` }),
  }
}

const isSame = (one: string, other: string | null | undefined): boolean => one.toLowerCase() === other?.toLowerCase()

export async function changeProfile(
  ctx: SystemContext,
  body: ProfileChange,
  { ports, provenHash, passwordHash }: CheckedChange,
  headers: Headers,
): Promise<Result<User>> {
  const account = await first(ctx, users.locked(ctx.caller.userId ?? 0))
  if (!account) throw new Error('a signed-in user has no account')
  const { password: _new, current_password: _old, email, ...rest } = body
  const isSameAddress = email !== undefined && isSame(email, account.email)
  const isNewAddress = email !== undefined && !isSameAddress
  // The password has changed since it was checked; or the address has, so that an equal one is now a new one.
  if ((passwordHash !== null || isNewAddress) && (provenHash === null || account.password_hash !== provenHash))
    throw wrongPassword(account.password_hash)
  await assertOwnTeam(ctx, account, body.active_team_id)
  await changeColumns(ctx, account, { ...rest, ...(isSameAddress && { email }) })
  const cookies: Cookie[] = []
  if (passwordHash !== null) {
    await replacePassword(ctx, account.id, passwordHash, 'password_changed')
    const owner = { id: account.id, password_hash: passwordHash }
    cookies.push(NO_COOKIE, await rememberDevice(ctx, ports.secretKey, owner, headers))
  }
  if (isNewAddress) await requestAddressChange(ctx, ports, account, email)
  if (isSameAddress) await ctx.ask(userTokens.remove(account.id, 'email_change'))
  return {
    data: await userOf(ctx, account.id),
    message: messageFor(passwordHash !== null, isNewAddress),
    cookies,
  }
}

function messageFor(isNewPassword: boolean, isNewAddress: boolean): string {
  const sentences = ['Profile updated']
  if (isNewAddress) sentences.push('the new address counts once the mail to it is confirmed')
  if (isNewPassword) sentences.push('sign in again with the new password')
  return sentences.join('; ')
}

async function assertOwnTeam(ctx: SystemContext, { id }: Account, team: number | null | undefined): Promise<void> {
  if (team === undefined || team === null) return
  if (!(await first(ctx, users.isMember(id, team, ctx.now))))
    throw invalid({ active_team_id: 'names no organization that you belong to' })
}

async function changeColumns(ctx: SystemContext, { id }: Account, values: Record<string, unknown>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await ctx.ask(users.change(id, values, ctx.now))
  await record(ctx, 'profile_changed', id, values)
}

/** Makes the organization the active one of a user who has none. */
export async function chooseFirstTeam(ctx: Acting, userId: number, organizationId: number): Promise<void> {
  await ctx.ask(users.chooseFirstTeam(userId, organizationId))
}
