// `verification_requires`: the organization must be verified before it buys or is paid. Read in the statements of those acts.
import { sql, type Statement } from '#kernel/data/sql.ts'

/** A column: whether the organization has to be verified and is not. */
export const isUnverified = (org: number): Statement => sql`(
  select o.verification_requires and coalesce(o.verification_status <> 'verified', true) from organizations o
   where o.organization_id = ${org} and o.id = ${org}) as is_unverified`

export const UNVERIFIED = 'The organization has to be verified first'
