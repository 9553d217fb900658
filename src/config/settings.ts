// The part of the configuration that areas may read.
import type { Company } from '#kernel/values/schema.ts'
import type { PaymentProvider } from '#ports/payable-amounts.ts'
import type { Config } from './config.ts'
import { HTTP } from './http.ts'
import type { IssueTrackerRules } from './issue-tracker.ts'
import { KEYS } from './keys.ts'
import type { RepliesRules } from './mail.ts'
import { PRIVACY } from './privacy.ts'
import { PROCESS } from './process.ts'
import { SIGN_IN } from './sign-in.ts'
import type { Variables } from './variable.ts'
import { VENDOR } from './vendor.ts'

const SINGLE = { ...HTTP, ...PROCESS, ...KEYS, ...SIGN_IN, ...VENDOR, ...PRIVACY } as const satisfies Variables

type Single = typeof SINGLE
type Visible = { [One in keyof Single]: Single[One] extends { visibleTo: 'areas' } ? One : never }[keyof Single]

export type Settings = Pick<Config, Visible | 'entities' | 'pixKey' | 'taxIssueRule' | 'files' | 'portal'> & {
  /** `none`: staff move environments by hand. */
  provisioning: 'none' | 'http'
  /** Null without a tracker: staff record keys of issues by hand. */
  issueTracker: IssueTrackerRules | null
  /** Null where nobody can answer mails. */
  replies: RepliesRules | null
  crm: Readonly<Record<Company, 'none' | 'hubspot' | 'sandbox'>>
  payments: Readonly<Record<Company, PaymentProvider>>
  /** Organizations may have a test clock. */
  testClocks: boolean
  /** `loopback`: endpoints may be on this machine. */
  webhooks: { deliveryDays: number; loopback: boolean }
}

export function settingsOf(config: Config): Settings {
  const { entities, pixKey, taxIssueRule, files, portal, provisioningSystem, issueTracker, replies, crm } = config
  const { webhooks, sandbox } = config
  const { entity_br, entity_global } = config.payments
  const single = Object.entries(config).filter(([property]) => isVisible(property))
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same variables, by the same mark
    ...(Object.fromEntries(single) as Pick<Config, Visible>),
    entities,
    pixKey,
    taxIssueRule,
    files,
    portal,
    provisioning: provisioningSystem === null ? 'none' : 'http',
    issueTracker: issueTracker.kind === 'none' ? null : issueTracker.rules,
    replies: replies && { mailbox: replies.mailbox, authServer: replies.authServer },
    crm: { entity_br: crm.entity_br.provider, entity_global: crm.entity_global.provider },
    payments: { entity_br: entity_br.provider, entity_global: entity_global.provider },
    testClocks: sandbox,
    webhooks: { deliveryDays: webhooks.deliveryDays, loopback: sandbox },
  }
}

function isVisible(property: string): boolean {
  const { [property]: variable }: Variables = SINGLE
  return variable?.visibleTo === 'areas'
}
