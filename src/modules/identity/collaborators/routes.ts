// The collaborators of the organization (spec 4.2, docs/interface/identity.md, Organizations).
import { Type } from 'typebox'
import { inPath, org, orgAtLeast, staffNeed } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeCollaborator, removeCollaborator } from './change-collaborator.ts'
import {
  ByCollaborator,
  Collaborator,
  CollaboratorChange,
  CollaboratorFilters,
  NewCollaborator,
} from './collaborator.ts'
import { generateInvitation } from './invitation.ts'
import { inviteCollaborator, memberRules, resendInvite } from './invite-collaborator.ts'
import { collaborators } from './queries.ts'

/** Such a collaborator can create API keys and invite others: without a proof, a stolen session could stay by one. */
const givesFullAccess = (body: object): boolean => 'role' in body && (body.role === 'admin' || body.role === 'owner')

export const collaboratorRoutes = [
  route({
    method: 'GET',
    path: '/organizations/{id}/collaborators',
    access: org('organization'),
    purpose: 'List the collaborators and invites of the organization.',
    description:
      'Newest first, invites and members whose time has ended too (`status`). `has_second_factor` is null for ' +
      'invites, and for callers below admin. The header with the organization is needed here.',
    params: ById,
    query: CollaboratorFilters,
    page: Collaborator,
    read: (asked, { params, query }) => collaborators.page(asked.org, params.id, query, asked),
  }),
  route({
    method: 'POST',
    path: '/organizations/{id}/collaborators',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Invite a collaborator by e-mail.',
    description:
      'The mailed link is valid for seven days. Nobody grants a role at or above their own, nor a scope ' +
      'that they lack. The caller’s own e-mail address must be verified.',
    params: ById,
    body: NewCollaborator,
    rules: memberRules,
    openapi: {
      example: { email: 'bia@acme.example', role: 'member', can_manage_quotes: true, can_manage_tickets: true },
    },
    data: Collaborator,
    status: 201,
    fails: ['already_invited', 'already_member', 'owner_exists'],
    features: {
      stepUp: givesFullAccess, // Each sends a mail to an address of the caller's choice.
      limit: { policy: 'public' },
    },
    before: async (io) => generateInvitation(io),
    run: async (ctx, { body }, invitation) => {
      return { data: await inviteCollaborator(ctx, body, invitation), message: 'Invite sent' }
    },
  }),
  route({
    method: 'GET',
    path: '/organizations/{id}/collaborators/{collaborator_id}',
    access: inPath(org('organization')),
    purpose: 'Get a collaborator.',
    description: 'A member, or an invite: also one that has expired or was rejected.',
    params: ByCollaborator,
    data: Collaborator,
    read: (asked, { params }) => collaborators.byId(asked.org, params, asked),
  }),
  route({
    method: 'PUT',
    path: '/organizations/{id}/collaborators/{collaborator_id}',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Update the role, scopes or dates of a collaborator.',
    description:
      'A change of the dates that gives access again, earlier or for longer counts as granting all that the ' +
      'membership holds: 403 for a caller who lacks a part of it. API keys of a membership that had ended ' +
      'do not come back.',
    params: ByCollaborator,
    body: CollaboratorChange,
    rules: memberRules,
    openapi: { example: { role: 'member', can_manage_finances: true, expired_at: '2027-12-31T23:59:59.000Z' } },
    data: Collaborator,
    fails: ['owner_by_transfer_only'],
    features: { stepUp: givesFullAccess },
    run: async (ctx, { params, body }) => {
      return { data: await changeCollaborator(ctx, params.collaborator_id, body), message: 'Collaborator updated' }
    },
  }),
  route({
    method: 'DELETE',
    path: '/organizations/{id}/collaborators/{collaborator_id}',
    access: inPath(staffNeed(orgAtLeast('guest'), 'organization')),
    purpose: 'Delete a collaborator or an invite.',
    description:
      'Needs the scope `organization` and the role admin or owner. Anybody may remove themselves, except ' +
      'the last owner.',
    params: ByCollaborator,
    data: Type.Null(),
    fails: ['last_owner'],
    run: async (ctx, { params }) => {
      await removeCollaborator(ctx, params.collaborator_id)
      return { data: null, message: 'Collaborator removed' }
    },
  }),
  route({
    method: 'POST',
    path: '/organizations/{id}/collaborators/{collaborator_id}/resend-invite',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Resend an invite.',
    description:
      'The old token becomes invalid. Grants all that the invite holds, as inviting does; 409 where that is ' +
      'over already (`expired_at`). The caller’s own e-mail address must be verified.',
    params: ByCollaborator,
    openapi: { operationId: 'resendInvite' },
    data: Collaborator,
    fails: ['already_accepted', 'status_not_allowed'],
    features: {
      // Each sends a mail to an address of the caller's choice.
      limit: { policy: 'public' },
    },
    before: async (io) => generateInvitation(io),
    run: async (ctx, { params }, invitation) => {
      return { data: await resendInvite(ctx, params.collaborator_id, invitation), message: 'Invite sent' }
    },
  }),
]
