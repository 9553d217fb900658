// The mails about an invite: to the invited address, and to the inviter.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { isInBrazil } from '#areas/organizations/organization.ts'
import '#ports/ports.ts'
import { collaboratorsTable } from './collaborator.ts'
import { inviteToken } from './invitation.ts'
import { invites } from './invite-queries.ts'

/** Enqueued by the operation, because the event `created` also covers owners, who get no invite. */
export const inviteSent = announcement({
  mail: 'invite',
  facts: invites.sentFacts,
  audience: async ({ realNow }, { email, language, country, expiration }) =>
    Date.parse(expiration) <= realNow.getTime()
      ? []
      : [{ user_id: null, email, language: language ?? (isInBrazil(country) ? 'pt-BR' : 'en') }],
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
  audience: async (_context, { inviter_id }) => [{ user_id: inviter_id }],
  link: ({ id }, io) => portalLink(io, 'collaborator', id),
  content: ({ name: memberName, email: memberEmail }, common) => ({ ...common, memberName, memberEmail }),
})

export const inviteAnnouncements = [inviteSent, inviteAccepted]
