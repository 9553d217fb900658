// The catalogue of all texts for customers. A text that is missing in a language is a type error.

import type { DocumentTexts } from './documents/content.ts'
import { documentsInEnglish } from './documents/en.ts'
import { documentsInPortuguese } from './documents/pt-br.ts'
import type { Language } from './language.ts'
import type { MailTexts } from './mail/content.ts'
import { mailsInEnglish } from './mail/en.ts'
import { mailsInPortuguese } from './mail/pt-br.ts'
import { noticesInEnglish, noticesInPortuguese, type NoticeTexts } from './notices.ts'
import type { PageTexts } from './pages/content.ts'
import { pagesInEnglish } from './pages/en.ts'
import { pagesInPortuguese } from './pages/pt-br.ts'
import { type ReasonTexts, reasonsInEnglish, reasonsInPortuguese } from './reasons.ts'
import { reportsInEnglish, reportsInPortuguese, type ReportTexts } from './reports.ts'

export type Texts = {
  documents: DocumentTexts
  mails: MailTexts
  notices: NoticeTexts
  pages: PageTexts
  reasons: ReasonTexts
  reports: ReportTexts
}

const CATALOGUE = {
  'pt-BR': {
    documents: documentsInPortuguese,
    mails: mailsInPortuguese,
    notices: noticesInPortuguese,
    pages: pagesInPortuguese,
    reasons: reasonsInPortuguese,
    reports: reportsInPortuguese,
  },
  en: {
    documents: documentsInEnglish,
    mails: mailsInEnglish,
    notices: noticesInEnglish,
    pages: pagesInEnglish,
    reasons: reasonsInEnglish,
    reports: reportsInEnglish,
  },
} satisfies Record<Language, Texts>

export function textsIn(language: Language): Texts {
  return CATALOGUE[language]
}
