// PUT /auth/me: what people change about themselves.
import { first, type Outside, type Ports, type SystemContext } from '#kernel/context.ts'
import { invalid } from '#kernel/errors.ts'
import type { Result } from '#kernel/route.ts'
import { mailToken } from './mailed-tokens.ts'
import { hashNew } from './register.ts'
import { replacePassword } from './reset-password.ts'
import { NO_COOKIE, userOf } from './sign-in.ts'
import { record } from './trail.ts'
import type { ProfileChange, User } from './user.ts'
import { userTokens } from './user-tokens.ts'
import { type Account, users } from './users.ts'

/** `passwordHash` is null when the password stays. */
export type CheckedChange = { ports: Ports; oldHash: string | null; passwordHash: string | null }

/** A new password needs the current one. */
export async function checkChange(outside: Outside, body: ProfileChange): Promise<CheckedChange> {
  const { ports, caller, read } = outside
  if (body.password === undefined) return { ports, oldHash: null, passwordHash: null }
  if (body.current_password === undefined) throw invalid({ current_password: 'is required for a new password' })
  const [account] = await read(users.byId(caller?.userId ?? 0))
  const oldHash = account?.password_hash ?? null
  if (!(await ports.passwords.verify(oldHash, body.current_password))) throw wrongPassword(oldHash)
  return { ports, oldHash, passwordHash: await hashNew(outside, body.password) }
}

const wrongPassword = (hash: string | null) =>
  invalid({
    current_password: hash === null ? 'there is none yet; set one by POST /auth/forgot-password' : 'is wrong',
  })

export async function changeProfile(
  ctx: SystemContext,
  body: ProfileChange,
  { ports, oldHash, passwordHash }: CheckedChange,
): Promise<Result<User>> {
  const account = await first(ctx, users.locked(ctx.caller.userId ?? 0))
  if (!account) throw new Error('whoever is signed in has an account')
  if (passwordHash !== null && account.password_hash !== oldHash) throw wrongPassword(account.password_hash)
  await refuseForeignTeam(ctx, account, body.active_team_id)
  const { password: _new, current_password: _old, email, ...rest } = body
  const isSameAddress = email?.toLowerCase() === account.email.toLowerCase()
  await changeColumns(ctx, account, { ...rest, ...(isSameAddress && { email }) })
  if (passwordHash !== null) await replacePassword(ctx, account.id, passwordHash, 'password_changed')
  if (email !== undefined && !isSameAddress) await requestAddress(ctx, ports, account, email)
  if (isSameAddress) await ctx.ask(userTokens.remove(account.id, 'email_change'))
  return {
    data: await userOf(ctx, account.id),
    message: messageFor(passwordHash !== null, email !== undefined && !isSameAddress),
    ...(passwordHash !== null && { cookie: NO_COOKIE }),
  }
}

function messageFor(isNewPassword: boolean, isNewAddress: boolean): string {
  const sentences = ['Profile updated']
  if (isNewAddress) sentences.push('the new address counts once the mail to it is confirmed')
  if (isNewPassword) sentences.push('sign in again with the new password')
  return sentences.join('; ')
}

async function refuseForeignTeam(ctx: SystemContext, { id }: Account, team: number | null | undefined): Promise<void> {
  if (team === undefined || team === null) return
  if (!(await first(ctx, users.isMember(id, team, ctx.now))))
    throw invalid({ active_team_id: 'names no organization that you belong to' })
}

async function changeColumns(ctx: SystemContext, { id }: Account, values: Record<string, unknown>): Promise<void> {
  if (Object.keys(values).length === 0) return
  await ctx.ask(users.change(id, values, ctx.now))
  await record(ctx, 'profile_changed', id, values)
}

/** Taken or not, the answer is the same: only whoever reads that mailbox learns more. */
async function requestAddress(ctx: SystemContext, ports: Ports, { id }: Account, email: string): Promise<void> {
  await mailToken(ctx, ports, { id, email }, 'email_change')
  await record(ctx, 'email_change_requested', id, { email })
}

/** Somebody without a default organization gets their first one. */
export async function chooseFirstTeam(ctx: SystemContext, userId: number, organizationId: number): Promise<void> {
  await ctx.ask(users.chooseFirstTeam(userId, organizationId))
}
