// Delivery: what was bought, and how it is used.
import type { Module } from '#http/manifest/module.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { affiliatesArea } from './affiliates/area.ts'
import { businessHoursArea } from './business-hours/area.ts'
import { contractsArea } from './contracts/area.ts'
import { downloadsArea } from './downloads/area.ts'
import { entitlementsArea } from './entitlements/area.ts'
import { environmentsArea } from './environments/area.ts'
import { licensesArea } from './licenses/area.ts'
import { priceIndexesArea } from './price-indexes/area.ts'
import { productsArea } from './products/area.ts'
import { servicesArea } from './services/area.ts'
import { sitesArea } from './sites/area.ts'
import { provisioningSource } from './environments/apply-report.ts'
import { deliveryReasons } from './reasons.ts'

export const delivery: Module<Announcement> = {
  name: 'delivery',
  areas: [
    entitlementsArea,
    licensesArea,
    environmentsArea,
    servicesArea,
    contractsArea,
    businessHoursArea,
    downloadsArea,
    sitesArea,
    productsArea,
    priceIndexesArea,
    affiliatesArea,
  ],
  reasons: deliveryReasons,
  inboundSources: [provisioningSource],
  erasure: {
    working: [
      'milestones',
      'service_history',
      'services',
      'site_reports',
      'sites',
      'maintenance_windows',
      'environment_history',
      'environments',
      'download_counts',
      'licenses',
    ],
    fiscal: [
      'affiliate_entries',
      'commissions',
      'affiliate_payouts',
      'affiliates',
      'contract_history',
      'contracts',
      'entitlements',
    ],
    people: {
      'contract_history.changed_by': { exports: 'reference', erased: { changed_by_name: 'erased' } },
      'environment_history.changed_by': { exports: 'reference', erased: { changed_by_name: 'erased' } },
      'service_history.changed_by': { exports: 'reference', erased: { changed_by_name: 'erased' } },
      'affiliate_payouts.requested_by': { exports: 'reference' },
    },
    obstacles: {
      payouts: `affiliate_payouts where status in ('requested', 'approved')`,
    },
  },
}
