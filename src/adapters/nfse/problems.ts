// Collects all that is missing for a declaration, so that staff see it at once.
import type { TaxProblem } from '#ports/tax-authority.ts'

export type Problems = {
  readonly list: readonly TaxProblem[]
  /** `detail` names the field that a person can fill in. */
  add(code: string, message: string, detail?: string): null
  /** Returns the value, and adds a problem when it is null. */
  need(value: string | null, code: string, message: string, detail?: string): string | null
}

export function problems(): Problems {
  const list: TaxProblem[] = []
  const add = (code: string, message: string, detail?: string): null => {
    list.push({ code, message, detail: detail ?? null })
    return null
  }
  return { list, add, need: (value, code, message, detail) => value ?? add(code, message, detail) }
}
