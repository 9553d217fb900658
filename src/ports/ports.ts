// The ports and settings that `commands/compose.ts` hands to the areas.
import type { AccessTokens } from '#kernel/access/access-tokens.ts'
import type { Ed25519Keys } from '#kernel/keys/ed25519-keys.ts'
import type { Company } from '#kernel/values/schema.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Settings as Configured } from '#config/settings.ts'
import type { Commerce } from './commerce.ts'
import type { CompanyRegistry } from './company-registry.ts'
import type { Crm } from './crm.ts'
import type { Documents } from './documents.ts'
import type { Files } from './files.ts'
import type { InboundMail } from './inbound-mail.ts'
import type { IssueTracker } from './issue-tracker.ts'
import type { Mail } from './mail.ts'
import type { MunicipalParameters } from './municipal-parameters.ts'
import type { Passwords } from './passwords.ts'
import type { Payments } from './payments.ts'
import type { PostalCodes } from './postal-codes.ts'
import type { Provisioning } from './provisioning.ts'
import type { IdentityProvider, SingleSignOn } from './single-sign-on.ts'
import type { SiteProofs } from './site-proofs.ts'
import type { TaxAuthority } from './tax-authority.ts'
import type { WebhookSender } from './webhook-sender.ts'

declare module '#kernel/data/context.ts' {
  interface Settings extends Configured {}
  interface Ports {
    mail: Mail
    /** Null where nobody can answer mails. */
    inboundMail: InboundMail | null
    files: Files
    companyRegistry: CompanyRegistry
    postalCodes: PostalCodes
    /** One per legal entity; null where none is configured. */
    payments: Record<Company, Payments | null>
    /** One per legal entity; null where the service's own tables are all there is. */
    commerce: Record<Company, Commerce | null>
    /** One per legal entity; null where there is none. */
    crm: Record<Company, Crm | null>
    provisioning: Provisioning
    /** Looks for the proofs of domains. */
    siteProofs: SiteProofs
    singleSignOn: SingleSignOn
    /** By which staff sign in, with the domains of their addresses; null where none is configured. */
    staffProvider: (IdentityProvider & { domains: readonly string[] }) | null
    /** Null where none is configured. */
    issueTracker: IssueTracker | null
    /** For the legal entity in Brazil; null where staff issue tax invoices elsewhere. */
    taxAuthority: TaxAuthority | null
    /** Null like the tax authority. */
    municipalParameters: MunicipalParameters | null
    webhookSender: WebhookSender
    passwords: Passwords
    /** Renders PDFs. */
    documents: Documents
    accessTokens: AccessTokens
    /** Sign license files. */
    licenseKeys: Ed25519Keys
    /** HMAC key for nonces, refresh tokens and links. */
    secretKey: string
    settings: Settings
  }
}

export type { Configured }

/** The time zone that decides a legal entity's dates. */
export const zoneOf = (ctx: { settings: Configured }, company: Company): string =>
  ctx.settings.entities[company].timeZone

/** Today's date in the time zone of each legal entity. */
export type Today = Record<Company, string>
export const todayOf = ({ now, settings }: { now: Date; settings: Configured }): Today => ({
  entity_br: dayIn(now, zoneOf({ settings }, 'entity_br')),
  entity_global: dayIn(now, zoneOf({ settings }, 'entity_global')),
})

/** In SQL, the first moment of a day in the time zone of the row's legal entity (`company`). */
export const startOfDayIn = (settings: Configured, day: Statement): Statement => sql`
  ((${day})::timestamp at time zone ${zoneThere(settings)})`

/** In SQL, the day of a moment there. */
export const dayOfMomentIn = (settings: Configured, moment: Statement): Statement => sql`
  ((${moment}) at time zone ${zoneThere(settings)})::date`

const zoneThere = (settings: Configured): Statement => sql`
  case company when 'entity_br' then ${zoneOf({ settings }, 'entity_br')} else ${zoneOf({ settings }, 'entity_global')}
    end`
