// All settings, by subject, in the order of docs/settings.md.
import { ADMINISTRATOR } from './administrator.ts'
import { AUDIT } from './audit.ts'
import { COMMERCE_BR, COMMERCE_GLOBAL } from './commerce.ts'
import { COMPANY_REGISTRY } from './company-registry.ts'
import { CRM_BR, CRM_GLOBAL, HUBSPOT } from './crm.ts'
import { DATABASE } from './database.ts'
import { ENTITY_BR, ENTITY_GLOBAL, PIX } from './entities.ts'
import { FILE_STORE, FILES } from './files.ts'
import { HTTP, LIMITS } from './http.ts'
import { ISSUE_TRACKER } from './issue-tracker.ts'
import { KEYS } from './keys.ts'
import { MAIL } from './mail.ts'
import { PAYMENTS_BR, PAYMENTS_GLOBAL, STRIPE } from './payments.ts'
import { PORTAL } from './portal.ts'
import { PRIVACY } from './privacy.ts'
import { PROCESS } from './process.ts'
import { PROVISIONING } from './provisioning.ts'
import { SANDBOX } from './sandbox.ts'
import { SIGN_IN } from './sign-in.ts'
import { STAFF_SSO } from './staff-sso.ts'
import { SITES } from './sites.ts'
import { TAX } from './tax.ts'
import type { ValuesOf, Variable, Variables } from './variable.ts'
import { VENDOR } from './vendor.ts'
import { WEBHOOKS } from './webhooks.ts'

export const SUBJECTS = {
  http: HTTP,
  process: PROCESS,
  sandbox: SANDBOX,
  database: DATABASE,
  keys: KEYS,
  audit: AUDIT,
  administrator: ADMINISTRATOR,
  signIn: SIGN_IN,
  staffSso: STAFF_SSO,
  vendor: VENDOR,
  privacy: PRIVACY,
  portal: PORTAL,
  mail: MAIL,
  entityBr: ENTITY_BR,
  entityGlobal: ENTITY_GLOBAL,
  pix: PIX,
  paymentsBr: PAYMENTS_BR,
  paymentsGlobal: PAYMENTS_GLOBAL,
  stripe: STRIPE,
  commerceBr: COMMERCE_BR,
  commerceGlobal: COMMERCE_GLOBAL,
  tax: TAX,
  companyRegistry: COMPANY_REGISTRY,
  provisioning: PROVISIONING,
  sites: SITES,
  issueTracker: ISSUE_TRACKER,
  crmBr: CRM_BR,
  crmGlobal: CRM_GLOBAL,
  hubspot: HUBSPOT,
  files: FILES,
  fileStore: FILE_STORE,
  webhooks: WEBHOOKS,
  limits: LIMITS,
} as const satisfies Record<string, Variables>

type Subjects = typeof SUBJECTS
type NamesIn<Subject extends Variables> = Subject[keyof Subject]['name']

export type Values = { readonly [Subject in keyof Subjects]: ValuesOf<Subjects[Subject]> }
export type VariableName = { [Subject in keyof Subjects]: NamesIn<Subjects[Subject]> }[keyof Subjects]

export const VARIABLES: readonly Variable[] = Object.values<Variables>(SUBJECTS).flatMap((one) => Object.values(one))
