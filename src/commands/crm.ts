// The CRM of each legal entity: HubSpot, the sandbox's or none. Its adapter is read where it is chosen.
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Crm } from '#ports/crm.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { Secrets } from './secrets.ts'

type CrmOptions = { config: Config; secrets: Secrets }

export const crmsOf = async (chosen: CrmOptions): Promise<Ports['crm']> => ({
  entity_br: await crmFor(chosen, 'entity_br'),
  entity_global: await crmFor(chosen, 'entity_global'),
})

async function crmFor({ config, secrets }: CrmOptions, company: Company): Promise<Crm | null> {
  const choice = config.crm[company]
  if (choice.provider === 'none') return null
  const { hubspot } = await import('../adapters/hubspot/hubspot.ts')
  if (choice.provider === 'hubspot')
    return hubspot({ ...choice, company, webhookUrl: crmWebhookUrl(config.publicUrl, company) })
  const { token, webhookSecret } = secrets.sandboxCrms[company]
  const own = localUrl(config)
  const account = { token, webhookSecrets: [webhookSecret], url: `${own}/sandbox/crm/${company}` }
  return hubspot({
    ...choice,
    ...account,
    company,
    webhookUrl: crmWebhookUrl(own, company),
    provider: 'hubspot-sandbox',
  })
}

/** As the sender knows it, since it signs the address too. */
export const crmWebhookUrl = (url: string, company: Company): string => `${url}/api/v1/webhooks/crm/${company}`
