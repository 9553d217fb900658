// Chooses the implementation of each port by the configuration, and measures calls to other systems.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createAccessTokens } from '#kernel/access/access-tokens.ts'
import type { Ports } from '#kernel/data/context.ts'
import { measured, type ObserveCall } from '#kernel/network/measured.ts'
import { loadSigningKeys } from '#kernel/keys/signing-keys.ts'
import { createPasswordHasher, hashingConcurrency } from '#areas/auth/passwords.ts'
import type { Commerce } from '#ports/commerce.ts'
import type { Files } from '#ports/files.ts'
import type { Mail } from '#ports/mail.ts'
import { createBrasilapi } from '../adapters/brasilapi/brasilapi.ts'
import { httpProvisioning } from '../adapters/http-provisioning/http-provisioning.ts'
import { httpWebhooks } from '../adapters/http-webhooks/http-webhooks.ts'
import { createLocalFiles } from '../adapters/local-files/local-files.ts'
import { noProvisioning } from '../adapters/no-provisioning/no-provisioning.ts'
import { createOfflineRegistry } from '../adapters/offline-registry/offline-registry.ts'
import { createS3Files } from '../adapters/s3-files/s3-files.ts'
import { createSiteProofs } from '../adapters/site-proofs/site-proofs.ts'
import { createSmtp } from '../adapters/smtp/smtp.ts'
import { wooCommerce } from '../adapters/woocommerce/woocommerce.ts'
import type { CommerceChoice } from '#config/commerce.ts'
import type { Config } from '#config/config.ts'
import { settingsOf } from '#config/settings.ts'
import type { Composition, Service } from './compose.ts'
import { issueTrackerOf } from './issue-tracker.ts'
import { crmsOf } from './crm.ts'
import { paymentsOf } from './payments.ts'
import { taxAuthorityOf } from './tax-authority.ts'

export async function portsOf(
  { config, secrets, clock }: Composition,
  sandbox: Service['sandbox'],
): Promise<Omit<Ports, 'documents'>> {
  const keys = await loadSigningKeys({ pems: secrets.pems })
  return {
    mail: mailOf(config, sandbox),
    companyRegistry:
      config.companyRegistry.kind === 'brasilapi'
        ? createBrasilapi({ baseUrls: config.companyRegistry.urls, loopback: config.sandbox })
        : createOfflineRegistry(),
    files: filesOf(config),
    payments: paymentsOf({ config, secrets }),
    commerce: {
      entity_br: commerceOf(config.commerce.entity_br),
      entity_global: commerceOf(config.commerce.entity_global),
    },
    taxAuthority: await taxAuthorityOf({ config, clock }, sandbox?.tax ?? null),
    crm: crmsOf(config),
    provisioning: config.provisioningSystem ? httpProvisioning(config.provisioningSystem) : noProvisioning(),
    siteProofs: createSiteProofs({ nameServers: config.nameServers, loopback: config.sandbox }),
    issueTracker: issueTrackerOf(config),
    webhookSender: httpWebhooks({ loopback: config.sandbox }),
    passwords: createPasswordHasher({ concurrency: hashingConcurrency(availableParallelism()) }),
    accessTokens: createAccessTokens({ keys, issuer: config.issuer }),
    licenseKeys: secrets.licenseKeys,
    secretKey: secrets.secretKey,
    settings: settingsOf(config),
  }
}

/** Measures the ports that may call another system. */
export function measuredPorts(ports: Ports, observe: ObserveCall): Ports {
  const of = <Port extends object>(target: string, port: Port | null) => port && measured(target, port, observe)
  return {
    ...ports,
    mail: measured('mail', ports.mail, observe),
    files: measured('files', ports.files, observe),
    companyRegistry: measured('company_registry', ports.companyRegistry, observe, isUnavailable),
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
    provisioning: measured('provisioning', ports.provisioning, observe),
    siteProofs: measured('site_proofs', ports.siteProofs, observe),
    issueTracker: of('issue_tracker', ports.issueTracker),
    webhookSender: measured('webhook_endpoint', ports.webhookSender, observe, hasNoAnswer),
  }
}

/** The registry's failures are answers, not errors. */
const isUnavailable = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'unavailable'

const commerceOf = (choice: CommerceChoice): Commerce | null =>
  choice.platform === 'woocommerce' ? wooCommerce(choice) : null

const hasNoAnswer = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === null

const filesOf = ({ fileStore, dataDir }: Config): Files =>
  fileStore.kind === 's3' ? createS3Files(fileStore) : createLocalFiles({ directory: join(dataDir, 'files') })

function mailOf({ mail }: Config, sandbox: Service['sandbox']): Mail {
  if (mail.kind === 'smtp') return createSmtp({ url: mail.url, from: mail.from })
  if (!sandbox?.mail) throw new Error('mail is kept as files in the sandbox only')
  return sandbox.mail
}
