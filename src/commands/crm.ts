// The CRM of each legal entity: HubSpot or none. Its adapter is read where it is chosen.
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Crm } from '#ports/crm.ts'
import type { Config } from '#config/config.ts'

export const crmsOf = async (config: Config): Promise<Ports['crm']> => ({
  entity_br: await crmFor(config, 'entity_br'),
  entity_global: await crmFor(config, 'entity_global'),
})

async function crmFor({ crm, publicUrl }: Config, company: Company): Promise<Crm | null> {
  const choice = crm[company]
  if (choice.provider === 'none') return null
  const { hubspot } = await import('../adapters/hubspot/hubspot.ts')
  return hubspot({ ...choice, company, webhookUrl: `${publicUrl}/api/v1/webhooks/crm/${company}` })
}
