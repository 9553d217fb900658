// What customers see of the events of their organization.
import { publishedResource } from '#kernel/data/published.ts'
import { Organization, organizationsTable } from './organization.ts'

export const publishedOrganizations = publishedResource(organizationsTable, {
  scopes: ['organization'],
  record: Organization,
  events: {
    created: 'The organization was created.',
    updated: 'A field of the organization changed.',
    verified: 'Staff verified the organization.',
    rejected: 'Staff rejected the verification of the organization.',
    verification_reopened: 'The organization is to be verified again.',
    ownership_transferred: 'The organization has another owner.',
    deleted: 'The organization was deleted.',
    restored: 'The deleted organization was restored.',
  },
})
