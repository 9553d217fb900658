// The parties of a document: the legal entity that issues it and the customer who receives it; and its language.
import { formatCnpj, unmaskCnpj } from '#ports/cnpj.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { isBrazil } from '#kernel/values/company.ts'
import type { Company } from '#kernel/values/schema.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { DocumentTemplate } from '#ports/documents.ts'
import { letterheadIn } from '#ports/brand.ts'
import { shadesOf } from '#texts/brand.ts'
import { textsIn } from '#texts/catalogue.ts'
import { type Language, languageFrom } from '#texts/language.ts'

const COLUMNS = [
  'name',
  'legal_name',
  'cnpj',
  'email',
  'address',
  'address_number',
  'address2',
  'neighborhood',
  'city',
  'state',
  'zipcode',
  'country',
] as const

export const PDF = 'application/pdf'

export type Recipient = Record<(typeof COLUMNS)[number], string | null>

/** The recipient as a record's `billing` has it. */
export const onlyRecipient = (billing: Record<string, string | null>): Recipient => ({
  name: billing['name'] ?? null,
  legal_name: billing['legal_name'] ?? null,
  cnpj: billing['cnpj'] ?? null,
  email: billing['email'] ?? null,
  address: billing['address'] ?? null,
  address_number: billing['address_number'] ?? null,
  address2: billing['address2'] ?? null,
  neighborhood: billing['neighborhood'] ?? null,
  city: billing['city'] ?? null,
  state: billing['state'] ?? null,
  zipcode: billing['zipcode'] ?? null,
  country: billing['country'] ?? null,
})

/** The customer's identity, in the same round trip as the record. */
export const recipientOf = (org: number): Statement<Recipient> =>
  sql<Recipient>`select ${raw(COLUMNS.join(', '))} from organizations where organization_id = ${org} and id = ${org}`

/** The language of `Accept-Language`, else that of the customer's country. */
export const languageFor = ({ acceptLanguage }: IoContext, { country }: Recipient): Language =>
  languageFrom(acceptLanguage, isBrazil(country) ? 'pt-BR' : 'en')

/** The parts of a template that all documents have. */
export async function templateFor(
  io: IoContext,
  company: Company,
  recipient: Recipient,
): Promise<Pick<DocumentTemplate, 'language' | 'letterhead' | 'brand' | 'recipient' | 'pageOf'>> {
  const language = languageFor(io, recipient)
  const { customer, pageOf } = textsIn(language).documents
  const { taxId } = io.ports.settings.entities[company]
  const [stored] = await io.read(letterheadIn(io.ports.settings, company))
  if (!stored) throw new Error('there is no such legal entity')
  const { name, address, color, logo } = stored
  return {
    language,
    pageOf,
    letterhead: { name, lines: [company === 'entity_br' ? cnpjLine(taxId) : taxId, address].filter(Boolean) },
    brand: { color: shadesOf(color).onLight, logo },
    recipient: { label: customer, lines: linesOf(recipient) },
  }
}

/** A CNPJ with its mask, however it is written; any other tax id stays as it is. */
function cnpjLine(given: string): string {
  const cnpj = unmaskCnpj(given)
  return given && `CNPJ ${cnpj === null ? given : formatCnpj(cnpj)}`
}

const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(', ')

function linesOf(recipient: Recipient): string[] {
  const { name, legal_name, cnpj, email, address, address_number, address2, neighborhood } = recipient
  const { city, state, zipcode, country } = recipient
  const lines = [
    legal_name ?? name ?? '',
    legal_name !== null && legal_name !== name ? (name ?? '') : '',
    cnpjLine(cnpj ?? ''),
    joined(address, address_number, address2, neighborhood),
    joined(city, state, zipcode, country),
    email ?? '',
  ]
  return lines.filter((line) => line !== '')
}
