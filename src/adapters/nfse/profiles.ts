// The fiscal profiles of the accountant: checked against the layout when the service starts, chosen by competence date.
import { Value } from 'typebox/value'
import { parsedJson } from '#kernel/values/text/json.ts'
import { type FederalTaxes } from '#ports/federal-taxes.ts'
import { FiscalProfile } from '#ports/tax-authority.ts'
import { LAYOUTS } from './layouts.ts'

/** The message names the wrong field. */
export class WrongProfiles extends Error {}

/** Reads a JSON list of at least one profile, each valid from another day. */
export function readProfiles(text: string): FiscalProfile[] {
  const given = parsedJson(text.replace(/^\uFEFF/, ''))
  if (!Array.isArray(given) || given.length === 0) throw new WrongProfiles('must be a list of fiscal profiles in JSON')
  const profiles = given.map((profile: unknown, index) => readProfile(profile, `[${index}]`))
  const days = profiles.map(({ valid_from }) => valid_from)
  const twice = days.find((day, index) => days.indexOf(day) !== index)
  if (twice !== undefined) throw new WrongProfiles(`has two profiles with valid_from ${twice}`)
  return profiles
}

/** The latest profile that is valid on the day; null before the first. */
export function profileAt(profiles: readonly FiscalProfile[], competence: string): FiscalProfile | null {
  const valid = profiles.filter(({ valid_from }) => valid_from <= competence)
  return valid.toSorted((one, other) => (one.valid_from < other.valid_from ? 1 : -1))[0] ?? null
}

function readProfile(given: unknown, at: string): FiscalProfile {
  if (!Value.Check(FiscalProfile, given)) {
    const [error] = Value.Errors(FiscalProfile, given)
    const field = (error?.instancePath ?? '').replaceAll('/', '.')
    const extra = error?.keyword === 'additionalProperties' ? ` (${error.params.additionalProperties.join(', ')})` : ''
    throw new WrongProfiles(`${at}${field} ${error?.message ?? 'is wrong'}${extra}`)
  }
  for (const [field, isWrong, sentence] of rules(given))
    if (isWrong) throw new WrongProfiles(`${at}.${field} ${sentence}`)
  return given
}

type Rule = readonly [field: string, isWrong: boolean, sentence: string]

/** Rules that the schema's types cannot express; they avoid the refusals E0172, E0712 and E0713 among others. */
function rules(profile: FiscalProfile): Rule[] {
  const { layout, simples, iss, special_regime, services } = profile
  const isExclusive = (field: keyof FiscalProfile, isWanted: boolean, when: string): Rule => [
    field,
    (profile[field] !== undefined) !== isWanted,
    isWanted ? `is needed when ${when}` : `goes only with ${when}`,
  ]
  return [
    ['layout', !LAYOUTS.has(layout), `is a version that is not known here; known: ${[...LAYOUTS.keys()].join(', ')}`],
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
