// The files of an answer, each through the checks of an upload. One that is refused is named in the comment.
import { Readable } from 'node:stream'
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { oneLine, storable } from '#kernel/values/text/text.ts'
import { type ReceivedFile, receiveFile } from '#modules/documents/files/receive-upload.ts'
import type { MailFile } from '#ports/received-mail.ts'
import type { FileRefusal } from '#texts/tickets.ts'

export type RefusedFile = { name: string; why: FileRefusal }
export type AnswerFiles = { received: ReceivedFile[]; refused: RefusedFile[] }

/** Logos in signatures are files too. */
const MOST_FILES = 20

/** Outside of transactions. What no row refers to in the end is removed by the job of its claim. */
export async function receiveFiles(io: IoContext, files: readonly MailFile[], isCut: boolean): Promise<AnswerFiles> {
  const done: AnswerFiles = { received: [], refused: [] }
  for (const [index, { name, content }] of files.entries()) {
    const refuse = (why: FileRefusal) => done.refused.push(refusedFile(name, why))
    if (isCut && index === files.length - 1) refuse('cut_off')
    else if (content.length > io.ports.settings.files.maxBytes) refuse('too_large')
    else if (index >= MOST_FILES) refuse('too_many')
    else {
      const result = await receiveFile(io, { fileName: name, stream: Readable.from([content]) }).catch(refusalOf)
      if (typeof result === 'string') refuse(result)
      else done.received.push(result)
    }
  }
  return done
}

export const refusedFile = (name: string | null, why: FileRefusal): RefusedFile => ({
  name: oneLine(storable(name ?? ''), 100) || '?',
  why,
})

/** Throws what is no refusal of the file, such as a store that cannot be reached. */
export function refusalOf(error: unknown): FileRefusal {
  if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return 'not_allowed'
  if (error instanceof AppError && error.code === 'CONFLICT') return 'no_space'
  throw error
}
