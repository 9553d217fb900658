// What a setting is now: the vendor's own value, else the one of the environment. Read where it counts, in the same
// statement or transaction, so that a change counts for whatever begins after it in every process.
import { type Acting, type IoContext, one } from '#kernel/data/context.ts'
import type { Engine } from '#http/request-context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { join, raw, rowsOf, type Statement, sql } from '#kernel/values/sql.ts'
import type { SettingName, SettingValue } from './company-settings.ts'
import type { SettingsOf } from './setting-declaration.ts'
import type { Configured } from './ports.ts'

/**
 * In SQL, as jsonb. `of` may be a column with the legal entity: each of the two is then read once for all rows, and not
 * once for each.
 */
export function settingIn(settings: Configured, of: SettingsOf | Statement, name: SettingName): Statement {
  if (typeof of !== 'string')
    return sql`case ${of} when 'entity_br' then ${settingIn(settings, 'entity_br', name)}
      else ${settingIn(settings, 'entity_global', name)} end`
  return sql`coalesce((select s.settings -> ${raw(`'${name}'`)} from company_settings s where s.company = ${of}),
    ${storableJson(settings.firstSettings[of][name] ?? null)}::jsonb)`
}

/** In SQL, a number of the vendor. */
export const numberIn = (settings: Configured, name: SettingName): Statement => sql`
  (${settingIn(settings, 'vendor', name)})::int`

/** In SQL, several numbers of the vendor as one object. */
export const numbersIn = (settings: Configured, names: readonly SettingName[]): Statement => sql`
  jsonb_build_object(${join(
    names.map((name) => sql`${raw(`'${name}'`)}, ${settingIn(settings, 'vendor', name)}`),
    ', ',
  )})`

/** In SQL, whether a setting of the vendor is this word. */
export const isSetting = (settings: Configured, name: SettingName, word: string): Statement => sql`
  ${settingIn(settings, 'vendor', name)} = ${storableJson(word)}::jsonb`

/** In SQL, a list of words as text[]. */
export const wordsIn = (settings: Configured, of: SettingsOf | Statement, name: SettingName): Statement => sql`
  array(select jsonb_array_elements_text(${settingIn(settings, of, name)}))`

const OF_SELLER = ['name', 'bank_account', 'pix_key', 'pix_city'] as const

/** What the legal entity has set of these, for statements that do not know the environment. `company` has its table. */
export type SellerSet = Partial<{ [Name in (typeof OF_SELLER)[number]]: SettingValue<Name> }>
export const sellerSet = (company: Statement): Statement => sql`
  (select jsonb_strip_nulls(jsonb_build_object(${raw(OF_SELLER.map(pairOf).join(', '))}))
     from company_settings s where s.company = ${company})`

const pairOf = (name: SettingName): string => `'${name}', s.settings -> '${name}'`

export function sellerIn({ firstSettings }: Configured, company: Company, set: SellerSet | null) {
  const { name = '', bank_account = [], pix_key = '', pix_city = '' } = { ...firstSettings[company], ...set }
  return { name, bank_account, pix: pix_key === '' ? null : { key: pix_key, city: pix_city, name } }
}

/** In SQL, the days of a list as int[]. */
export const warningDaysIn = (settings: Configured): Statement => sql`
  array(select d::int from jsonb_array_elements_text(${settingIn(settings, 'vendor', 'expiry_warning_days')}) d)`

/** In SQL as text[], the scopes that are hidden from organizations without a list of their own. */
export const hiddenScopesIn = ({ firstSettings }: Configured): Statement => sql`
  coalesce((select array(select jsonb_array_elements_text(s.settings -> 'hidden_scopes')) from company_settings s
    where s.company = 'vendor' and s.settings ? 'hidden_scopes'), ${firstSettings.vendor.hidden_scopes}::text[])`

/** Never null, also without days. */
export const longestWarningIn = (settings: Configured): Statement => sql`
  (select coalesce(max(d), 0) from unnest(${warningDaysIn(settings)}) d)`

export type SettingsReader = Pick<Acting, 'ask' | 'settings'>

export async function settingOf<Name extends SettingName>(
  at: SettingsReader,
  of: SettingsOf,
  name: Name,
): Promise<SettingValue<Name>> {
  const { value } = await one(
    at,
    sql<{ value: SettingValue<Name> }>`select ${settingIn(at.settings, of, name)} as value`,
  )
  return value
}

/** Beside what a request does, for what decides about the request itself. */
export const settingNow = <Name extends SettingName>({ database, ports }: Engine, name: Name) =>
  settingOf(
    {
      settings: ports.settings,
      ask: async <Row>(statement: Statement<Row>) =>
        rowsOf(statement, (await database.read('titular_app', [statement]))[0]),
    },
    'vendor',
    name,
  )

/** Outside of transactions. */
export const readingOf = ({ read, ports: { settings } }: Pick<IoContext, 'read' | 'ports'>): SettingsReader => ({
  ask: read,
  settings,
})

/** Of the vendor, for jobs whose `before` reads it. */
export const ofVendor =
  <Name extends SettingName>(name: Name) =>
  (io: Pick<IoContext, 'read' | 'ports'>) =>
    settingOf(readingOf(io), 'vendor', name)
