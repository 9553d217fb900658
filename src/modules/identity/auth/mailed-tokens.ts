// Issues mailed tokens, and enqueues the jobs that mail them by their id.
import { one, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { Id, Nullable } from '#kernel/values/schema.ts'
import { type Purpose, tokenOf, userTokens } from './sessions/user-tokens.ts'

/** With null the job mails nothing. */
export const mailToken = jobKind('auth/mail-token', { user_token_id: Nullable(Id) }, { isUrgent: true })
/** The content of a notice comes from an entry of the service's audit log. */
const entry = { entry_id: Id }
export const mailPasswordChanged = jobKind('auth/mail-password-changed', entry)
export const mailEmailChangeRequested = jobKind('auth/mail-email-change-requested', entry)
export const mailEmailChanged = jobKind('auth/mail-email-changed', entry)

type Addressee = { id: number; email: string }

export async function issueAndMail(ctx: SystemContext, ports: Ports, to: Addressee, purpose: Purpose): Promise<void> {
  const issued = await issueToken(ctx, ports, to, purpose)
  await enqueue(ctx, mailToken, { user_token_id: issued.id })
}

/** Put the returned token into an answer only if this request has proven that the mailbox is the caller's. */
export async function issueToken(ctx: SystemContext, { secretKey }: Ports, { id, email }: Addressee, purpose: Purpose) {
  const nonce = randomToken(16)
  const issued = await one(ctx, userTokens.issue({ userId: id, purpose, email, nonce, secretKey, now: ctx.now }))
  return { id: issued.id, token: tokenOf(secretKey, { purpose, user_id: id, nonce }) }
}

/** The same writes for an address without an account, so that response times do not reveal whether it has one. */
export async function mailNothing(ctx: SystemContext): Promise<void> {
  await ctx.ask(userTokens.remove(0, 'reset'))
  await enqueue(ctx, mailToken, { user_token_id: null })
}

export const badToken = (field: 'token' | 'key') =>
  invalid({ [field]: 'is wrong, used, expired, or replaced by a newer one; ask for another' })
