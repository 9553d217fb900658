// The current password, which changes of an account's credentials need: a stolen token must not suffice for them.
import { first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { type AppError, invalid } from '#kernel/values/errors.ts'
import { type Account, users } from '../users.ts'

/** The hash that the password has proven, to be compared again under the lock of the account. 422 for another one. */
export async function checkCurrentPassword({ ports, caller, read }: IoContext, current: string): Promise<string> {
  const [account] = await read(users.byId(caller?.userId ?? 0))
  const hash = account?.password_hash ?? null
  if (!(await ports.passwords.verify(hash, current)) || hash === null) throw wrongPassword(hash)
  return hash
}

/** The caller's account, locked. 422 when its password has changed since it was checked. */
export async function provenAccount(ctx: SystemContext, provenHash: string): Promise<Account> {
  const account = await first(ctx, users.locked(ctx.caller.userId ?? 0))
  if (account?.password_hash !== provenHash) throw wrongPassword(account?.password_hash ?? null)
  return account
}

export const wrongPassword = (hash: string | null): AppError =>
  invalid({
    current_password: hash === null ? 'there is none yet; set one by POST /auth/forgot-password' : 'is wrong',
  })
