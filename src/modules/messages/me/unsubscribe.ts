// Switching mails of a kind off, or on again, by the link in one of them (docs/interface/messages.md, Notices).
import { Type, type Static } from 'typebox'
import type { IoContext, SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { notFound } from '#kernel/values/errors.ts'
import { Closed, Name } from '#kernel/values/schema.ts'
import { languageFrom } from '#texts/language.ts'
import { addressesOf, switchAddress } from '#modules/messages/contacts/muted-addresses.ts'
import { mutableContact, type NoticeKind } from './notice-kind.ts'
import { noticeName } from './notice-name.ts'
import { noticePreferences } from './preferences.ts'
import { type UnsubscribeClaim, claimedBy, isGenuine, type NoticeMail } from './unsubscribe-token.ts'

export const ByUnsubscribeToken = Closed({
  token: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The end of the link in the mail',
    examples: ['1.7.quote-sent.b1946ac92492d2347c6235b4d2611184c2f1a0b3d4e'],
  }),
})

export const MailedNotice = Type.Object(
  {
    kind: Type.String({ examples: ['quote-sent'] }),
    name: Type.String({ description: 'What the kind is called, by `Accept-Language`', examples: ['New quotes'] }),
    organization_name: Name,
    mail: Type.Boolean({ description: 'Whether its mails are on', examples: [true] }),
    has_inbox: Type.Boolean({
      description: 'Its entries in the inbox go on; contacts without an account have none',
      examples: [true],
    }),
  },
  { description: 'A kind of notice that its recipient may switch off' },
)
export type MailedNotice = Static<typeof MailedNotice>

export const MailSwitch = Closed({ mail: Type.Boolean({ examples: [false] }) })

type SubscriptionRow = { email: string; organization_name: string; mail: boolean }

/** Over all organizations: the token says which, and nobody has signed in. */
const ofAccount = ({ organizationId, userId, kind }: UnsubscribeClaim) => sql<SubscriptionRow>`
  select u.email, o.name as organization_name, coalesce(p.mail, true) as mail
    from organizations o join users u on u.id = ${userId} and u.disabled_at is null
         left join notice_preferences p on p.organization_id = ${organizationId}
           and p.organization_id = o.organization_id
               and p.user_id = u.id and p.kind = ${kind}
   where o.organization_id = ${organizationId} and o.id = ${organizationId} and o.deleted_at is null`

/** Of a contact without an account, the token says nothing but the organization: each of its addresses is tried. */
async function found(io: IoContext, claimed: UnsubscribeClaim, kind: NoticeKind): Promise<SubscriptionRow[]> {
  if (claimed.userId !== null) return kind.isMandatory ? [] : io.read(ofAccount(claimed))
  const role = mutableContact(kind)
  return role === null ? [] : addressesOf(io, claimed.organizationId, { role, kind: kind.kind })
}

export type Unsubscribing = { mailed: NoticeMail; notice: MailedNotice }

/**
 * The same 404 for a wrong token, a kind that is mandatory, an account without the address, an address that is no
 * contact, and an organization that is gone.
 */
export async function noticeBy(io: IoContext, kinds: readonly NoticeKind[], token: string): Promise<Unsubscribing> {
  const claimed = claimedBy(token)
  const kind = kinds.find((one) => one.kind === claimed?.kind)
  if (!claimed || !kind) throw notFound()
  const row = (await found(io, claimed, kind)).find(({ email }) => isGenuine(io.ports, token, { ...claimed, email }))
  if (!row) throw notFound()
  const { email, ...shown } = row
  const name = noticeName(languageFrom(io.acceptLanguage, 'en'), claimed.kind)
  const notice = { ...shown, kind: claimed.kind, name, has_inbox: claimed.userId !== null }
  return { mailed: { ...claimed, email }, notice }
}

export async function switchMail(
  ctx: SystemContext,
  { mailed: { organizationId, userId, kind, email }, notice }: Unsubscribing,
  mail: boolean,
): Promise<MailedNotice> {
  const inside = await ctx.enter(organizationId)
  if (userId === null) await switchAddress(inside, { email, kind, mail })
  else await inside.ask(noticePreferences.save(organizationId, userId, [{ kind, mail }], inside.now))
  return { ...notice, mail }
}
