// One mail, from a job: rendered in the recipient's language, handed to the mail port, and recorded with what became of
// it.
import type { JobInput } from '#kernel/jobs/jobs.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { About } from './announcement.ts'
import { mails } from '#modules/messages/mails/queries.ts'
import { brandIn, logoUrl } from '#ports/brand.ts'
import { type MailAttachment, MailRejected } from '#ports/mail.ts'
import { zoneOf } from '#ports/ports.ts'
import { languageFrom } from '#texts/language.ts'
import type { MailContent, Sender } from '#texts/mail/content.ts'
import { renderMail } from '#texts/mail/mail.ts'

/** `company`: the legal entity in whose time zone the recipient reads times (docs/interface/messages.md, Notices). */
export type Addressee = { email: string; language: string; company: Company }

/** A mail that was queued with a record, may be switched off at an address, belongs to a conversation, is answered. */
export type MailOptions = {
  mailId?: number | null
  unsubscribeUrl?: string | null
  attachments?: readonly MailAttachment[]
  thread?: About | null
  replyTo?: string | null
}

/**
 * The message id is made from the job, so that a retry after a crash is the same mail. A rejected one is not retried.
 */
export async function sendMail(
  io: IoContext,
  job: Pick<JobInput<unknown>, 'id' | 'createdAt'>,
  to: Addressee,
  content: MailContent,
  { mailId = null, unsubscribeUrl = null, attachments = [], thread = null, replyTo = null }: MailOptions = {},
): Promise<void> {
  const { mail, settings } = io.ports
  const brand = await senderOf(io, to.company)
  const rendered = renderMail(languageFrom(to.language, 'en'), content, brand, {
    unsubscribeUrl,
    isAnswerable: replyTo !== null,
  })
  const host = new URL(settings.publicUrl).hostname
  const messageId = `job-${job.id}-${job.createdAt.getTime()}@${host}`
  const message = {
    messageId,
    to: to.email,
    ...rendered,
    ...(replyTo !== null && { replyTo }),
    ...(unsubscribeUrl !== null && { unsubscribeUrl }),
    attachments,
    ...(thread && { thread: `${thread.record}-${io.organizationId}-${thread.id}@${host}` }),
    date: io.now,
  }
  const attempt = {
    organization_id: io.organizationId,
    mail_id: mailId,
    message_id: messageId,
    kind: content.kind,
    email: to.email,
    subject: rendered.subject,
  }
  try {
    await mail.send(message)
  } catch (error) {
    const isRejected = error instanceof MailRejected
    const why = error instanceof Error ? error.message : String(error)
    const status = isRejected ? 'refused' : 'failed'
    await io.read(mails.attempted({ ...attempt, status, error: why.slice(0, LONGEST_ERROR) }, io))
    if (isRejected) throw new PermanentFailure(`mail refused: ${why}`)
    throw error
  }
  await io.read(mails.attempted({ ...attempt, status: 'sent', error: null }, io))
}

/** An SVG is no logo for mails: few programs show one. */
async function senderOf({ read, ports: { settings } }: IoContext, company: Company): Promise<Sender> {
  const [stored] = await read(brandIn(settings, company))
  if (!stored) throw new Error('there is no such legal entity')
  const { name, color, support_url, logo_content_type } = stored
  const logo = logo_content_type === 'image/png' ? logoUrl(settings, company) : null
  return { name, color, supportUrl: support_url || null, logo, timeZone: zoneOf({ settings }, company) }
}

const LONGEST_ERROR = 500
