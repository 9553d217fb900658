// Whether a domain is an organization's own: by a TXT record. A file proves a web server only, not the domain's
// mailboxes.
import { type Statement, sql } from '#kernel/values/sql.ts'

/**
 * The proven domains (`p.domains`) of the organization of the row `k`: those that nobody else has proven since. `among`
 * says of which organizations (`proven`). Joined, since a cluster keeps sites elsewhere than connections.
 */
export const withProvenDomains = (among: Statement): Statement => sql`
  left join (
    select proven.organization_id, array_agg(proven.domain) as domains from sites proven
     where proven.verification_status = 'verified' and proven.verification_method = 'dns' and ${among}
     group by proven.organization_id) p on p.organization_id = k.organization_id`
