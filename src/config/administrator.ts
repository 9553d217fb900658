// The first administrator.
import { WrongSettings } from './problems.ts'
import { email, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const ADMINISTRATOR = {
  email: { name: 'ADMIN_EMAIL', meaning: 'First administrator, made if absent', read: email },
  password: {
    name: 'ADMIN_PASSWORD',
    meaning: 'Their password, needed only until they are made',
    read: text,
    secret: true,
  },
} as const satisfies Variables

type Administrator = { email: string; password: string | null }

/** The password is needed only to create the account. */
export function administratorOf(given: ValuesOf<typeof ADMINISTRATOR>): Administrator | null {
  if (given.email !== null) return { email: given.email, password: given.password }
  if (given.password !== null) throw new WrongSettings('ADMIN_PASSWORD needs ADMIN_EMAIL')
  return null
}
