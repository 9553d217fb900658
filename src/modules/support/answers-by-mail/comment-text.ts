// The text of the comment that an answer becomes: what its author wrote, and what was left out.
import { cut, storable } from '#kernel/values/text/text.ts'
import { languageFrom } from '#texts/language.ts'
import { answerTexts } from '#texts/tickets.ts'
import type { RefusedFile } from './receive-files.ts'

/** As in the body of a request. */
const LONGEST = 20_000

/** Null when there is nothing to say. */
export function commentOf(
  text: string,
  { hasFiles, refused, language }: { hasFiles: boolean; refused: readonly RefusedFile[]; language: string },
): string | null {
  const texts = answerTexts[languageFrom(language, 'en')]
  const notes = refused
    .slice(0, MOST_NAMED)
    .map(({ name, why }) => `${texts.notAttached}: ${name} (${texts.refusals[why]})`)
  if (text === '' && !hasFiles && notes.length === 0) return null
  const written = storable(text) || texts.filesOnly
  const whole = [written, notes.join('\n')].filter(Boolean).join('\n\n')
  if (whole.length <= LONGEST) return whole
  const end = ['…', texts.shortened, notes.join('\n')].filter(Boolean).join('\n\n')
  return `${cut(written, LONGEST - end.length)}${end}`
}

const MOST_NAMED = 50
