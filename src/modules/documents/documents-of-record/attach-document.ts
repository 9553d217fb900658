// A record's document for a mail. The mail is sent without one that cannot be made.
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { MailAttachment } from '#ports/mail.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'

export async function attached(make: () => Promise<FileAnswer>): Promise<MailAttachment[]> {
  try {
    const { content, contentType, fileName } = await make()
    return Buffer.isBuffer(content) ? [{ fileName, contentType, content }] : []
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT')) return []
    throw error
  }
}

/** Whether the legal entity's mails bring papers of this kind. */
export const brings = async (io: IoContext, company: Company, kind: 'pdf' | 'xml'): Promise<boolean> =>
  (await settingOf(readingOf(io), company, 'mail_attachments')).includes(kind)
