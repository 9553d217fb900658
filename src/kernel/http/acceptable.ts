// The Accept header: whether a request takes the one form that its answer has (RFC 9110, section 12.5.1).
import { AppError } from './errors.ts'
import type { Route } from './route.ts'

const JSON_TYPE = 'application/json'
/** Files of any type: what a route sends is known only once its record is read. */
const BYTES = 'application/octet-stream'

/**
 * Throws 406 when the header excludes the form of the answer. A header without a media range that can be read asks for
 * nothing. Providers' webhooks are taken whatever they accept: the answer has nothing for them.
 */
export function assertAcceptable({ access, file }: Route, accept: string | undefined): void {
  if (accept === undefined || accept === '*/*' || access.kind === 'signed' || file?.produces === BYTES) return
  const produced = file?.produces ?? JSON_TYPE
  if (!isAccepted(accept, produced))
    throw new AppError('NOT_ACCEPTABLE', {
      message: `The answer is ${produced}; send Accept with it or without the header`,
    })
}

/** The most specific range that has the type decides; `q=0` excludes what it names. */
export function isAccepted(accept: string, produced: string): boolean {
  const [type = ''] = produced.split(';', 1)
  const ranges = accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.toLowerCase().split(';')
    const isExcluded = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0{0,3})?\s*$/.test(parameter))
    return RANGE.test(range.trim()) ? [{ range: range.trim(), isExcluded }] : []
  })
  if (ranges.length === 0) return true
  for (const wanted of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = ranges.filter(({ range }) => range === wanted)
    if (found.length > 0) return found.some(({ isExcluded }) => !isExcluded)
  }
  return false
}

const RANGE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/
