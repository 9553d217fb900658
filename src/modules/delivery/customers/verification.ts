// `verification_requires`: the organization must be verified before it buys or is paid. Read in the statements of those
// acts.
import { sql } from '#kernel/values/sql.ts'

/** Whether the organization has to be verified and is not. */
export const verificationOf = (org: number) => sql<{ is_unverified: boolean }>`
  select o.verification_requires and coalesce(o.verification_status <> 'verified', true) as is_unverified
    from organizations o
   where o.organization_id = ${org} and o.id = ${org}`

export const UNVERIFIED = 'The organization has to be verified first'
