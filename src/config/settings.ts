// The part of the configuration that areas may read.
import type { Config } from './config.ts'
import { HTTP } from './http.ts'
import { KEYS } from './keys.ts'
import { PROCESS } from './process.ts'
import type { Variables } from './variable.ts'
import { VENDOR } from './vendor.ts'

const SINGLE = { ...HTTP, ...PROCESS, ...KEYS, ...VENDOR } as const satisfies Variables

type Single = typeof SINGLE
type Visible = { [One in keyof Single]: Single[One] extends { visibleTo: 'areas' } ? One : never }[keyof Single]

export type Settings = Pick<Config, Visible | 'entities' | 'files' | 'portal'> & {
  /** `none`: staff move environments by hand. */
  provisioning: 'none' | 'http'
  /** `loopback`: endpoints may be on this machine. */
  webhooks: { deliveryDays: number; loopback: boolean }
}

export function settingsOf(config: Config): Settings {
  const { entities, files, portal, provisioningSystem, webhooks, sandbox } = config
  const single = Object.entries(config).filter(([property]) => isVisible(property))
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same variables, by the same mark
    ...(Object.fromEntries(single) as Pick<Config, Visible>),
    entities,
    files,
    portal,
    provisioning: provisioningSystem === null ? 'none' : 'http',
    webhooks: { deliveryDays: webhooks.deliveryDays, loopback: sandbox },
  }
}

function isVisible(property: string): boolean {
  const { [property]: variable }: Variables = SINGLE
  return variable?.visibleTo === 'areas'
}
