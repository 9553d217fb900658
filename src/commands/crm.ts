// The CRM of each legal entity: HubSpot or none.
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Crm } from '#ports/crm.ts'
import '#ports/ports.ts'
import { hubspot } from '../adapters/hubspot/hubspot.ts'
import type { Config } from '#config/config.ts'

export const crmsOf = (config: Config): Ports['crm'] => ({
  entity_br: crmFor(config, 'entity_br'),
  entity_global: crmFor(config, 'entity_global'),
})

function crmFor({ crm, publicUrl }: Config, company: Company): Crm | null {
  const choice = crm[company]
  if (choice.provider === 'none') return null
  return hubspot({ ...choice, company, webhookUrl: `${publicUrl}/api/v1/webhooks/crm/${company}` })
}
