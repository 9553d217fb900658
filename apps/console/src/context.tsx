// Who looks, in which language, and what they may: known to every screen.
import type { GetBrandResult as Brand, User } from '@titular/sdk'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Texts } from './texts/en.ts'
import type { Language } from './texts/texts.ts'

/** Where something is: in an organization, or across all of them. */
export type Place = { organization: number | null }

type Rights = {
  isStaff: boolean
  /** Whether staff hold a permission, such as `quotes:write`. The server decides all the same. */
  may: (permission: string) => boolean
  /** Whether records of the scope are shown, or changed, there. */
  mayIn: (place: Place, scope: string, way: 'read' | 'write') => boolean
}

type Person = Rights & {
  user: User
  language: Language
  texts: Texts
  /** Of the vendor; null until it is known. */
  brand: Brand | null
  /** Reads the person once more, after their profile or memberships have changed. */
  refresh: () => void
}

const PersonContext = createContext<Person | null>(null)

export function rightsOf(user: User): Rights {
  const permissions = new Set(user.permissions)
  const isStaff = permissions.size > 0
  return {
    isStaff,
    may: (permission) => permissions.has(permission),
    mayIn: ({ organization }, scope, way) =>
      (scope === 'any' && isStaff) ||
      permissions.has(`${scope}:${way}`) ||
      user.organizations.some(({ id, scopes }) => id === organization && scopes.some((held) => held === scope)),
  }
}

type ContextProps = {
  brand: Brand | null
  user: User
  language: Language
  texts: Texts
  refresh: () => void
  children: ReactNode
}

export function PersonProvider({ brand, user, language, texts, refresh, children }: ContextProps) {
  const value = useMemo((): Person => {
    const rights = rightsOf(user)
    return { ...rights, user, language, texts: rights.isStaff ? ofStaff(texts) : texts, refresh, brand }
  }, [brand, user, language, texts, refresh])
  return <PersonContext value={value}>{children}</PersonContext>
}

/** A ticket that waits for the customer waits for whom of both sides reads it. */
const ofStaff = (texts: Texts): Texts => ({ ...texts, statuses: { ...texts.statuses, waiting: texts.views.waiting } })

export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (!person) throw new Error('a screen is shown to nobody')
  return person
}

/** The texts of a screen in the language of the person. */
export const useOwnTexts = <Own,>(own: Readonly<Record<Language, Own>>): Own => own[usePerson().language]
