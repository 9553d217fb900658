// The vendor's system that sets environments up.
import { needed } from './problems.ts'
import { listOf, secureUrl, webhookSecret } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const PROVISIONING = {
  url: {
    name: 'PROVISIONING_URL',
    meaning:
      'The vendor’s system that sets environments up (https outside the loopback); staff do it by hand when unset',
    read: secureUrl,
  },
  secret: {
    name: 'PROVISIONING_SECRET',
    meaning: 'Signs the requests to it (Standard Webhooks, `whsec_…`)',
    read: webhookSecret,
    secret: true,
  },
  webhookSecrets: {
    name: 'PROVISIONING_WEBHOOK_SECRETS',
    meaning: 'Any of them signs its reports to `/webhooks/provisioning`, by comma',
    read: listOf(webhookSecret),
    secret: true,
  },
} as const satisfies Variables

/** Null where staff move environments by hand. */
export type ProvisioningSystem = { url: string; secret: string; webhookSecrets: string[] } | null

export function provisioningSystemOf(values: ValuesOf<typeof PROVISIONING>): ProvisioningSystem {
  if (values.url === null) return null
  const properties = ['url', 'secret', 'webhookSecrets'] as const
  const { url, secret, webhookSecrets } = needed(PROVISIONING, values, {
    properties,
    because: 'PROVISIONING_URL is set',
  })
  return { url, secret, webhookSecrets }
}
