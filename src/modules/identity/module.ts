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
  },
}
