// Identity: who people are, and what they may in which organization.
import type { Module } from '#http/manifest/module.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { authArea } from './auth/area.ts'
import { collaboratorsArea, invitesArea, rolesArea } from './collaborators/area.ts'
import { organizationsArea } from './organizations/area.ts'
import { ssoArea } from './sso/area.ts'
import { staffArea } from './staff/area.ts'
import { vendorKeysArea } from './vendor-keys/area.ts'
import { identityReasons } from './reasons.ts'

export const identity: Module<Announcement> = {
  name: 'identity',
  areas: [authArea, ssoArea, collaboratorsArea, invitesArea, rolesArea, organizationsArea, staffArea, vendorKeysArea],
  reasons: identityReasons,
  erasure: {
    working: ['staff_entries', 'claims', 'api_keys', 'collaborators', 'organization_roles', 'sso_connections'],
    people: {
      'users.id': { exports: 'row' },
      'users.appointed_by': { exports: 'reference' },
      'sessions.user_id': { exports: 'row' },
      'known_addresses.user_id': { exports: 'row' },
      'address_undos.user_id': { exports: 'row' },
      'totp_factors.user_id': { exports: 'row' },
      'recovery_codes.user_id': { exports: 'row' },
      'passkeys.user_id': { exports: 'row' },
      'api_keys.user_id': { exports: 'row', erased: { name: 'erased' } },
      'collaborators.user_id': { exports: 'row' },
      'collaborators.parent_user_id': { exports: 'reference' },
      'organizations.owner_id': { exports: 'reference' },
      'staff_entries.user_id': { exports: 'row', erased: { user_name: 'erased' } },
      'sso_identities.user_id': { exports: 'row' },
      'vendor_keys.created_by': { exports: 'reference' },
    },
  },
}
