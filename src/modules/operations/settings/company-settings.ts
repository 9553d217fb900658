// The shapes of the settings of a legal entity, made of their declarations (ports/company-settings.ts).
import { type Static, type TSchema, Type } from 'typebox'
import { HistoryEntry } from '#kernel/data/audit/history.ts'
import { Closed, Company, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { LOGO_TYPES } from '#ports/brand.ts'
import { declarationOf, SETTING_NAMES, type SettingName, type SettingValue } from '#ports/company-settings.ts'
import { SETTINGS_OF } from '#ports/setting-declaration.ts'

const Of = Type.Enum(SETTINGS_OF, {
  description: 'The legal entity of the vendor, or `vendor`: what both share',
  examples: ['entity_br'],
})
export const BySettingsOf = Closed({ company: Of })
export const ByCompany = Closed({ company: Company })

const { from_status: _from, to_status: _to, ...entry } = HistoryEntry(Type.String()).properties
const { id: _id, note: _note, ...changedBy } = entry

const Setting = Type.Enum(SETTING_NAMES, { description: 'Name of a setting', examples: ['refunds'] })
const SettingOrLogo = Type.Enum([...SETTING_NAMES, 'logo'], {
  description: 'Name of a setting, or `logo`',
  examples: ['refunds'],
})

const Logo = Type.Object(
  {
    content_type: Type.Enum(LOGO_TYPES, { description: 'What it is by its bytes', examples: ['image/png'] }),
    size: Type.Integer({ description: 'Bytes', examples: [4096] }),
    sha256: Type.String({ description: 'Hash of the bytes in hex', examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
  },
  { description: 'The logo of a legal entity, whose bytes are at `GET /brand/logo`' },
)

const each = (schemaOf: (name: SettingName) => TSchema): Record<string, TSchema> =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, Type.Optional(schemaOf(name))]))

const whose = (name: SettingName): string =>
  declarationOf(name)
    .of.map((of) => `\`${of}\``)
    .join(' and ')

const described = (name: SettingName): TSchema => {
  const { schema } = declarationOf(name)
  const { description = '' } = schema as { description?: string }
  return { ...schema, description: `${description}. Of ${whose(name)}` }
}

export const CompanySettings = Type.Object(
  {
    company: Of,
    settings: Type.Object(each(described), { description: 'What is in force' }),
    changed: Type.Array(Type.Object({ setting: Setting, ...changedBy }), {
      description: 'Those that were set here, with who did it last; all others are as the environment says',
    }),
    logo: Nullable(Logo),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'The settings of a legal entity, or those that both share' },
)
export type CompanySettings = Static<typeof CompanySettings>

/** Null: as the environment says again. */
export const CompanySettingsChange = Closed(each((name) => Nullable(described(name))))
export type CompanySettingsChange = { readonly [Name in SettingName]?: SettingValue<Name> | null }

const Value = Type.Unknown({ description: 'null: as the environment says', examples: ['approve'] })

export const SettingChange = Type.Object(
  { ...entry, setting: SettingOrLogo, from_value: Value, to_value: Value },
  {
    description:
      'A change of a setting, or of the logo, of which it has type, size and hash; `note` is the reason that was given',
  },
)
