// Messages: what people and systems are told.
import type { Module } from '#http/manifest/module.ts'
import type { Announcement } from './notifications/announcement.ts'
import { contactsArea } from './contacts/area.ts'
import { eventsArea } from './events/area.ts'
import { mailsArea } from './mails/area.ts'
import { meArea } from './me/area.ts'
import { webhookEndpointsArea } from './webhook-endpoints/area.ts'
import { messagesReasons } from './reasons.ts'

export const messages: Module<Announcement> = {
  name: 'messages',
  areas: [mailsArea, eventsArea, webhookEndpointsArea, contactsArea, meArea],
  reasons: messagesReasons,
  erasure: {
    working: [
      'webhook_deliveries',
      'webhook_queues',
      'webhook_endpoints',
      'inbox_entries',
      'notice_preferences',
      'mails',
      'organization_contacts',
      'muted_addresses',
      'contact_confirmations',
    ],
    people: {
      'webhook_endpoints.user_id': { exports: 'reference' },
      'inbox_entries.user_id': { exports: 'row' },
      'mails.user_id': { exports: 'row' },
      'notice_preferences.user_id': { exports: 'row' },
      'organization_contacts.user_id': { exports: 'row' },
    },
  },
}
