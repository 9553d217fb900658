// Invites for their recipients (docs/interface/identity.md, Organizations).
import { open, user } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { acceptInvite, checkInvite, rejectInvite } from './answer-invite.ts'
import { Invite, InviteAnswer, InviteCheck, InviteFilters, InviteToken } from './received-invite.ts'
import { invites } from './invite-queries.ts'

const example = { token: 'q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c' }

export const inviteRoutes = [
  route({
    method: 'POST',
    path: '/invites/check',
    access: open,
    purpose: 'Check an invite by its mailed token.',
    description:
      'Answers nothing for the person, so that a page can show organization and role before they sign in. An invite ' +
      'that has expired is shown too (`is_valid` false); 404 for a token that is unknown or was replaced by ' +
      'resending.',
    body: InviteToken,
    openapi: { example },
    data: InviteCheck,
    fails: ['NOT_FOUND'],
    features: { limit: { policy: 'credentials' } },
    run: async (ctx, { body }) => ({ data: await checkInvite(ctx, body.token) }),
  }),
  route({
    method: 'POST',
    path: '/invites/accept',
    access: user,
    purpose: 'Accept an invite.',
    description: 'The caller’s e-mail address must be the invited one, and counts as verified afterwards.',
    body: InviteToken,
    openapi: { example },
    data: InviteAnswer,
    fails: [
      'already_member',
      'invite_expired',
      'owner_exists',
      'status_not_allowed',
      'NOT_FOUND',
      'AUTHORIZATION_ERROR',
    ],
    run: async (ctx, { body }) => ({
      data: await acceptInvite(ctx, body.token),
      message: 'Invite accepted',
    }),
  }),
  route({
    method: 'POST',
    path: '/invites/reject',
    access: user,
    purpose: 'Reject an invite.',
    description: 'The caller’s e-mail address must be the invited one.',
    body: InviteToken,
    openapi: { example },
    data: InviteAnswer,
    fails: ['NOT_FOUND', 'invite_expired', 'status_not_allowed', 'AUTHORIZATION_ERROR'],
    run: async (ctx, { body }) => ({ data: await rejectInvite(ctx, body.token), message: 'Invite rejected' }),
  }),
  route({
    method: 'GET',
    path: '/invites',
    access: user,
    purpose: 'List the pending invites of the caller.',
    description: 'Those to the caller’s e-mail address, once it is verified.',
    query: InviteFilters,
    page: Invite,
    read: ({ userId, now }, { query }) => invites.pageOf(userId, query, now),
  }),
]
