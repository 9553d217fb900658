// What customers see of the events of their sites. What runs there is reported without events
// (docs/interface/delivery.md).
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { SiteRow, sitesTable } from './site.ts'

export const publishedSites = publishedResource(sitesTable, {
  scopes: ['entitlements'],
  record: SiteRow,
  linkedCodes: (of) => sql`
    select l.entitlement_code as code from licenses l
     where ${of('l.organization_id')}
       and l.id in (select value::bigint from jsonb_array_elements_text(e.data -> 'license_ids'))
    union
    select v.entitlement_code from environments v
     where ${of('v.organization_id')} and v.id = (e.data ->> 'environment_id')::bigint`,
  events: {
    created: 'A site was added, by a member, an activation or an environment.',
    updated: 'A field of a site changed, or which licenses and environment are on it.',
    verified: 'The domain of a site was proven.',
    lapsed: 'The proof of a site has gone, or a later one of the domain counts.',
    deleted: 'A site was removed.',
  },
})
