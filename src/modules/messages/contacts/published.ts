// What customers see of the events of contacts.
import { publishedResource } from '#kernel/data/published.ts'
import { ContactRow, contactsTable } from './contact.ts'

export const publishedContacts = publishedResource(contactsTable, {
  scopes: ['organization'],
  record: ContactRow,
  events: {
    created: 'Somebody was named for billing, technical or legal matters.',
    deleted: 'A contact was removed.',
  },
})
