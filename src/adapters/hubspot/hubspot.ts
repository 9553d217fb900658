// The CRM port on HubSpot, one portal per legal entity (docs/crm.md, docs/decisions/0044).
import type { Crm } from '#ports/crm.ts'
import { hubspotApi } from './api.ts'
import { findCompany, saveCompany } from './companies.ts'
import { findDeal, saveDeal } from './deals.ts'
import { readHubspotEvents } from './events.ts'
import { prepare } from './properties.ts'

export type HubspotOptions = {
  /** Companies and deals of the sandbox's portal are not those of another one. */
  provider?: 'hubspot' | 'hubspot-sandbox'
  company: string
  token: string
  webhookSecrets: readonly string[]
  webhookUrl: string
  cnpjProperty: string
  url: string
  timeoutMs?: number
}

export function hubspot(options: HubspotOptions): Crm & { close(): Promise<void> } {
  const { company, token, url, timeoutMs = 10_000, cnpjProperty } = options
  const api = hubspotApi({ company, token, url, timeoutMs })
  const companies = { api, cnpjProperty }
  const deals = { api }
  return {
    provider: options.provider ?? 'hubspot',
    prepare: () => prepare(api, cnpjProperty),
    findCompany: (sought) => findCompany(companies, sought),
    saveCompany: (change) => saveCompany(companies, change),
    findDeal: (quoteId) => findDeal(deals, quoteId),
    saveDeal: (change) => saveDeal(deals, change),
    readEvents: (headers, body, now) => readHubspotEvents(options, { headers, body, now }),
    close: api.close,
  }
}
