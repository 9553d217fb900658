// The ports and settings that `commands/compose.ts` hands to the areas.
import type { AccessTokens } from '#kernel/access/access-tokens.ts'
import type { Ed25519Keys } from '#kernel/keys/ed25519-keys.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Settings as Configured } from '#config/settings.ts'
import type { CompanyRegistry } from './company-registry.ts'
import type { Documents } from './documents.ts'
import type { Files } from './files.ts'
import type { Mail } from './mail.ts'
import type { Passwords } from './passwords.ts'
import type { Payments } from './payments.ts'
import type { Provisioning } from './provisioning.ts'
import type { TaxAuthority } from './tax-authority.ts'
import type { WebhookSender } from './webhook-sender.ts'

declare module '#kernel/data/context.ts' {
  interface Settings extends Configured {}
  interface Ports {
    mail: Mail
    files: Files
    companyRegistry: CompanyRegistry
    /** One per legal entity; null where none is configured. */
    payments: Record<Company, Payments | null>
    provisioning: Provisioning
    /** For the legal entity in Brazil; null where staff issue tax invoices elsewhere. */
    taxAuthority: TaxAuthority | null
    webhookSender: WebhookSender
    passwords: Passwords
    /** Renders PDFs. */
    documents: Documents
    accessTokens: AccessTokens
    /** Sign license files. */
    licenseKeys: Ed25519Keys
    /** HMAC key for nonces, refresh tokens and links. */
    secretKey: string
    settings: Configured
  }
}

/** The time zone that decides a legal entity's dates. */
export const zoneOf = (ctx: { settings: Configured }, company: Company): string =>
  ctx.settings.entities[company].timeZone
