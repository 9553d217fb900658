// A record's document for a mail. The mail is sent without one that cannot be made.
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import type { MailAttachment } from '#ports/mail.ts'

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
export const brings = ({ ports }: IoContext, company: keyof Entities, kind: 'pdf' | 'xml'): boolean =>
  ports.settings.entities[company].attachments.includes(kind)

type Entities = IoContext['ports']['settings']['entities']
