// The two jobs behind every announcement: one writes a row for each recipient of an event, one sends the mail of a row.
import { Type } from 'typebox'
import { type IoContext, one, type OrganizationContext } from '#kernel/data/context.ts'
import { assumedAfterJob, previewed } from '#kernel/data/preview.ts'
import { sql } from '#kernel/data/sql.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { eventJobKind, jobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue, type Job, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { Id, Nullable } from '#kernel/values/schema.ts'
import '#ports/ports.ts'
import type { Announcement } from './announcement.ts'
import type { AudienceContext, Recipient } from './recipients.ts'
import { type Addressee, sendMail } from './send-mail.ts'

const announceEvent = eventJobKind('notifications/announce')

/**
 * One job for each recipient, so that a mail that fails does not hold up the others. `user_id` is null for a bare
 * address.
 */
export const mailRecipient = jobKind('notifications/mail', {
  mail: Type.String(),
  resource_id: Id,
  user_id: Nullable(Id),
})

export const announcementConsumers = (announcements: readonly Announcement[]): Consumer[] =>
  [...new Set(announcements.map(({ event }) => event))].flatMap((event) =>
    event === null ? [] : [{ event, job: announceEvent }],
  )

export const announcementJobs = (announcements: readonly Announcement[]): Job[] => [
  organizationJob(announceEvent, {
    run: async (ctx, { payload: { event_id, resource_id } }) => {
      const type = await typeOf(ctx, event_id)
      for (const { mail, prepare } of announcements.filter(({ event }) => event === type)) {
        const { recipients } = (await prepare(ctx, resource_id)) ?? { recipients: [] }
        for (const { user_id } of recipients) await enqueue(ctx, mailRecipient, { mail, resource_id, user_id })
      }
    },
  }),
  organizationJob(mailRecipient, {
    before: async (io, job) => {
      const { mail, resource_id, user_id } = job.payload
      const announced = announcements.find((announcement) => announcement.mail === mail)
      if (!announced) throw new PermanentFailure(`no announcement is mailed as ${mail}`)
      const prepared = await announced.prepare(audienceContext(io), resource_id)
      // Checked again: a member may have left, lost the scope or stopped watching since the job was enqueued.
      const recipient = prepared?.recipients.find((each) => each.user_id === user_id)
      const mailing = recipient && (await mailingTo(io, recipient))
      const content = mailing && prepared?.content(mailing.organizationName, io)
      if (content) await sendMail(io, job, mailing.to, content)
    },
  }),
]

export const assumedMail = assumedAfterJob(mailRecipient, (_ctx, { mail }) => Promise.resolve(previewed('mail', mail)))

async function typeOf(ctx: OrganizationContext, eventId: number): Promise<string> {
  const { type } = await one(
    ctx,
    sql<{ type: string }>`select type from events where organization_id = ${ctx.organizationId} and id = ${eventId}`,
  )
  return type
}

const audienceContext = ({ read, realNow, ports, organizationId }: IoContext): AudienceContext => ({
  ask: read,
  realNow,
  settings: ports.settings,
  organizationId: organizationId ?? 0,
})

/**
 * The rules for every mail: none to a deleted organization, none to a disabled account, and none to an account whose
 * address is not proven, since it may be somebody else's. A bare address comes from an invite or a setting.
 */
async function mailingTo(
  { read, organizationId }: IoContext,
  recipient: Recipient,
): Promise<{ organizationName: string; to: Addressee } | null> {
  const [found] = await read(sql<{ organization_name: string; email: string | null; language: string | null }>`
    select o.name as organization_name, u.email, u.language
      from organizations o left join users u on u.id = ${recipient.user_id} and u.disabled_at is null and u.status = 'ACTIVE'
     where o.organization_id = ${organizationId} and o.id = ${organizationId} and o.deleted_at is null`)
  if (!found) return null
  const { organization_name: organizationName, email, language } = found
  if (recipient.user_id === null) return { organizationName, to: recipient }
  return email === null || language === null ? null : { organizationName, to: { email, language } }
}
