// What customers see of the events of their members and invites.
import { publishedResource } from '#kernel/data/published.ts'
import { Collaborator, collaboratorsTable } from './collaborator.ts'

export const publishedCollaborators = publishedResource(collaboratorsTable, {
  scopes: ['organization'],
  record: Collaborator,
  events: {
    created: 'Somebody was invited, or became the first owner.',
    updated: 'The role, the scopes or the dates of a member changed.',
    invite_accepted: 'An invite was accepted.',
    invite_rejected: 'An invite was rejected.',
    invite_expired: 'An invite was not answered in time.',
    invite_resent: 'An invite was sent again.',
    deleted: 'A member left or was removed, or an invite was withdrawn.',
  },
})
