// Whether a domain is an organization's own: by a TXT record. A file proves a web server only, not the domain's mailboxes.
import { type Statement, sql } from '#kernel/data/sql.ts'

/** In a statement: true where the organization has proven the domain, and nobody else has since. */
export const isProvenByDns = (organizationId: Statement, domain: Statement): Statement => sql`
  exists (select 1 from sites proven where proven.organization_id = ${organizationId} and proven.domain = ${domain}
             and proven.verification_status = 'verified' and proven.verification_method = 'dns')`
