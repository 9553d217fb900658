// The mails about a person's roles: to the person, and to the administrators.
import { type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, type JobInput, systemJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/values/sql.ts'
import { Id } from '#kernel/values/schema.ts'
import { isStaffRole } from '#kernel/values/staff-roles.ts'
import { addresseeOf } from '#modules/identity/auth/addressee.ts'
import { users } from '#modules/identity/auth/users.ts'
import { sendMail } from '#modules/messages/notifications/send-mail.ts'
import { type StaffAccount, staffMembers } from './queries.ts'

/** `entry_id`: what happened, in the service's audit log; `user_id`: who gets the mail. */
const mailRoles = jobKind('staff/mail-roles', { entry_id: Id, user_id: Id })

/** An address that is not proven learns of it by the link with which it proves itself. */
export async function mailAboutRoles(ctx: SystemContext, entryId: number, person: StaffAccount): Promise<void> {
  const administrators = await ctx.ask(staffMembers.administrators())
  const recipients = new Set(administrators.map(({ id }) => id))
  if (person.status === 'ACTIVE') recipients.add(person.id)
  for (const user_id of recipients) await enqueue(ctx, mailRoles, { entry_id: entryId, user_id })
}

type Entry = {
  at: string
  actor: string
  resource_id: number
  details: { before: string[]; after: string[]; reason: string }
}

async function mailRolesTo(io: IoContext, job: JobInput<{ entry_id: number; user_id: number }>): Promise<void> {
  const [recipient] = await io.read(users.byId(job.payload.user_id))
  if (!recipient) return
  const entry = await one(
    { ask: io.read },
    sql<Entry>`select at, actor, resource_id, details from service_audit where id = ${job.payload.entry_id}`,
  )
  const { before, after, reason } = entry.details
  const person = await one({ ask: io.read }, staffMembers.byId(entry.resource_id))
  await sendMail(io, job, await addresseeOf(io, recipient), {
    kind: 'staff-roles',
    name: recipient.name,
    isOwn: recipient.id === person.id,
    person: person.name,
    email: person.email,
    before: before.filter(isStaffRole),
    after: after.filter(isStaffRole),
    changedBy: entry.actor,
    changedAt: entry.at,
    reason,
  })
}

export const staffJobs = [systemJob(mailRoles, { before: mailRolesTo })]
