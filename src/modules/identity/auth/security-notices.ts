// Changes of how an account is signed in to: each is in the service's audit log, and its person gets a mail.
import type { SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import type { SecurityNotice } from '#texts/mail/content.ts'
import { record } from './account-log.ts'

/** The content of the mail comes from an entry of the service's audit log. */
export const mailSecurityNotice = jobKind('auth/mail-security-notice', { entry_id: Id })

export async function notify(
  ctx: SystemContext,
  userId: number,
  notice: SecurityNotice,
  details: Record<string, unknown> = {},
): Promise<void> {
  await enqueue(ctx, mailSecurityNotice, { entry_id: await record(ctx, notice, userId, details) })
}
