// Which side of a company's field has changed since both were last settled, and what follows from it. Pure.
import { COMPANY_FIELDS, type CompanyField, type CompanyValues } from '#ports/crm.ts'

/**
 * Field → the value here and the value there when they were last settled. The CRM may spell what it was given
 * otherwise.
 */
export type AgreedValues = { [Field in CompanyField]?: { here: string | null; there: string | null } }

/**
 * `write`: only we have changed it; `keep`: as it was agreed. `offer`: somebody changed it there, or it was there
 * before us, and staff decide; never written over meanwhile.
 */
export type Verdict = 'same' | 'write' | 'keep' | 'offer'
export type ComparedField = { field: CompanyField; here: string | null; there: string | null; verdict: Verdict }

export const compare = (here: CompanyValues, there: CompanyValues, agreed: AgreedValues): ComparedField[] =>
  COMPANY_FIELDS.map((field) => {
    const [ours, theirs] = [here[field], there[field]]
    return { field, here: ours, there: theirs, verdict: verdictOf(ours, theirs, agreed[field]) }
  })

function verdictOf(here: string | null, there: string | null, agreed: AgreedValues[CompanyField]): Verdict {
  if (here === there) return 'same'
  // Emptying a field there takes nothing from the organization.
  if (there === null) return 'write'
  if (agreed?.there === there) return agreed.here === here ? 'keep' : 'write'
  return 'offer'
}

/** What is settled once the `write`s have been made; `saved` are the values there after it. */
export function settled(compared: readonly ComparedField[], saved: CompanyValues): AgreedValues {
  const agreed: AgreedValues = {}
  for (const { field, here, verdict } of compared)
    if (verdict === 'same' || verdict === 'write') agreed[field] = { here, there: saved[field] }
  return agreed
}
