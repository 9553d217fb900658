// The first fiscal profiles, from the file of the accountant: checked when the service starts.
import { Value } from 'typebox/value'
import { parsedJson } from '#kernel/values/text/json.ts'
import { FiscalProfile, profileProblems } from '#ports/fiscal-profiles.ts'

/** The message names the wrong field. */
export class WrongProfiles extends Error {}

/** Reads a JSON list of at least one profile, each valid from another day. */
export function readProfiles(text: string): FiscalProfile[] {
  const given = parsedJson(text.replace(/^\uFEFF/, ''))
  if (!Array.isArray(given) || given.length === 0) throw new WrongProfiles('must be a list of fiscal profiles in JSON')
  const profiles = given.map((profile: unknown, index) => readProfile(profile, `[${index}]`))
  for (const [place, sentence] of Object.entries(profileProblems(profiles)))
    throw new WrongProfiles(`${place.replace(/^\d+/, '[$&]')} ${sentence}`)
  return profiles
}

function readProfile(given: unknown, at: string): FiscalProfile {
  if (Value.Check(FiscalProfile, given)) return given
  const [error] = Value.Errors(FiscalProfile, given)
  const field = (error?.instancePath ?? '').replaceAll('/', '.')
  const extra = error?.keyword === 'additionalProperties' ? ` (${error.params.additionalProperties.join(', ')})` : ''
  throw new WrongProfiles(`${at}${field} ${error?.message ?? 'is wrong'}${extra}`)
}
