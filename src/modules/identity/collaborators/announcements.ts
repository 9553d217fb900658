// The mails about an invite: to the invited address, and to the inviter.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { isBrazil } from '#kernel/values/company.ts'
import { isPast } from '#kernel/values/time/clock.ts'
import { amongRoles, anAddress } from '#modules/messages/notifications/recipients.ts'
import { collaboratorsTable } from './collaborator.ts'
import { inviteToken } from './invitation.ts'
import { endings } from './ending-queries.ts'
import { invites } from './invite-queries.ts'

type SentInvite = { email: string; language: string | null; country: string | null; expiration: string }

/** Enqueued by the operation, because the event `created` also covers owners, who get no invite. */
export const inviteSent = announcement({
  mail: 'invite',
  isMandatory: true,
  facts: invites.sentFacts,
  audience: anAddress(async (context, { email, language, country, expiration }: SentInvite) =>
    isPast(context, expiration)
      ? []
      : [{ user_id: null, email, language: language ?? (isBrazil(country ?? '') ? 'pt-BR' : 'en') }],
  ),
  about: ({ id }) => ({ record: 'collaborator', id }),
  link: ({ invite_nonce }, { ports }) =>
    `${ports.settings.publicUrl}/invites?token=${inviteToken(ports.secretKey, invite_nonce)}`,
  content: ({ inviter, invited_role, expiration }, common) => ({
    ...common,
    inviterName: inviter,
    role: invited_role ?? 'member',
    expiresAt: expiration,
  }),
})

const inviteAccepted = announcement({
  mail: 'invite-accepted',
  event: collaboratorsTable.events.invite_accepted,
  facts: invites.acceptedFacts,
  audience: amongRoles('admin', (context, { inviter_id }: { inviter_id: number }) =>
    context.ask(invites.stillManaging(inviter_id, context)),
  ),
  about: ({ id }) => ({ record: 'collaborator', id }),
  content: ({ name: memberName, email: memberEmail }, common) => ({ ...common, memberName, memberEmail }),
})

export const inviteAnnouncements = [inviteSent, inviteAccepted]

type Ending = { user_id: number; owner_id: number | null }

export const membershipExpiring = announcement({
  mail: 'membership-expiring',
  event: collaboratorsTable.events.expiring,
  facts: endings.facts,
  audience: amongRoles('member', async (_context, { user_id, owner_id }: Ending) => [
    { user_id },
    ...(owner_id === null || owner_id === user_id ? [] : [{ user_id: owner_id }]),
  ]),
  about: ({ id }) => ({ record: 'collaborator', id }),
  content: ({ name: memberName, expired_at: endsAt }, common) => ({ ...common, memberName, endsAt }),
})
