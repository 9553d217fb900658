// Asks new contacts by mail whether they want the mails of their roles, and takes their answer
// (docs/interface/messages.md, Notices). The token in the link is signed; it does not say the address.
import {
  first,
  type IoContext,
  one,
  type OrganizationContext,
  type Ports,
  type SystemContext,
} from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { derive, isEqual } from '#kernel/keys/secrets.ts'
import { queueMails } from '#modules/messages/mails/queue-mails.ts'
import { assertMayMailStranger } from '#modules/messages/mails/stranger-limits.ts'
import type { AskedContact } from './contact.ts'
import { type AskedAddress, contacts } from './queries.ts'

const MAIL = 'contact-confirmation'

/** Asks those who are to be asked after the change and were not before. */
export async function askingNewContacts<Result>(
  ctx: OrganizationContext,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = new Set((await unconfirmed(ctx)).map(({ email }) => email))
  const result = await change()
  for (const { email } of await unconfirmed(ctx))
    if (!before.has(email)) {
      await assertMayMailStranger(ctx, { kind: MAIL, email })
      await ask(ctx, email)
    }
  return result
}

/** Once the organization is verified. Staff have decided about it, so that no limit holds. */
export async function askContacts(ctx: OrganizationContext): Promise<void> {
  for (const { email } of await unconfirmed(ctx)) await ask(ctx, email)
}

const unconfirmed = (ctx: OrganizationContext) => ctx.ask(contacts.unconfirmed(ctx.organizationId, ctx))

async function ask(ctx: OrganizationContext, email: string): Promise<void> {
  const { id } = await one(ctx, contacts.ask(ctx.organizationId, email, ctx.now))
  queueMails(ctx, { mail: MAIL, resource_id: id, isToNamed: true }, [{ user_id: null, email }])
}

type AddressToConfirm = Pick<AskedAddress, 'id' | 'email'> & { organizationId: number }

export const confirmationUrl = ({ secretKey, settings }: Ports, named: AddressToConfirm): string =>
  `${settings.publicUrl}/confirm-contact/${tokenFor(secretKey, named)}`

function tokenFor(secretKey: Ports['secretKey'], { organizationId, id, email }: AddressToConfirm): string {
  return `${organizationId}.${id}.${derive(secretKey, 'contact', organizationId, id, email).toString('base64url')}`
}

export type Answering = AddressToConfirm & { asked: AskedContact }

/** The same 404 for a wrong token, an address that is no contact, and an organization that is gone. */
export async function askedBy(io: IoContext, token: string): Promise<Answering> {
  const [, organization, confirmation] = /^(\d{1,15})\.(\d{1,15})\.[\w-]{43}$/.exec(token) ?? []
  const [organizationId, id] = [Number(organization ?? 0), Number(confirmation ?? 0)]
  // Over all organizations: the link says which, and nobody has signed in.
  const [row] = organization === undefined ? [] : await io.read(contacts.asked(organizationId, id))
  if (!row || !isEqual(token, tokenFor(io.ports.secretKey, { ...row, organizationId }))) throw notFound()
  const { organization_name, roles, is_confirmed, email } = row
  return { organizationId, id, email, asked: { organization_name, roles, is_confirmed } }
}

/** Again it changes nothing. */
export async function confirmContact(ctx: SystemContext, { organizationId, id }: Answering): Promise<AskedContact> {
  const inside = await ctx.enter(organizationId)
  await inside.ask(contacts.confirm(organizationId, id, inside.now))
  // Meanwhile it may have been removed.
  const row = await first(inside, contacts.asked(organizationId, id))
  if (!row) throw notFound()
  return { organization_name: row.organization_name, roles: row.roles, is_confirmed: row.is_confirmed }
}
