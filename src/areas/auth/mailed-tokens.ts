// Issuing the tokens that are mailed. The job that mails one finds it by its id.
import { one, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/http/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { type Purpose, tokenOf, userTokens } from './user-tokens.ts'

export const TOKEN_JOB = 'auth/mail-token'
export const PASSWORD_NOTICE_JOB = 'auth/mail-password-changed'
export const EMAIL_REQUEST_NOTICE_JOB = 'auth/mail-email-change-requested'
export const EMAIL_NOTICE_JOB = 'auth/mail-email-changed'

type Addressee = { id: number; email: string }

export async function mailToken(ctx: SystemContext, ports: Ports, to: Addressee, purpose: Purpose): Promise<void> {
  const issued = await issueToken(ctx, ports, to, purpose)
  await enqueue(ctx, TOKEN_JOB, { user_token_id: issued.id })
}

/** The token itself is only for the answer to whoever has shown in this request that the mailbox is theirs. */
export async function issueToken(ctx: SystemContext, { secretKey }: Ports, { id, email }: Addressee, purpose: Purpose) {
  const nonce = randomToken(16)
  const issued = await one(ctx, userTokens.issue({ userId: id, purpose, email, nonce, secretKey, now: ctx.now }))
  return { id: issued.id, token: tokenOf(secretKey, { purpose, user_id: id, nonce }) }
}

/** For an address without an account the same writes happen, so that the time tells nothing. */
export async function mailNothing(ctx: SystemContext): Promise<void> {
  await ctx.ask(userTokens.remove(0, 'reset'))
  await enqueue(ctx, TOKEN_JOB, { user_token_id: null })
}

export const badToken = (field: 'token' | 'key') =>
  invalid({ [field]: 'is wrong, used, expired, or replaced by a newer one; ask for another' })
