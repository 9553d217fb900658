// Queues a mail to each recipient: its record, which staff can follow, and the job that sends it.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { mails, type NewMail } from './queries.ts'

type Recipient = { user_id: number | null; email?: string }

/** Travels with the next statement of the transaction. */
export function queueMails(ctx: OrganizationContext, mail: NewMail, to: readonly Recipient[]): void {
  if (to.length === 0) return
  const recipients = to.map(({ user_id, email }) => ({ user_id, ...(email !== undefined && { email }) }))
  ctx.write(mails.queue(ctx.organizationId, mail, recipients, ctx))
  ctx.onEnqueued()
}
