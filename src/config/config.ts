// Environment → one frozen, checked Config. Nobody else reads process.env.
import { resolve } from 'node:path'
import { isLoopback } from '#kernel/network/addresses.ts'
import type { Company } from '#kernel/values/schema.ts'
import {
  isLocal,
  missingForFiles,
  missingInProduction,
  whyNoSandbox,
  wrongDatabase,
  wrongProvisioning,
  wrongRegistry,
} from './config-checks.ts'
import {
  type PaymentChoice,
  paymentChoiceOf,
  type StripeSettings,
  stripeSettingsOf,
  wrongPayments,
} from './payment-config.ts'
import { misspelt } from './misspelt.ts'
import { type Portal, portalOf, wrongPortal } from './portal.ts'
import { SETTINGS, type SettingValues, WrongSettings, readSettings } from './settings.ts'
import { type TaxAuthorityChoice, brazilianTaxId, taxAuthorityOf, wrongTaxAuthority } from './tax-config.ts'

export type Entity = { company: Company; name: string; taxId: string; address: string; timeZone: string }

/** What the areas may know of the configuration. */
export type Settings = {
  publicUrl: string
  /** Where mails and pages lead; null for no links. */
  portal: Portal | null
  brand: string
  issuer: string
  refunds: 'approve' | 'automatic'
  /** How long a payment or refund may stay open before the provider is asked about it. */
  reconcileAfterMinutes: number
  commissionDays: number
  /** Largest first. */
  expiryWarningDays: readonly number[]
  licenseFileDays: number
  /** `none`: nobody is asked, staff move environments by hand. */
  provisioning: 'none' | 'http'
  entities: Record<Company, Entity>
  /** Told of tickets that customers open. */
  supportEmail: string | null
  files: { maxBytes: number; quotaBytes: number; quotaCount: number }
}

export type FileStore =
  | { kind: 'local' }
  | { kind: 's3'; endpoint: string; region: string; bucket: string; accessKey: string; secretKey: string }
export type Rate = { points: number; windowSeconds: number }

export type Config = Settings & {
  host: string
  port: number
  /** PUBLIC_URL was not given; it follows the port that is really bound. */
  isPublicUrlDerived: boolean
  dataDir: string
  sandbox: boolean
  /** As far as the settings say, only this machine reaches the service; requests are held against it. */
  isLocal: boolean
  demo: boolean | null
  database: {
    url: string | null
    systemUrl: string | null
    ownerUrl: string | null
    readConnections: number
    changeConnections: number
    /** How long a start waits for it. */
    startSeconds: number
  }
  /** The password is needed only to make them. */
  admin: { email: string; password: string | null } | null
  secretKey: string | null
  jwtPrivateKey: string | null
  licenseSigningKey: string | null
  mail: { smtpUrl: string | null; from: string; checks: boolean }
  registry: { kind: 'offline' | 'brasilapi'; urls: string[] }
  payments: Record<Company, PaymentChoice>
  /** Of the legal entity in Brazil. */
  taxAuthority: TaxAuthorityChoice
  /** Null where payments are taken otherwise. */
  stripe: Record<Company, StripeSettings | null>
  provisioningSystem: { url: string; secret: string; webhookSecrets: string[] } | null
  fileStore: FileStore
  corsOrigins: string[]
  trustedProxies: string[]
  metricsToken: string | null
  logLevel: string
  hooks: string | null
  jobsConcurrency: number
  jobsLeaseSeconds: number
  shutdownDelaySeconds: number
  /** Of `work`: health and metrics; null for none. */
  workPort: number | null
  limits: { credentials: Rate; public: Rate; requests: Rate }
}

/** What a command needs of the configuration: `database` for those that only look after the schema and its rows. */
export type Needs = 'service' | 'database'

export function readConfig(environment: Record<string, string | undefined>, needs: Needs = 'service'): Config {
  const unknown = misspelt(environment, Object.keys(SETTINGS))
  if (unknown.length > 0) throw new WrongSettings(unknown.join('\n'))
  const values = readSettings(environment)
  const host = values.HOST ?? '127.0.0.1'
  const port = values.PORT ?? 3000
  const sandbox = values.SANDBOX ?? whyNoSandbox(values) === null
  const problems = wrongDatabase(values)
  if (needs === 'service') problems.push(...wrongService(values, sandbox))
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  return Object.freeze({
    ...settingsOf(values, host, port, sandbox),
    host,
    port,
    isPublicUrlDerived: values.PUBLIC_URL === null,
    dataDir: resolve(values.DATA_DIR ?? './data'),
    sandbox,
    isLocal: isLocal(values),
    demo: values.DEMO,
    database: {
      url: values.DATABASE_URL,
      systemUrl: values.DATABASE_SYSTEM_URL,
      ownerUrl: values.DATABASE_OWNER_URL,
      readConnections: values.DATABASE_READ_CONNECTIONS ?? 4,
      changeConnections: values.DATABASE_CHANGE_CONNECTIONS ?? 10,
      startSeconds: values.DATABASE_START_SECONDS ?? 30,
    },
    admin: values.ADMIN_EMAIL === null ? null : { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD },
    secretKey: values.SECRET_KEY,
    jwtPrivateKey: values.JWT_PRIVATE_KEY,
    licenseSigningKey: values.LICENSE_SIGNING_KEY,
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM ?? '', checks: values.SMTP_CHECK ?? true },
    registry: { kind: values.COMPANY_REGISTRY ?? 'offline', urls: values.COMPANY_REGISTRY_URLS ?? [] },
    payments: {
      entity_br: paymentChoiceOf(values, 'entity_br'),
      entity_global: paymentChoiceOf(values, 'entity_global'),
    },
    stripe: {
      entity_br: stripeSettingsOf(values, 'entity_br'),
      entity_global: stripeSettingsOf(values, 'entity_global'),
    },
    taxAuthority: taxAuthorityOf(values),
    provisioningSystem:
      values.PROVISIONING_URL === null
        ? null
        : {
            url: values.PROVISIONING_URL,
            secret: values.PROVISIONING_SECRET ?? '',
            webhookSecrets: values.PROVISIONING_WEBHOOK_SECRETS ?? [],
          },
    fileStore: fileStoreOf(values),
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL ?? 'info',
    hooks: values.HOOKS,
    jobsConcurrency: values.JOBS_CONCURRENCY ?? 4,
    jobsLeaseSeconds: values.JOBS_LEASE_SECONDS ?? 60,
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS ?? 0,
    workPort: values.WORK_PORT,
    limits: {
      credentials: values.LIMIT_CREDENTIALS ?? { points: 10, windowSeconds: 60 },
      public: values.LIMIT_PUBLIC ?? { points: 60, windowSeconds: 60 },
      requests: values.LIMIT_REQUESTS ?? { points: 6000, windowSeconds: 60 },
    },
  })
}

function wrongService(values: SettingValues, sandbox: boolean): string[] {
  const problems = sandbox ? [] : missingInProduction(values)
  if (values.ADMIN_EMAIL === null && values.ADMIN_PASSWORD !== null) problems.push('ADMIN_PASSWORD needs ADMIN_EMAIL')
  problems.push(...wrongPortal(values))
  problems.push(...wrongProvisioning(values))
  problems.push(...wrongPayments(values, sandbox, isLoopback))
  problems.push(...missingForFiles(values))
  problems.push(...wrongRegistry(values, sandbox))
  problems.push(...wrongTaxAuthority(values, sandbox, isLoopback))
  const reason = whyNoSandbox(values)
  if (problems.length > 0 && reason !== null)
    problems.push(`SANDBOX is off because ${reason}; SANDBOX=1 turns it on, for development only`)
  return problems
}

function settingsOf(values: SettingValues, host: string, port: number, sandbox: boolean): Settings {
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    publicUrl: values.PUBLIC_URL ?? `http://${shown}:${port}`,
    portal: portalOf(values),
    brand: values.BRAND ?? 'Titular',
    issuer: values.ISSUER ?? 'titular',
    refunds: values.REFUNDS ?? (sandbox ? 'automatic' : 'approve'),
    reconcileAfterMinutes: values.RECONCILE_AFTER_MINUTES ?? 60,
    commissionDays: values.COMMISSION_DAYS ?? 30,
    expiryWarningDays: values.EXPIRY_WARNING_DAYS ?? [],
    licenseFileDays: values.LICENSE_FILE_DAYS ?? 30,
    provisioning: values.PROVISIONING_URL === null ? 'none' : 'http',
    supportEmail: values.SUPPORT_EMAIL,
    files: {
      maxBytes: values.FILES_MAX_BYTES ?? 0,
      quotaBytes: values.FILES_QUOTA_BYTES ?? 0,
      quotaCount: values.FILES_QUOTA_COUNT ?? 0,
    },
    entities: {
      entity_br: {
        company: 'entity_br',
        name: values.ENTITY_BR_NAME ?? '',
        taxId: brazilianTaxId(values),
        address: values.ENTITY_BR_ADDRESS ?? '',
        timeZone: values.ENTITY_BR_TIME_ZONE ?? 'America/Sao_Paulo',
      },
      entity_global: {
        company: 'entity_global',
        name: values.ENTITY_GLOBAL_NAME ?? '',
        taxId: values.ENTITY_GLOBAL_TAX_ID ?? '',
        address: values.ENTITY_GLOBAL_ADDRESS ?? '',
        timeZone: values.ENTITY_GLOBAL_TIME_ZONE ?? 'UTC',
      },
    },
  }
}

function fileStoreOf(values: SettingValues): FileStore {
  if (values.FILES !== 's3') return { kind: 'local' }
  return {
    kind: 's3',
    endpoint: values.FILES_S3_ENDPOINT ?? '',
    region: values.FILES_S3_REGION ?? '',
    bucket: values.FILES_S3_BUCKET ?? '',
    accessKey: values.FILES_S3_ACCESS_KEY ?? '',
    secretKey: values.FILES_S3_SECRET_KEY ?? '',
  }
}
