// What a contact without an account has switched off by the link in a mail (docs/interface/messages.md).
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { type ContactAddress, contacts, type OfContact } from './queries.ts'

/** The addresses that the link may be of. Over all organizations: the link says which, and nobody has signed in. */
export const addressesOf = (io: IoContext, organizationId: number, of: OfContact): Promise<ContactAddress[]> =>
  io.read(contacts.addresses(organizationId, of, io))

type AddressSwitch = { email: string; kind: string; mail: boolean }

export async function switchAddress(ctx: OrganizationContext, { email, kind, mail }: AddressSwitch): Promise<void> {
  const { organizationId: org, now } = ctx
  await ctx.ask(mail ? contacts.unmute(org, email, kind) : contacts.mute(org, email, kind, now))
}
