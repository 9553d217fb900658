// The jobs behind every announcement: one finds the recipients of an event, one sends the mail of a recipient, one
// writes the entries of inboxes.
import { type IoContext, one, type OrganizationContext } from '#kernel/data/context.ts'
import { assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, type Job, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { type Company, Id } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import { usualCompany } from '#kernel/values/company.ts'
import { mailRecipient } from '#modules/messages/mails/mail-record.ts'
import { mails } from '#modules/messages/mails/queries.ts'
import { queueMails } from '#modules/messages/mails/queue-mails.ts'
import { inbox } from '#modules/messages/me/inbox-queries.ts'
import { mutableContact } from '#modules/messages/me/notice-kind.ts'
import { noticePreferences } from '#modules/messages/me/preferences.ts'
import { unsubscribeUrl } from '#modules/messages/me/unsubscribe-token.ts'
import type { Announcement } from './announcement.ts'
import type { AudienceContext, Recipient } from './recipients.ts'
import { type Addressee, sendMail } from './send-mail.ts'

const announceEvent = eventJobKind('notifications/announce')

/** Apart from the mails, which may wait for the mail server. */
const fillInboxes = jobKind('notifications/fill-inboxes', {
  mail: Type.String(),
  resource_id: Id,
  user_ids: Type.Array(Id),
})

export const announcementConsumers = (announcements: readonly Announcement[]): Consumer[] =>
  [...new Set(announcements.map(({ event }) => event))].flatMap((event) =>
    event === null ? [] : [{ event, job: announceEvent }],
  )

export const announcementJobs = (announcements: readonly Announcement[]): Job[] => [
  organizationJob(announceEvent, {
    run: async (ctx, { payload: { event_id, resource_id } }) => {
      const type = await typeOf(ctx, event_id)
      for (const announced of announcements.filter(({ event }) => event === type))
        await announce(ctx, announced, resource_id)
    },
  }),
  organizationJob(mailRecipient, {
    before: async (io, job) => {
      const { mail, resource_id, user_id, mail_id = null } = job.payload
      const announced = announcementOf(announcements, mail)
      const prepared = await announced.prepare(audienceContext(io), resource_id)
      // Checked again: a member may have left, lost the scope or stopped watching since the job was enqueued.
      const named = user_id === null && mail_id !== null ? await addressOf(io, mail_id) : null
      const recipient = prepared?.recipients.find((each) => isRecipient(each, { user_id, email: named }))
      const mailing = recipient && (await mailingTo(io, announced, { recipient, company: prepared?.company ?? null }))
      const content = mailing && prepared?.content(mailing.organizationName, io)
      if (prepared && content) {
        const inLanguage = { ...io, acceptLanguage: mailing.to.language }
        const attachments = recipient.attachments === false ? [] : await prepared.attachments(inLanguage)
        const { thread } = prepared
        const replyTo = user_id === null ? null : await prepared.answersTo(user_id, io)
        const options = { ...mailing.options, mailId: mail_id, attachments, thread, replyTo }
        await sendMail(io, job, mailing.to, content, options)
      }
      if (!content && mail_id !== null) await io.read(mails.drop(io.organizationId ?? 0, mail_id))
    },
  }),
  organizationJob(fillInboxes, {
    before: async (io, { payload: { mail, resource_id, user_ids } }) => {
      const prepared = await announcementOf(announcements, mail).prepare(audienceContext(io), resource_id)
      const organization = await organizationOf(io)
      const content = organization && prepared?.content(organization.name, io)
      if (!prepared?.needs || !content) return null
      const { about, company, needs, recipients } = prepared
      const to = user_ids.filter((id) => recipients.some(({ user_id }) => user_id === id))
      // Links are for mails: some of them let somebody in.
      const kept = { ...content, ...('link' in content && { link: null }), ...(company && { company }) }
      return { entry: { kind: mail, content: kept, record: about.record, recordId: about.id, needs }, to }
    },
    run: async (ctx, _job, prepared) => {
      if (prepared) ctx.write(inbox.add(ctx.organizationId, prepared.entry, prepared.to, ctx.now))
    },
  }),
]

/** Queues the mails and the entries of inboxes, for those who have not switched them off. */
export async function announce(
  ctx: OrganizationContext,
  { mail, isMandatory, contact, prepare }: Announcement,
  resource_id: number,
): Promise<void> {
  const { recipients = [] } = (await prepare(ctx, resource_id)) ?? {}
  const users = recipients.flatMap(({ user_id }) => user_id ?? [])
  const said = users.length === 0 ? [] : await ctx.ask(noticePreferences.of(ctx.organizationId, mail, users))
  const muted = (channel: 'mail' | 'inbox') =>
    new Set(said.flatMap(({ user_id, [channel]: isOn }) => (isOn ? [] : [user_id])))
  const [noMail, noEntry] = [isMandatory ? new Set() : muted('mail'), muted('inbox')]
  queueMails(
    ctx,
    { mail, resource_id, isToNamed: contact !== null },
    recipients.filter(({ user_id }) => !noMail.has(user_id)),
  )
  const user_ids = users.filter((id) => !noEntry.has(id))
  if (user_ids.length > 0) await enqueue(ctx, fillInboxes, { mail, resource_id, user_ids })
}

function announcementOf(announcements: readonly Announcement[], mail: string): Announcement {
  const announced = announcements.find((announcement) => announcement.mail === mail)
  if (!announced) throw new PermanentFailure(`no announcement is mailed as ${mail}`)
  return announced
}

/** Of several addresses without an account, the one that the mail's record names. */
const isRecipient = (each: Recipient, { user_id, email }: { user_id: number | null; email: string | null }): boolean =>
  each.user_id === user_id &&
  (each.user_id !== null || email === null || each.email.toLowerCase() === email.toLowerCase())

const addressOf = async ({ read, organizationId }: IoContext, mailId: number): Promise<string | null> =>
  (await read(mails.addressOf(organizationId ?? 0, mailId)))[0]?.email ?? null

export const assumedMail = assumedAfterJob(mailRecipient, (_ctx, { mail }) => Promise.resolve(previewed('mail', mail)))

async function typeOf(ctx: OrganizationContext, eventId: number): Promise<string> {
  const { type } = await one(
    ctx,
    sql<{ type: string }>`select type from events where organization_id = ${ctx.organizationId} and id = ${eventId}`,
  )
  return type
}

const audienceContext = (io: IoContext): AudienceContext => ({
  ...io,
  ask: io.read,
  settings: io.ports.settings,
  organizationId: io.organizationId ?? 0,
})

type Customer = { name: string; country: string | null }

/** Null for one that was deleted. */
export async function organizationOf({ read, organizationId }: IoContext): Promise<Customer | null> {
  const [found] = await read(sql<Customer>`
    select o.name, o.country from organizations o
     where o.organization_id = ${organizationId} and o.id = ${organizationId} and o.deleted_at is null`)
  return found ?? null
}

/**
 * The rules for every mail: none to a deleted organization, none to a disabled account, none to an account whose
 * address is not proven, since it may be somebody else's, and none that the recipient has switched off. A bare address
 * comes from an invite, a contact or a setting.
 */
async function mailingTo(
  io: IoContext,
  { mail, isMandatory, contact }: Announcement,
  { recipient, company: ofRecord }: { recipient: Recipient; company: Company | null },
): Promise<Mailing | null> {
  const organization = await organizationOf(io)
  if (organization === null) return null
  const { name, country } = organization
  const company = ofRecord ?? usualCompany(country)
  const about = { organizationId: io.organizationId ?? 0, kind: mail }
  if (recipient.user_id === null) {
    const isMutable = mutableContact({ isMandatory, contact }) !== null
    const url = isMutable ? unsubscribeUrl(io.ports, { ...about, userId: null, email: recipient.email }) : null
    return { organizationName: name, to: { ...recipient, company }, options: { unsubscribeUrl: url } }
  }
  const { user_id: userId } = recipient
  const [account] = await io.read(sql<Omit<Addressee, 'company'>>`
    select u.email, u.language from users u where u.id = ${userId} and u.disabled_at is null and u.status = 'ACTIVE'`)
  const [said] = await io.read(noticePreferences.of(io.organizationId ?? 0, mail, [userId]))
  if (!account || !(isMandatory || (said?.mail ?? true))) return null
  const mailed = { ...about, userId, email: account.email }
  const url = isMandatory ? null : unsubscribeUrl(io.ports, mailed)
  return { organizationName: name, to: { ...account, company }, options: { unsubscribeUrl: url } }
}

type Mailing = { organizationName: string; to: Addressee; options: { unsubscribeUrl: string | null } }
