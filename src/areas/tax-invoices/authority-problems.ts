// What an authority complained about, as the record keeps it.
import { cut } from '#kernel/values/text.ts'
import type { TaxProblem } from '#ports/tax-authority.ts'
import { storable } from './recipient.ts'

const MOST = 4000

/** The first one's code, and the words of all. */
export function problemFacts(problems: readonly TaxProblem[]): { error_code: string; error_message: string } {
  const [first] = problems
  const isOne = problems.length <= 1
  const words = problems.map(({ code, message, detail }) =>
    [isOne ? '' : `${code}:`, message, detail === null || detail === '' ? '' : `(${detail})`].filter(Boolean).join(' '),
  )
  return {
    error_code: storable(first?.code ?? 'UNKNOWN').trim(),
    error_message: cut(storable(words.join('\n')), MOST) || 'No reason was given.',
  }
}
