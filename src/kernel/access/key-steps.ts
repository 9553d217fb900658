// The steps of the access check that only API keys can fail at.
import type { AccessRequest } from './access-request.ts'
import type { Credential } from './credentials.ts'
import { type Statement, nothing, sql } from '#kernel/values/sql.ts'

export const isVendorKey = (credential: Credential): boolean =>
  credential.kind === 'api_key' && credential.of === 'vendor'

/**
 * For people they are nothing, so that their statements stay as they are. `c` is the caller, `j` the caller in the
 * organization.
 */
export function stepsOfKeys({ credential, needsPerson, organizationId, reach }: AccessRequest) {
  const isKey = credential.kind === 'api_key'
  const isOfVendor = isVendorKey(credential)
  return {
    address: isKey ? sql`when c.address_refused then 'address'` : nothing,
    person: isOfVendor && needsPerson ? sql`when true then 'person'` : nothing,
    organization: isOfVendor ? sql`when ${organizationId}::bigint <> all(j.organization_ids) then 'unknown'` : nothing,
    reach: reach?.refusal ? sql`when true then ${reach.refusal}` : nothing,
    id: (row: Statement): Statement => (isKey ? sql`${row}.key_id,` : nothing),
  }
}
