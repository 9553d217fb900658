// Contacts of organizations (docs/interface/messages.md, Notices).
import { area } from '#http/manifest/area.ts'
import { contactAnnouncements } from './announcements.ts'
import { contactsTable } from './contact.ts'
import { publishedContacts } from './published.ts'
import { contactRoutes } from './routes.ts'

export const contactsArea = area({
  name: 'contacts',
  description: 'Whom an organization has named for billing, technical and legal matters.',
  routes: contactRoutes,
  tables: [contactsTable.name, 'muted_addresses', 'contact_confirmations'],
  announcements: contactAnnouncements,
  published: [publishedContacts],
})
