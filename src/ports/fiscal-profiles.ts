// The fiscal profiles of the legal entity in Brazil: how its services are declared from a day on, and which taxes
// customers keep back of them. They are a setting, whose first value is the environment's (docs/tax-invoices.md).
import { type Static, Type } from 'typebox'
import { one } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { FederalTaxes, Percent } from './federal-taxes.ts'
import { settingIn, type SettingsReader } from './settings-in-force.ts'
import type { Configured } from './ports.ts'

const digits = (count: number) => Type.String({ pattern: `^[0-9]{${count}}$` })

/** Versions of the authority's layout that declarations can be written in. */
const LAYOUTS = ['1.01'] as const

/** How one kind of service is declared. */
export const ServiceCode = Type.Object(
  {
    /** National code of the service, six digits (`cTribNac`). */
    national: digits(6),
    municipal: Type.Optional(digits(3)),
    nbs: Type.Optional(digits(9)),
    /** The ISS rate in percent; left out where the regime or the municipality's agreement forbids it. */
    iss_rate: Type.Optional(Percent),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type ServiceCode = Static<typeof ServiceCode>

/** The classification of the 2026 reform, codes only: the authority computes the amounts. */
export const IbsCbs = Type.Object(
  {
    purpose: digits(1),
    operation: digits(6),
    situation: digits(3),
    classification: digits(6),
    final_consumer: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type IbsCbs = Static<typeof IbsCbs>

/**
 * How declarations are built from a day on, as the accountant decided it. The profile with the latest `valid_from` that
 * is not after the competence date applies.
 */
export const FiscalProfile = Type.Object(
  {
    valid_from: Type.String({ format: 'date' }),
    /** Version of the authority's layout. */
    layout: Type.Enum(LAYOUTS, { examples: ['1.01'] }),
    /** IBGE code of the municipality where the provider is registered. */
    municipality: digits(7),
    municipal_registration: Type.Optional(Type.String({ minLength: 1, maxLength: 15 })),
    /** 1 none, 2 MEI, 3 ME/EPP. */
    simples: Type.Enum(['1', '2', '3']),
    simples_regime: Type.Optional(Type.Enum(['1', '2', '3'])),
    /**
     * Approximate taxes of ME/EPP in percent of the price, as one sum; their tax invoices have this and no
     * `tax_burden`.
     */
    simples_burden: Type.Optional(Percent),
    /** 0 none, 1 to 6 and 9 as in the layout. */
    special_regime: Type.Enum(['0', '1', '2', '3', '4', '5', '6', '9']),
    /** 1 taxable, 2 immune, 3 exported, 4 not levied. */
    iss: Type.Enum(['1', '2', '3', '4']),
    /** The same for recipients abroad; as `iss` when left out. */
    iss_abroad: Type.Optional(Type.Enum(['1', '3', '4'])),
    /** Why the service is immune, by the layout's codes. */
    immunity: Type.Optional(Type.Enum(['1', '2', '3', '4', '5'])),
    /** Declared for recipients abroad without a tax number: 1 exempt from one, 2 their country requires none. */
    missing_foreign_tax_id: Type.Optional(Type.Enum(['1', '2'])),
    /** 1 not withheld, 2 by the recipient, 3 by an intermediary. */
    iss_withheld: Type.Enum(['1', '2', '3']),
    /** Approximate taxes in percent of the price, for consumers: federal, state, municipal. */
    tax_burden: Type.Optional(
      Type.Object({ federal: Percent, state: Percent, municipal: Percent }, { additionalProperties: false }),
    ),
    /** By class of entitlement (`PLG`, `ENV`, …); `default` for all others. */
    services: Type.Record(Type.String({ pattern: '^(default|PLG|ENV|SVC|ORD|AFL|EDU)$' }), ServiceCode, {
      additionalProperties: false,
    }),
    /** By national code of the service; `default` for all others. */
    federal: Type.Optional(
      Type.Record(Type.String({ pattern: '^(default|[0-9]{6})$' }), FederalTaxes, { additionalProperties: false }),
    ),
    ibs_cbs: Type.Optional(IbsCbs),
    /** So many days after the day of issue the municipality still cancels. */
    cancel_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  },
  { additionalProperties: false },
)
export type FiscalProfile = Static<typeof FiscalProfile>

/** The federal taxes of the service by the profile; null: it names none. */
export const federalTaxesOf = ({ federal = {} }: FiscalProfile, { national }: ServiceCode): FederalTaxes | null =>
  federal[national] ?? federal['default'] ?? null

/** Of a company in São Paulo that is not in the Simples, and sells licenses and support. */
export const FISCAL_PROFILE_EXAMPLE: FiscalProfile = {
  valid_from: '2026-01-01',
  layout: '1.01',
  municipality: '3550308',
  simples: '1',
  special_regime: '0',
  iss: '1',
  iss_withheld: '1',
  tax_burden: { federal: '13.45', state: '0.00', municipal: '2.90' },
  services: { default: { national: '010701' }, PLG: { national: '010501' } },
}

/** What the schema cannot say of a list of profiles, by the place in it: `0.simples_regime`. */
export function profileProblems(profiles: readonly FiscalProfile[]): Fields {
  const days = profiles.map(({ valid_from }) => valid_from)
  const wrong = profiles.flatMap((profile, index) => [
    ...rules(profile).flatMap(([field, isWrong, sentence]) =>
      isWrong ? [[`${index}.${field}`, sentence] as const] : [],
    ),
    ...(days.indexOf(profile.valid_from) < index
      ? [[`${index}.valid_from`, 'is the day of another profile'] as const]
      : []),
  ])
  const found: Fields = {}
  for (const [place, sentence] of wrong) found[place] ??= sentence
  return found
}

type Rule = readonly [field: string, isWrong: boolean, sentence: string]

/** Rules that the schema's types cannot express; they avoid the refusals E0172, E0712 and E0713 among others. */
function rules(profile: FiscalProfile): Rule[] {
  const { simples, iss, special_regime, services } = profile
  const isExclusive = (field: keyof FiscalProfile, isWanted: boolean, when: string): Rule => [
    field,
    (profile[field] !== undefined) !== isWanted,
    isWanted ? `is needed when ${when}` : `goes only with ${when}`,
  ]
  return [
    isExclusive('simples_regime', simples === '3', 'simples "3"'),
    isExclusive('simples_burden', simples === '3', 'simples "3"'),
    isExclusive('tax_burden', simples === '1', 'simples "1"'),
    isExclusive('immunity', iss === '2', 'iss "2"'),
    ['special_regime', special_regime !== '0' && iss !== '1', 'must be "0" unless iss is "1"'],
    ['iss_withheld', profile.iss_withheld === '3', 'cannot be "3": declarations here have no intermediary'],
    ['iss_withheld', profile.iss_withheld !== '1' && iss !== '1', 'must be "1" unless iss is "1"'],
    ['services', !services['default'], 'needs the code "default"'],
    ...Object.entries(services).map(([name, { iss_rate }]): Rule => {
      const isTooMuch = iss_rate !== undefined && !/^0*\d(\.\d{1,2})?$/.test(iss_rate)
      return [`services.${name}.iss_rate`, isTooMuch, 'must be below 10']
    }),
    ['federal', profile.federal !== undefined && simples !== '1', 'goes only with simples "1"'],
    ...Object.entries(profile.federal ?? {}).flatMap(([code, taxes]) => federalRules(`federal.${code}`, taxes)),
    ['ibs_cbs.purpose', profile.ibs_cbs !== undefined && profile.ibs_cbs.purpose !== '0', 'must be "0"'],
  ]
}

function federalRules(at: string, { pis_cofins: own, withheld = {} }: FederalTaxes): Rule[] {
  const { pis, cofins, csll } = withheld
  const isSocial = [pis, cofins, csll].some((rate) => rate !== undefined)
  const all = Object.values(withheld).reduce((sum, rate) => sum + Number(rate), 0)
  return [
    [`${at}.pis_cofins`, isSocial && !own, 'is needed where PIS, COFINS or CSLL is withheld'],
    [`${at}.pis_cofins.cofins`, (own?.pis === undefined) !== (own?.cofins === undefined), 'goes only with pis'],
    [`${at}.withheld`, all > 50, 'must be at most 50 percent in all'],
    [`${at}.pis_cofins.pis`, [own?.pis, own?.cofins].some((rate) => Number(rate ?? 0) >= 100), 'must be below 100'],
  ]
}

/** In SQL as jsonb, the profile that is valid on the day; null before the first. */
export const profileIn = (settings: Configured, day: string): Statement => sql`(
  select p from jsonb_array_elements(${settingIn(settings, 'entity_br', 'fiscal_profiles')}) p
   where p ->> 'valid_from' <= ${day} order by p ->> 'valid_from' desc limit 1)`

export async function fiscalProfileOn(at: SettingsReader, day: string): Promise<FiscalProfile | null> {
  const { profile } = await one(
    at,
    sql<{ profile: FiscalProfile | null }>`select ${profileIn(at.settings, day)} as profile`,
  )
  return profile
}
