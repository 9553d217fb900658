// The one catalogue of what customers read. A text that a language lacks is a type error.

import type { Language } from './language.ts'
import type { MailTexts } from './mail/content.ts'
import { mailsInEnglish } from './mail/en.ts'
import { mailsInPortuguese } from './mail/pt-br.ts'
import type { PageTexts } from './pages/content.ts'
import { pagesInEnglish } from './pages/en.ts'
import { pagesInPortuguese } from './pages/pt-br.ts'

export type Texts = { mails: MailTexts; pages: PageTexts }

const CATALOGUE = {
  'pt-BR': { mails: mailsInPortuguese, pages: pagesInPortuguese },
  en: { mails: mailsInEnglish, pages: pagesInEnglish },
} satisfies Record<Language, Texts>

export function textsIn(language: Language): Texts {
  return CATALOGUE[language]
}
