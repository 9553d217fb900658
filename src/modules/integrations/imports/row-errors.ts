// What is wrong with the lines of an import, in the caller's language: it is stored in English.
import type { CallerContext } from '#http/route.ts'
import { fieldsIn } from '#texts/answers/sentences.ts'
import { type Language, languageFrom } from '#texts/language.ts'
import type { ImportedRow } from './import.ts'

export const languageOf = ({ acceptLanguage, caller }: CallerContext): Language =>
  languageFrom(acceptLanguage, languageFrom(caller.language, 'en'))

export const errorsIn = (language: Language, { errors }: ImportedRow): ImportedRow['errors'] =>
  errors && fieldsIn(language, errors).fields

export const rowFor = (row: ImportedRow, caller: CallerContext): ImportedRow => ({
  ...row,
  errors: errorsIn(languageOf(caller), row),
})
