// What is written when something went wrong, and the exit code by which a script can tell.
import { ApiError, AuthorizationError, ConnectionError, GoneError, TitularError, ValidationError } from '@titular/sdk'
import { inLine, visible } from './console.ts'
import { Interrupted } from './prompt.ts'
import { flagOf } from './command.ts'
import { NotSignedIn, UsageError } from './usage-error.ts'

/** README.md says them to people. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  invalid: 7,
  unavailable: 8,
  noConnection: 9,
  interrupted: 130,
} as const

const BY_STATUS: { readonly [status: number]: number } = {
  400: EXIT.usage,
  401: EXIT.notSignedIn,
  403: EXIT.forbidden,
  404: EXIT.notFound,
  409: EXIT.conflict,
  410: EXIT.notFound,
  412: EXIT.conflict,
  422: EXIT.invalid,
  429: EXIT.unavailable,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
}

export function exitOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof NotSignedIn) return EXIT.notSignedIn
  if (error instanceof Interrupted) return EXIT.interrupted
  if (error instanceof ApiError) return BY_STATUS[error.status] ?? EXIT.failed
  return error instanceof ConnectionError ? EXIT.noConnection : EXIT.failed
}

/** Lines for the error output. */
export function wordsOf(error: unknown): string {
  if (error instanceof Interrupted) return ''
  if (error instanceof UsageError) {
    const help = `titular ${error.command === '' ? '' : `${error.command} `}--help`
    return visible(`titular: ${error.message}\nSee ${help}`)
  }
  if (error instanceof ApiError) return visible(refusal(error).join('\n'))
  if (error instanceof ConnectionError) return visible(`titular: ${error.message}${causeOf(error)}`)
  if (error instanceof TitularError || error instanceof NotSignedIn) return visible(`titular: ${error.message}`)
  return visible(`titular: ${error instanceof Error ? error.message : String(error)}`)
}

function refusal(error: ApiError): string[] {
  const kind = [error.status, error.code, error.reason].filter((one) => one !== undefined).join(' ')
  const fields = error instanceof ValidationError ? Object.entries(error.fields) : []
  const missing =
    error instanceof AuthorizationError && error.missing ? [`  missing: ${JSON.stringify(error.missing)}`] : []
  const detail = error.detail !== undefined && !(error instanceof GoneError) ? [`  ${inLine(error.detail)}`] : []
  return [
    `titular: ${inLine(error.message)} (${kind})`,
    ...fields.map(([name, sentence]) => `  ${inLine(flagOf(name))}: ${inLine(sentence)}`),
    ...missing,
    ...detail,
    ...(error instanceof GoneError && error.oldest !== null
      ? [`  the oldest event that is kept: ${error.oldest}`]
      : []),
    ...(error.status === 401 ? ['  titular login signs in'] : []),
    ...(error.retryAfterSeconds === null ? [] : [`  try again in ${error.retryAfterSeconds} s`]),
    ...(error.docsUrl === undefined ? [] : [`  see ${inLine(error.docsUrl)}`]),
    ...(error.requestId === null ? [] : [`  request ${inLine(error.requestId)}`]),
  ]
}

/** Of the network: ECONNREFUSED and the like stand several causes deep. */
function causeOf({ cause }: { cause?: unknown }): string {
  if (!(cause instanceof Error)) return ''
  const inner = causeOf(cause)
  if (inner !== '') return inner
  const [first] = cause instanceof AggregateError ? cause.errors : []
  const message = cause.message || (first instanceof Error ? first.message : '')
  return message === '' ? '' : `: ${message}`
}
