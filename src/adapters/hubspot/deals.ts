// Quotes as deals of HubSpot.
import { Type } from 'typebox'
import { type CrmDeal, CrmUnavailable, type DealChange } from '#ports/crm.ts'
import type { HubspotApi } from './api.ts'
import { findObject, type HubspotObject, pathOf, saveObject } from './objects.ts'

/** The deal's property for the id of the quote, with unique values. */
export const QUOTE_KEY = 'titular_quote_id'

export type Deals = { api: HubspotApi }

const keyOf = (quoteId: number) => ({ property: QUOTE_KEY, value: String(quoteId) })

export async function findDeal({ api }: Deals, quoteId: number): Promise<CrmDeal | null> {
  const found = await findObject(api, 'deals', {
    key: keyOf(quoteId),
    properties: ['dealstage'],
    associations: 'companies',
  })
  return found && dealOf(found)
}

export async function saveDeal({ api }: Deals, change: DealChange): Promise<CrmDeal> {
  const { id, quoteId, companyId, values, place } = change
  const properties = {
    dealname: values.name,
    amount: values.amount,
    deal_currency_code: values.currency,
    closedate: `${values.closesOn}T00:00:00.000Z`,
    ...(place && { pipeline: place.pipeline, dealstage: place.stage }),
  }
  const saved = await saveObject(api, 'deals', { id, key: keyOf(quoteId), properties })
  const path = `${pathOf('deals')}/${saved.id}/associations/default/companies/${encodeURIComponent(companyId)}`
  if (!(await api.ask(Type.Unknown(), { method: 'PUT', path })))
    throw new CrmUnavailable(`deal ${saved.id} or company ${companyId} is not there any more`)
  const deal = dealOf({ ...saved, properties: { ...properties, ...saved.properties } })
  return { ...deal, companyIds: [companyId] }
}

const dealOf = ({ id, properties, associations }: HubspotObject): CrmDeal => ({
  id,
  stage: properties['dealstage'] ?? '',
  companyIds: associations?.['companies']?.results.map((company) => company.id) ?? [],
})
