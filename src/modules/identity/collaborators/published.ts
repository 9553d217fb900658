// What customers see of the events of their members and invites.
import { publishedResource } from '#kernel/data/published.ts'
import { NamedRole, namedRolesTable } from './named-role.ts'
import { Collaborator, collaboratorsTable } from './collaborator.ts'

export const publishedCollaborators = publishedResource(collaboratorsTable, {
  scopes: ['organization'],
  record: Collaborator,
  events: {
    created: 'Somebody was invited or imported, joined by single sign-on, or became the first owner.',
    invited: 'A member who was imported was invited.',
    updated: 'The role, the scopes or the dates of a member changed.',
    invite_accepted: 'An invite was accepted.',
    invite_rejected: 'An invite was rejected.',
    invite_expired: 'An invite was not answered in time.',
    invite_resent: 'An invite was sent again.',
    expiring: 'A membership ends within seven days.',
    expired: 'A membership has ended, because its time is over.',
    deleted: 'A member left or was removed, or an invite was withdrawn.',
  },
})

export const publishedRoles = publishedResource(namedRolesTable, {
  scopes: ['organization'],
  record: NamedRole,
  events: {
    created: 'A named role was created.',
    updated: 'The name or the scopes of a named role have changed.',
    deleted: 'A named role was removed.',
  },
})
