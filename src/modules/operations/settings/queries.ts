// All SQL of the settings of the legal entities, which belong to no organization.
import { page, row } from '#http/route.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { raw, sql, timeInJson } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { StoredLogo } from '#ports/brand.ts'
import type { SettingName } from '#ports/company-settings.ts'
import type { SettingsOf } from '#ports/setting-declaration.ts'
import type { Configured } from '#ports/ports.ts'
import { type CompanySettings, SettingChange } from './company-settings.ts'

const shown = ({ firstSettings }: Configured, of: SettingsOf) => sql<CompanySettings>`
  select c.company, ${storableJson(firstSettings[of])}::jsonb || c.settings as settings, c.created_at, c.updated_at,
         coalesce((
           select json_agg(json_build_object('setting', h.setting, 'changed_at', ${raw(timeInJson('h.changed_at'))},
                    'changed_by', h.changed_by, 'changed_by_name', h.changed_by_name) order by h.setting)
             from jsonb_object_keys(c.settings) k, lateral (
               select * from company_settings_history a where a.company = c.company and a.setting = k
                order by a.id desc limit 1) h), '[]') as changed,
         case when c.logo is not null then json_build_object('content_type', c.logo_content_type,
           'size', octet_length(c.logo), 'sha256', c.logo_sha256) end as logo
    from company_settings c where c.company = ${of}`

const columns = raw(Object.keys(SettingChange.properties).join(', '))

type Row = { settings: Readonly<Record<string, unknown>> }
type Step = { setting: SettingName | 'logo'; from: unknown; to: unknown }
type LogoRow = { logo_content_type: string | null; logo_sha256: string | null; size: number | null }

export const companySettings = {
  of: (settings: Configured, of: SettingsOf) => row<CompanySettings>(shown(settings, of)),
  shown,
  locked: (of: SettingsOf) => sql<Row>`select settings from company_settings where company = ${of} for update`,
  set: (of: SettingsOf, settings: Row['settings'], now: Date) => sql`
    update company_settings set settings = ${storableJson(settings)}::jsonb, updated_at = ${now} where company = ${of}`,
  lockedLogo: (of: Company) => sql<LogoRow>`
    select logo_content_type, logo_sha256, octet_length(logo) as size from company_settings
     where company = ${of} for update`,
  setLogo: (of: Company, logo: StoredLogo | null, now: Date) => sql`
    update company_settings
       set logo = ${logo?.logo ?? null}::bytea, logo_content_type = ${logo?.logo_content_type ?? null},
           logo_sha256 = ${logo?.logo_sha256 ?? null}, updated_at = ${now}
     where company = ${of}`,
  addToHistory: (ctx: SystemContext, of: SettingsOf, { setting, from, to }: Step) => sql`
    insert into company_settings_history (company, setting, from_value, to_value, note, changed_at, changed_by,
      changed_by_name)
    values (${of}, ${setting}, ${jsonOf(from)}::jsonb, ${jsonOf(to)}::jsonb, ${ctx.reason ?? null}, ${ctx.now},
      ${ctx.caller.userId}::bigint, ${ctx.caller.name})`,
  history: (of: SettingsOf, query: Page) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from company_settings_history where company = ${of}`,
      oldestFirst: true,
    }),
}

const jsonOf = (value: unknown): string | null => (value === undefined || value === null ? null : storableJson(value))
