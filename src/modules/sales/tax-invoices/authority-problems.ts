// The problems that an authority reported, as the columns of the record.
import { cut } from '#kernel/values/text/text.ts'
import type { TaxProblem } from '#ports/tax-authority.ts'
import { storable } from './recipient.ts'

const MOST = 4000

/** The code of the first problem and the messages of all. */
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
