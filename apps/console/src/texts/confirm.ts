// What follows from each act. Long, and needed by no screen before somebody acts, so it is loaded then.
import { use } from 'react'
import { usePerson } from '../context.tsx'
import type { Confirm } from './en/confirm.ts'
import type { Language } from './texts.ts'

const loaded = new Map<Language, Promise<Confirm>>()

const load = async (language: Language): Promise<Confirm> =>
  (language === 'en' ? await import('./en/confirm.ts') : await import('./pt-br/confirm.ts')).confirm

/** Waits for it (`Suspense`). */
export function useConfirm(): Confirm {
  const { language } = usePerson()
  const texts = loaded.get(language) ?? load(language)
  loaded.set(language, texts)
  return use(texts)
}
