// POST /admin/mails/{id}/resend: the same mail as it would be written today, with a record of its own.
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { MailRecord } from './mail-record.ts'
import { mails } from './queries.ts'

export async function resendMail(ctx: SystemContext, id: number): Promise<MailRecord> {
  const mail = await first(ctx, mails.locked(id))
  if (!mail) throw notFound()
  const { organization_id, resource_id, kind, user_id, email } = mail
  if (organization_id === null || resource_id === null)
    throw conflict('mail_of_account', 'The person asks for this mail again themselves')
  const inside = await ctx.enter(organization_id)
  const job = await first(inside, mails.jobOf(organization_id, id))
  const again = await first(inside, mails.isBeingResent(organization_id, id))
  if ((job && !job.is_dead_letter) || again) throw conflict('already_in_progress', 'The mail is still being sent')
  if (job) inside.write(mails.removeDeadLetter(organization_id, id))
  const to = [{ user_id, ...(user_id === null && email !== null && { email }) }]
  const queued = await one(
    inside,
    mails.queue(organization_id, { mail: kind, resource_id, isToNamed: mail.is_to_people, resendOf: id }, to, ctx),
  )
  inside.onEnqueued()
  return one(ctx, mails.one(queued.id))
}
