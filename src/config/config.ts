// Reads the environment into one frozen, checked Config. Only main.ts reads process.env.
import type { Company } from '#kernel/values/schema.ts'
import { administratorOf } from './administrator.ts'
import { AUDIT } from './audit.ts'
import { COMMERCE_BR, COMMERCE_GLOBAL, commerceChoiceOf } from './commerce.ts'
import { companyRegistryOf } from './company-registry.ts'
import { CRM_BR, CRM_GLOBAL, crmChoiceOf } from './crm.ts'
import { DATABASE, databaseOf } from './database.ts'
import { type Entity, pixKeyOf } from './entities.ts'
import { fileStoreOf } from './files.ts'
import { addressesOf } from './http.ts'
import { issueTrackerOf } from './issue-tracker.ts'
import { mailOf, repliesOf } from './mail.ts'
import { PAYMENTS_BR, PAYMENTS_GLOBAL, paymentChoiceOf } from './payments.ts'
import { portalOf } from './portal.ts'
import { allOf } from './problems.ts'
import { provisioningSystemOf } from './provisioning.ts'
import { type Environment, type SettingTexts, givenIn, missingIn, valuesOf } from './read-values.ts'
import { demoOf, isLocal, isSandbox, whyNoSandbox } from './sandbox.ts'
import { staffProviderOf } from './staff-sso.ts'
import { brazilianTaxId, taxChoiceOf } from './tax.ts'
import type { Values } from './variables.ts'

/**
 * The service's configuration, with the variables of http, process, keys, signIn, vendor and privacy as properties of
 * their own.
 */
export interface Config extends Readonly<ReturnType<typeof configOf>> {}

/** For the commands that only use the database. */
export type DatabaseConfig = Pick<Config, 'database' | 'dataDir' | 'logLevel'>

/** For the commands about the audit logs. */
export type AuditConfig = DatabaseConfig & { auditSigningKey: string | null; auditLogDays: number | null }

export function readConfig(environment: Environment): Config {
  const given = givenIn(environment)
  // Read first without the sandbox: whether it is on depends on the given settings, and the fallbacks depend on it.
  const values = valuesOf(given, { sandbox: false })
  return Object.freeze(
    isSandbox(values) ? configOf(given, valuesOf(given, { sandbox: true }), true) : configOf(given, values, false),
  )
}

/** Secrets in files may be mounted for the service only. */
export function readDatabaseConfig(environment: Environment): DatabaseConfig {
  return databaseConfigOf(valuesOf(givenIn(environment, Object.values(DATABASE)), { sandbox: false }))
}

export function readAuditConfig(environment: Environment): AuditConfig {
  const secrets = [...Object.values(DATABASE), ...Object.values(AUDIT)]
  const values = valuesOf(givenIn(environment, secrets), { sandbox: false })
  return Object.freeze({
    ...databaseConfigOf(values),
    auditSigningKey: values.audit.signingKey,
    auditLogDays: values.audit.days,
  })
}

const databaseConfigOf = ({ database, process }: Values): DatabaseConfig =>
  Object.freeze({ database: databaseOf(database), dataDir: process.dataDir, logLevel: process.logLevel })

function configOf(given: SettingTexts, values: Values, sandbox: boolean) {
  const { http, process, keys, signIn, vendor, privacy, sites, files, limits, webhooks } = values
  const entities = entitiesOf(values)
  const addresses = addressesOf(http)
  const parts = allOf(
    {
      demo: () => demoOf(values, sandbox),
      database: () => databaseOf(values.database),
      admin: () => administratorOf(values.administrator),
      portal: () => portalOf(values.portal, addresses.publicUrl),
      staffProvider: () => staffProviderOf(values.staffSso),
      mail: () => mailOf(values.mail),
      replies: () => repliesOf(values.mail, sandbox),
      pixKey: () => pixKeyOf(values.pix),
      payments: () => paymentsOf(values, sandbox),
      commerce: () => commerceOf(values, sandbox),
      tax: () => taxChoiceOf(values.tax, { sandbox, taxId: entities.entity_br.taxId }),
      companyRegistry: () => companyRegistryOf(values.companyRegistry, sandbox),
      provisioningSystem: () => provisioningSystemOf(values.provisioning),
      issueTracker: () => issueTrackerOf(values.issueTracker, sandbox),
      crm: () => crmOf(values, sandbox),
      fileStore: () => fileStoreOf(values.fileStore),
    },
    { problems: sandbox ? [] : missingIn(given), hint: hintOf(values) },
  )
  return {
    ...http,
    ...process,
    ...keys,
    ...signIn,
    ...vendor,
    ...privacy,
    ...sites,
    ...addresses,
    ...parts,
    entities,
    taxIssueRule: values.tax.taxIssueRule,
    paymentMethods: { entity_br: values.paymentsBr.methods, entity_global: values.paymentsGlobal.methods },
    deals: { entity_br: dealsOf(values.crmBr), entity_global: dealsOf(values.crmGlobal) },
    files,
    limits,
    webhooks,
    sandbox,
    isLocal: isLocal(values),
  }
}

function hintOf(values: Values): string | null {
  const reason = whyNoSandbox(values)
  return reason && `SANDBOX is off because ${reason}; SANDBOX=1 turns it on, for development only`
}

function entitiesOf({ entityBr, entityGlobal, tax }: Values): Record<Company, Entity> {
  return {
    entity_br: { company: 'entity_br', ...entityBr, taxId: brazilianTaxId(entityBr.taxId, tax) },
    entity_global: { company: 'entity_global', ...entityGlobal },
  }
}

const commerceOf = ({ commerceBr, commerceGlobal }: Values, sandbox: boolean) =>
  allOf({
    entity_br: () => commerceChoiceOf(COMMERCE_BR, commerceBr, { sandbox }),
    entity_global: () => commerceChoiceOf(COMMERCE_GLOBAL, commerceGlobal, { sandbox }),
  })

function paymentsOf({ paymentsBr, paymentsGlobal, stripe }: Values, sandbox: boolean) {
  const { url } = stripe
  return allOf({
    entity_br: () => paymentChoiceOf(PAYMENTS_BR, paymentsBr, { sandbox, url }),
    entity_global: () => paymentChoiceOf(PAYMENTS_GLOBAL, paymentsGlobal, { sandbox, url }),
  })
}

const dealsOf = ({ pipeline, stages }: Values['crmBr' | 'crmGlobal']) => ({ pipeline, stages })

function crmOf({ crmBr, crmGlobal, hubspot }: Values, sandbox: boolean) {
  return allOf({
    entity_br: () => crmChoiceOf(CRM_BR, crmBr, { ...hubspot, sandbox }),
    entity_global: () => crmChoiceOf(CRM_GLOBAL, crmGlobal, { ...hubspot, sandbox }),
  })
}
