// The brand of a legal entity as it is now, for whatever shows it.
import type { Engine } from '#http/request-context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { rowsOf, type Statement, sql } from '#kernel/values/sql.ts'
import type { Configured } from './ports.ts'
import { settingIn } from './settings-in-force.ts'

export const LOGO_TYPES = ['image/png', 'image/svg+xml'] as const
export type LogoType = (typeof LOGO_TYPES)[number]
/** Pages have it inlined, and each mail program loads it. */
export const MOST_LOGO_BYTES = 200 * 1024

export type StoredBrand = {
  name: string
  color: string
  /** Empty without. */
  support_url: string
  logo_content_type: LogoType | null
  logo_sha256: string | null
}
export type StoredLogo = { logo: Buffer; logo_content_type: LogoType; logo_sha256: string }

const columns = (settings: Configured, company: Company): Statement => sql`
  ${settingIn(settings, company, 'brand_name')} #>> '{}' as name,
  ${settingIn(settings, company, 'brand_color')} #>> '{}' as color,
  ${settingIn(settings, company, 'support_url')} #>> '{}' as support_url, logo_content_type, logo_sha256`

export const brandIn = (settings: Configured, company: Company) => sql<StoredBrand>`
  select ${columns(settings, company)} from company_settings where company = ${company}`

/** In SQL, what each legal entity is called, as jsonb. */
export const brandNamesIn = (settings: Configured): Statement => sql`
  jsonb_build_object('entity_br', ${settingIn(settings, 'entity_br', 'brand_name')},
    'entity_global', ${settingIn(settings, 'entity_global', 'brand_name')})`

/** Nothing without a logo. */
export const logoIn = (company: Company) => sql<StoredLogo>`
  select logo, logo_content_type, logo_sha256 from company_settings where company = ${company} and logo is not null`

/** Of documents, whose logo is a PNG or none. */
type StoredLetterhead = { name: string; address: string; color: string; logo: Buffer | null }

export const letterheadIn = (settings: Configured, company: Company) => sql<StoredLetterhead>`
  select ${settingIn(settings, company, 'name')} #>> '{}' as name,
         ${settingIn(settings, company, 'address')} #>> '{}' as address,
         ${settingIn(settings, company, 'brand_color')} #>> '{}' as color,
         case logo_content_type when 'image/png' then logo end as logo
    from company_settings where company = ${company}`

/** With the bytes of the logo. */
export const brandWithLogoIn = (settings: Configured, company: Company) => sql<StoredBrand & { logo: Buffer | null }>`
  select ${columns(settings, company)}, logo from company_settings where company = ${company}`

export const logoUrl = ({ publicUrl }: Pick<Configured, 'publicUrl'>, company: Company): string =>
  `${publicUrl}/api/v1/brand/logo?company=${company}`

/** As pages show it: the logo is part of the page, so that their policy lets them load nothing. */
export type PageBrand = { name: string; color: string; supportUrl: string | null; logo: string | null }

/** For pages, which must be there when the database is not: then without a logo, as the environment says. */
export async function brandNow(
  { database, ports: { settings } }: Pick<Engine, 'database' | 'ports'>,
  company: Company,
): Promise<PageBrand> {
  const statement = brandWithLogoIn(settings, company)
  const results = await database.read('titular_app', [statement]).catch(() => [])
  const [row] = rowsOf(statement, results[0])
  const { brand_name = '', brand_color = '', support_url: address = '' } = settings.firstSettings[company]
  const { name, color, support_url, logo, logo_content_type } = row ?? {
    name: brand_name,
    color: brand_color,
    support_url: address,
    logo: null,
    logo_content_type: null,
  }
  const image = logo && `data:${logo_content_type};base64,${logo.toString('base64')}`
  return { name, color, supportUrl: support_url || null, logo: image }
}
