// One mail, from a job: rendered in the recipient's language, handed to the mail port.
import type { JobInput } from '#kernel/jobs/jobs.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { hasTestClock, type IoContext } from '#kernel/data/context.ts'
import { MailRejected } from '#ports/mail.ts'
import '#ports/ports.ts'
import { languageFrom } from '#texts/language.ts'
import type { MailContent } from '#texts/mail/content.ts'
import { renderMail } from '#texts/mail/mail.ts'

export type Addressee = { email: string; language: string }

/**
 * The message id is made from the job, so that a retry after a crash is the same mail. A rejected one is not retried.
 */
export async function sendMail(
  io: IoContext,
  job: Pick<JobInput<unknown>, 'id' | 'createdAt'>,
  to: Addressee,
  content: MailContent,
): Promise<void> {
  const { mail, settings } = io.ports
  const timeZone = settings.entities.entity_br.timeZone
  const rendered = renderMail(languageFrom(to.language, 'en'), content, { name: settings.brand, timeZone })
  const host = new URL(settings.publicUrl).hostname
  const messageId = `job-${job.id}-${job.createdAt.getTime()}@${host}`
  const message = { messageId, to: to.email, ...rendered, ...(hasTestClock(io) && { date: io.now }) }
  try {
    await mail.send(message)
  } catch (error) {
    if (error instanceof MailRejected) throw new PermanentFailure(`mail refused: ${error.message}`)
    throw error
  }
}
