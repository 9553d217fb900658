// What customers see of the events of licenses. The key is in none of them.
import { publishedResource } from '#kernel/data/published.ts'
import { License, licensesTable } from './license.ts'

export const publishedLicenses = publishedResource(licensesTable, {
  scopes: ['licenses'],
  record: License,
  events: {
    created: 'A license was issued.',
    updated: 'A field of a license changed.',
    activated: 'A license was activated on a domain.',
    deactivated: 'A license was deactivated on a domain.',
    limit_changed: 'A license may be active on more or fewer domains than before.',
    key_rotated: 'A license got a new key.',
    suspended: 'A license was suspended.',
    resumed: 'A suspended license is active again.',
    expiring: 'A license is about to expire.',
    expired: 'A license has expired.',
    renewed: 'An expired license is active again.',
    revoked: 'A license was revoked.',
  },
})
