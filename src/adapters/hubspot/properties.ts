// The properties by which HubSpot recognizes our records; their values are unique, which only their creation can say.
import { Type } from 'typebox'
import { CrmRefused } from '#ports/crm.ts'
import { API_VERSION, type HubspotApi } from './api.ts'
import { ORGANIZATION_KEY } from './companies.ts'
import { QUOTE_KEY } from './deals.ts'
import type { ObjectType } from './objects.ts'

const Property = Type.Object({ name: Type.String(), hasUniqueValue: Type.Optional(Type.Boolean()) })

type PropertyDefinition = { type: ObjectType; name: string; label: string; groupName: string }

export async function prepare(api: HubspotApi, cnpjProperty: string): Promise<void> {
  const wanted: PropertyDefinition[] = [
    { type: 'companies', name: ORGANIZATION_KEY, label: 'Titular organization id', groupName: 'companyinformation' },
    { type: 'companies', name: cnpjProperty, label: 'CNPJ', groupName: 'companyinformation' },
    { type: 'deals', name: QUOTE_KEY, label: 'Titular quote id', groupName: 'dealinformation' },
  ]
  for (const one of wanted) await ensure(api, one)
}

async function ensure(api: HubspotApi, { type, ...property }: PropertyDefinition): Promise<void> {
  const path = `/crm/properties/${API_VERSION}/${type}`
  const known = await api.ask(Property, { method: 'GET', path: `${path}/${encodeURIComponent(property.name)}` })
  if (known?.hasUniqueValue) return
  if (known) throw new CrmRefused(`the property ${property.name} of ${type} exists and its values are not unique`)
  const body = { ...property, type: 'string', fieldType: 'text', hasUniqueValue: true }
  await api.ask(Property, { method: 'POST', path, body })
}
