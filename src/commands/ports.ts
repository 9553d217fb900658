// Chooses the implementation of each port by the configuration, and measures calls to other systems. What another
// configuration would need is not read; what this one will need later is read then (preflight.ts looks that it is
// there).
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createAccessTokens } from '#kernel/access/access-tokens.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { measured, type ObserveCall } from '#kernel/network/measured.ts'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { loadSigningKeys } from '#kernel/keys/signing-keys.ts'
import { createPasswordHasher, hashingConcurrency } from '#modules/identity/auth/passwords/passwords.ts'
import type { Commerce } from '#ports/commerce.ts'
import type { Files } from '#ports/files.ts'
import type { InboundMail } from '#ports/inbound-mail.ts'
import type { Mail } from '#ports/mail.ts'
import type { Provisioning } from '#ports/provisioning.ts'
import type { SingleSignOn } from '#ports/single-sign-on.ts'
import type { SiteProofs } from '#ports/site-proofs.ts'
import type { WebhookSender } from '#ports/webhook-sender.ts'
import { createLocalFiles } from '../adapters/local-files/local-files.ts'
import { noProvisioning } from '../adapters/no-provisioning/no-provisioning.ts'
import { createOfflineRegistry } from '../adapters/offline-registry/offline-registry.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import { type Settings, settingsOf } from '#config/settings.ts'
import type { Composition, Service } from './compose.ts'
import { issueTrackerOf } from './issue-tracker.ts'
import { crmsOf } from './crm.ts'
import { paymentsOf } from './payments.ts'
import { firstProfilesOf, municipalParametersOf, taxAuthorityOf } from './tax-authority.ts'

export async function portsOf(
  { config, secrets, clock, log }: Composition,
  sandbox: Service['sandbox'],
): Promise<Omit<Ports, 'documents' | 'settings'> & { settings: Settings }> {
  const keys = await loadSigningKeys({ pems: secrets.pems })
  const onUntrusted = (err: Error) => log.error({ err }, err.message)
  return {
    mail: await mailOf(config, sandbox),
    inboundMail: await inboundMailOf(config, sandbox),
    ...(await registriesOf(config)),
    files: await filesOf(config),
    payments: paymentsOf({ config, secrets }),
    commerce: {
      entity_br: await commerceOf({ config, secrets }, 'entity_br'),
      entity_global: await commerceOf({ config, secrets }, 'entity_global'),
    },
    taxAuthority: await taxAuthorityOf({ config, clock, onUntrusted }, sandbox?.tax ?? null),
    municipalParameters: await municipalParametersOf({ config, clock }),
    crm: await crmsOf({ config, secrets }),
    provisioning: await provisioningOf(config),
    siteProofs: siteProofsOf(config),
    singleSignOn: singleSignOnOf(config),
    staffProvider: config.staffProvider,
    issueTracker: await issueTrackerOf({ config, secrets }),
    webhookSender: webhookSenderOf(config),
    passwords: createPasswordHasher({ concurrency: hashingConcurrency(availableParallelism()) }),
    accessTokens: createAccessTokens({ keys, issuer: config.issuer }),
    licenseKeys: secrets.licenseKeys,
    secretKey: secrets.secretKey,
    settings: await settingsWith(config),
  }
}

/** The first fiscal profiles are in a file, which the configuration only names. */
async function settingsWith(config: Config): Promise<Settings> {
  const { firstSettings, ...settings } = settingsOf(config)
  const brazil = { ...firstSettings.entity_br, fiscal_profiles: await firstProfilesOf(config) }
  return { ...settings, firstSettings: { ...firstSettings, entity_br: brazil } }
}

/** Measures the ports that may call another system. */
export function measuredPorts(ports: Ports, observe: ObserveCall): Ports {
  const of = <Port extends object>(target: string, port: Port | null) => port && measured(target, port, observe)
  return {
    ...ports,
    mail: measured('mail', ports.mail, observe),
    inboundMail: of('inbound_mail', ports.inboundMail),
    files: measured('files', ports.files, observe),
    companyRegistry: measured('company_registry', ports.companyRegistry, observe, isUnavailable),
    postalCodes: measured('postal_codes', ports.postalCodes, observe, isUnavailable),
    payments: {
      entity_br: of('payments_entity_br', ports.payments.entity_br),
      entity_global: of('payments_entity_global', ports.payments.entity_global),
    },
    commerce: {
      entity_br: of('commerce_entity_br', ports.commerce.entity_br),
      entity_global: of('commerce_entity_global', ports.commerce.entity_global),
    },
    crm: {
      entity_br: of('crm_entity_br', ports.crm.entity_br),
      entity_global: of('crm_entity_global', ports.crm.entity_global),
    },
    taxAuthority: of('tax_authority', ports.taxAuthority),
    municipalParameters: of('municipal_parameters', ports.municipalParameters),
    provisioning: measured('provisioning', ports.provisioning, observe),
    singleSignOn: measured('identity_provider', ports.singleSignOn, observe),
    siteProofs: measured('site_proofs', ports.siteProofs, observe),
    issueTracker: of('issue_tracker', ports.issueTracker),
    webhookSender: measured('webhook_endpoint', ports.webhookSender, observe, hasNoAnswer),
  }
}

/** The registries' failures are answers, not errors. */
const isUnavailable = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'unavailable'

const hasNoAnswer = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === null

async function registriesOf({
  companyRegistry: choice,
  sandbox,
}: Config): Promise<Pick<Ports, 'companyRegistry' | 'postalCodes'>> {
  if (choice.kind === 'offline')
    return { companyRegistry: createOfflineRegistry(), postalCodes: createOfflineRegistry() }
  const { createBrasilapi } = await import('../adapters/brasilapi/brasilapi.ts')
  const { createPostalCodes } = await import('../adapters/brasilapi/postal-codes.ts')
  return {
    companyRegistry: createBrasilapi({ baseUrls: choice.urls, loopback: sandbox }),
    postalCodes: createPostalCodes({ baseUrls: choice.postalCodeUrls, loopback: sandbox }),
  }
}

async function commerceOf(
  { config, secrets }: Pick<Composition, 'config' | 'secrets'>,
  company: Company,
): Promise<Commerce | null> {
  const choice = config.commerce[company]
  if (choice.platform === 'own') return null
  const { wooCommerce } = await import('../adapters/woocommerce/woocommerce.ts')
  if (choice.platform === 'woocommerce') return wooCommerce(choice)
  const { webhookSecret, ...key } = secrets.sandboxShops[company]
  const url = `${localUrl(config)}/sandbox/shop/${company}`
  return wooCommerce({ ...key, url, webhookSecrets: [webhookSecret], platform: 'woocommerce-sandbox' })
}

async function filesOf({ fileStore, dataDir }: Config): Promise<Files> {
  if (fileStore.kind === 'local') return createLocalFiles({ directory: join(dataDir, 'files') })
  const { createS3Files } = await import('../adapters/s3-files/s3-files.ts')
  return createS3Files(fileStore)
}

async function mailOf({ mail }: Config, sandbox: Service['sandbox']): Promise<Mail> {
  if (mail.kind === 'smtp') {
    const { createSmtp } = await import('../adapters/smtp/smtp.ts')
    return createSmtp({ url: mail.url, from: mail.from })
  }
  if (!sandbox?.mail) throw new Error('mail is kept as files in the sandbox only')
  return sandbox.mail
}

async function inboundMailOf({ replies }: Config, sandbox: Service['sandbox']): Promise<InboundMail | null> {
  switch (replies?.kind) {
    case undefined:
      return null
    case 'sandbox':
      return sandbox?.mail?.answers ?? null
    case 'imap':
      return (await import('../adapters/imap/imap.ts')).imapMailbox(replies)
    case 'postmark':
      return (await import('../adapters/postmark/postmark.ts')).postmarkInbound(replies)
  }
}

async function provisioningOf({ provisioningSystem: system }: Config): Promise<Provisioning> {
  if (!system) return noProvisioning()
  const { httpProvisioning } = await import('../adapters/http-provisioning/http-provisioning.ts')
  return httpProvisioning(system)
}

/** The HTTP client and the adapter are read with the first look, or the first delivery. */
function siteProofsOf({ nameServers, sandbox: loopback }: Config): SiteProofs {
  const opened = onFirstUse(async () => {
    const { createSiteProofs } = await import('../adapters/site-proofs/site-proofs.ts')
    return createSiteProofs({ nameServers, loopback })
  })
  return { find: async (domain, proof) => (await opened()).find(domain, proof) }
}

function singleSignOnOf({ sandbox: loopback }: Config): SingleSignOn {
  let client: SingleSignOn | null = null
  const opened = onFirstUse(async () => {
    const { createOpenidConnect } = await import('../adapters/openid-connect/openid-connect.ts')
    return (client = createOpenidConnect({ loopback }))
  })
  return {
    begin: async (...asked) => (await opened()).begin(...asked),
    finish: async (...asked) => (await opened()).finish(...asked),
    close: async () => client?.close(),
  }
}

function webhookSenderOf({ sandbox: loopback }: Config): WebhookSender {
  let sender: WebhookSender | null = null
  const opened = onFirstUse(async () => {
    const { httpWebhooks } = await import('../adapters/http-webhooks/http-webhooks.ts')
    return (sender = httpWebhooks({ loopback }))
  })
  return {
    send: async (request) => (await opened()).send(request),
    close: async () => sender?.close(),
  }
}
