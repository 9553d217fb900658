// The Accept header: whether a request takes the one form that its answer has (RFC 9110, section 12.5.1).
import { AppError } from '#kernel/values/errors.ts'
import type { Route } from '#http/route.ts'

const JSON_TYPE = 'application/json'

/**
 * Throws 406 when the header excludes the form of the answer. A header without a media range that can be read asks for
 * nothing. Providers' webhooks are taken whatever they accept: the answer has nothing for them.
 */
export function assertAcceptable({ access, features }: Route, accept: string | undefined): void {
  if (accept === undefined || accept === '*/*' || access.kind === 'signed' || features.forms) return
  const [produced = JSON_TYPE, ...others] = features.file?.produces ?? []
  // Which of several is known only once the record is read.
  if (others.length === 0 && wantedIn(accept, produced) === 0)
    throw new AppError('NOT_ACCEPTABLE', {
      message: `The answer is ${produced}; send Accept with it or without the header`,
    })
}

/**
 * The form that the header gives the greatest weight, of equal ones the first; the first also when it asks for nothing.
 * Throws 406 when it excludes all.
 */
export function preferredForm<Form>(
  accept: string | undefined,
  forms: readonly { form: Form; produces: string }[],
): Form {
  const weighed = forms.map(({ form, produces }) => ({ form, weight: wantedIn(accept ?? '', produces) }))
  const [best] = weighed.toSorted((one, other) => other.weight - one.weight)
  if (best && best.weight > 0) return best.form
  const types = forms.map(({ produces }) => typeOf(produces)).join(' or ')
  throw new AppError('NOT_ACCEPTABLE', { message: `The answer is ${types}; send Accept with one of them` })
}

/** The most specific range that has the type decides; `q=0` excludes what it names. */
function wantedIn(accept: string, produced: string): number {
  const ranges = rangesOf(accept)
  const names = [typeOf(produced), `${produced.split('/', 1)[0]}/*`, '*/*']
  const found = names.map((name) => ranges.filter(({ range }) => range === name)).find(({ length }) => length > 0)
  return ranges.length === 0 ? 1 : Math.max(0, ...(found ?? []).map(({ weight }) => weight))
}

type Range = { range: string; weight: number }

/** What cannot be read is left out. */
const rangesOf = (accept: string): Range[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.toLowerCase().split(';')
    const [weight = '1'] = parameters.flatMap(
      (parameter) => /^\s*q\s*=\s*(0(?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1] ?? [],
    )
    return RANGE.test(range.trim()) ? [{ range: range.trim(), weight: Number(weight) }] : []
  })

const typeOf = (produced: string): string => produced.split(';', 1)[0] ?? ''

const RANGE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/
