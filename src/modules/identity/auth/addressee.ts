// A person as the addressee of a mail that is about no organization.
import { usualCompany } from '#kernel/values/company.ts'
import type { Addressee } from '#modules/messages/notifications/send-mail.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { users } from './users.ts'

type Person = { id: number; email: string; language: string }

/** Reads times as in the mails of their organization. */
export async function addresseeOf(io: IoContext, { id, email, language }: Person): Promise<Addressee> {
  const [organization] = await io.read(users.countryOf(id, io))
  return { email, language, company: usualCompany(organization?.country ?? null) }
}
