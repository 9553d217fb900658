// The part of the configuration that areas may read.
import type { Company } from '#kernel/values/schema.ts'
import { type FirstSettings, firstSettingsOf } from '#ports/company-settings.ts'
import type { PaymentProvider } from '#ports/payable-amounts.ts'
import type { Config } from './config.ts'
import type { Entity } from './entities.ts'
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

export type Settings = Pick<Config, Visible | 'portal'> & {
  files: Pick<Config['files'], 'maxBytes'>
  /** What does not change while the service runs. */
  entities: Readonly<Record<Company, Pick<Entity, 'company' | 'taxId' | 'timeZone'>>>
  /** Where the vendor has set nothing else; rules read what is in force (ports/settings-in-force.ts). */
  firstSettings: FirstSettings
  /** `none`: staff move environments by hand. */
  provisioning: 'none' | 'http'
  /** Null without a tracker: staff record keys of issues by hand. */
  issueTracker: Pick<IssueTrackerRules, 'pollSeconds'> | null
  /** Null where nobody can answer mails. */
  replies: RepliesRules | null
  crm: Readonly<Record<Company, 'none' | 'hubspot' | 'sandbox'>>
  payments: Readonly<Record<Company, PaymentProvider>>
  /** Organizations may have a test clock. */
  testClocks: boolean
  /** `loopback`: endpoints may be on this machine. */
  webhooks: { loopback: boolean }
}

export function settingsOf(config: Config): Settings {
  const { entities, files, portal, provisioningSystem, issueTracker, replies, crm } = config
  const { sandbox } = config
  const { entity_br, entity_global } = config.payments
  const single = Object.entries(config).filter(([property]) => isVisible(property))
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same variables, by the same mark
    ...(Object.fromEntries(single) as Pick<Config, Visible>),
    entities: { entity_br: fixedOf(entities.entity_br), entity_global: fixedOf(entities.entity_global) },
    firstSettings: firstSettingsOf(config),
    files: { maxBytes: files.maxBytes },
    portal,
    provisioning: provisioningSystem === null ? 'none' : 'http',
    issueTracker: issueTracker.kind === 'none' ? null : { pollSeconds: issueTracker.rules.pollSeconds },
    replies: replies && { mailbox: replies.mailbox, authServer: replies.authServer },
    crm: { entity_br: crm.entity_br.provider, entity_global: crm.entity_global.provider },
    payments: { entity_br: entity_br.provider, entity_global: entity_global.provider },
    testClocks: sandbox,
    webhooks: { loopback: sandbox },
  }
}

const fixedOf = ({ company, taxId, timeZone }: Entity) => ({ company, taxId, timeZone })

function isVisible(property: string): boolean {
  const { [property]: variable }: Variables = SINGLE
  return variable?.visibleTo === 'areas'
}
