// What organizations ask of the session of a member, as conditions over a row of the `access_check`, called `d`.
import { type Statement, sql } from '#kernel/values/sql.ts'

/** The organization `d` asks for no second factor, or the session has one, be it by the organization's own provider. */
export const hasTwoFactors = (session: Statement): Statement => sql`
  (not d.require_mfa or ${session}.second_factor is not null
    or ${session}.sso_second_factor and ${session}.sso_organization_id is not distinct from d.organization_id)`

/**
 * The member `d` need not sign in by single sign-on, or has done so. Owners keep their password (docs/decisions/0091).
 */
export const isSignedOn = (session: Statement, email: Statement): Statement => sql`
  (d.sso_domains = '{}' or d.role = 'owner' or ${session}.sso_organization_id is not distinct from d.organization_id
    or not array[lower(split_part(${email}, '@', -1)), lower(split_part(d.member_email, '@', -1))] && d.sso_domains)`
