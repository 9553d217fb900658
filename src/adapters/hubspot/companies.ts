// Organizations as companies of HubSpot.
import { unmaskCnpj } from '#ports/cnpj.ts'
import {
  COMPANY_FIELDS,
  type CompanyChange,
  type CompanyField,
  type CompanyValues,
  type CrmCompany,
} from '#ports/crm.ts'
import { asciiUrl } from '#kernel/values/internet-addresses.ts'
import { cut, storable } from '#kernel/values/text/text.ts'
import type { HubspotApi } from './api.ts'
import { findObject, type HubspotObject, type Key, type Properties, saveObject } from './objects.ts'

/** The company's property for the id of the organization, with unique values. */
export const ORGANIZATION_KEY = 'titular_organization_id'

const MAX_LENGTH = 255

/** The portal's property for the CNPJ; the others are HubSpot's own. */
export type Companies = { api: HubspotApi; cnpjProperty: string }

export const propertyOf = (field: CompanyField, { cnpjProperty }: Pick<Companies, 'cnpjProperty'>): string =>
  field === 'cnpj' ? cnpjProperty : field

export async function findCompany(
  of: Companies,
  { organizationId, cnpj }: { organizationId: number; cnpj: string | null },
): Promise<CrmCompany | null> {
  const properties = [ORGANIZATION_KEY, ...COMPANY_FIELDS.map((field) => propertyOf(field, of))]
  const byId = await findObject(of.api, 'companies', { key: keyOf(organizationId), properties })
  if (byId) return companyOf(of, byId)
  if (cnpj === null) return null
  const byCnpj = await findObject(of.api, 'companies', { key: { property: of.cnpjProperty, value: cnpj }, properties })
  return byCnpj && companyOf(of, byCnpj)
}

export async function saveCompany(of: Companies, { id, organizationId, values }: CompanyChange): Promise<CrmCompany> {
  const properties: Properties = {}
  for (const field of COMPANY_FIELDS)
    if (values[field] !== undefined) properties[propertyOf(field, of)] = values[field] ?? ''
  const saved = await saveObject(of.api, 'companies', { id, key: keyOf(organizationId), properties })
  // An answer may have only some properties.
  return companyOf(of, { ...saved, properties: { ...properties, ...saved.properties } })
}

const keyOf = (organizationId: number): Key => ({ property: ORGANIZATION_KEY, value: String(organizationId) })

function companyOf(of: Companies, { id, properties }: HubspotObject): CrmCompany {
  const text = (field: CompanyField) => plain(properties[propertyOf(field, of)])
  const cnpj = text('cnpj')
  const website = text('website')
  const values: CompanyValues = {
    name: text('name'),
    cnpj: cnpj === null ? null : (unmaskCnpj(cnpj) ?? cnpj),
    phone: text('phone'),
    website: website === null ? null : asciiUrl(/^https?:\/\//i.test(website) ? website : `https://${website}`),
    city: text('city'),
    state: text('state'),
    country: text('country'),
  }
  return { id, organizationId: organizationIn(properties[ORGANIZATION_KEY]), values }
}

const plain = (value: string | null | undefined): string | null => cut(storable(value ?? ''), MAX_LENGTH).trim() || null

/** People can edit the property in HubSpot. */
export const organizationIn = (value: string | null | undefined): number | null =>
  /^[1-9]\d{0,14}$/.test(value ?? '') ? Number(value) : null
