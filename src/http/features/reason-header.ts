// `X-Reason`: why the caller makes the request, kept in the audit log with all that it changes
// (docs/interface/operations.md).
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { isVisibleText } from '#kernel/values/text/visible-text.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import { isDangerous } from './step-up.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Input } from '#http/route.ts'

const LONGEST = 500

/** Headers are ASCII, so other characters come percent-encoded. */
function decoded(header: string): string | null {
  try {
    return decodeURIComponent(header).trim()
  } catch {
    return null
  }
}

const isReason = (text: string | null): text is string =>
  text !== null && text.length <= LONGEST && text.isWellFormed() && isVisibleText(text) && !/\p{Cc}/u.test(text)

/** The reason; null without one, or where it is none. */
export function reasonOrNull(header: string | string[] | undefined): string | null {
  const text = typeof header === 'string' ? decoded(header) : null
  return isReason(text) ? text : null
}

/** The reason, or 400. Asked for after the access check. */
export function assertReadable(header: string | string[] | undefined): void {
  if (header !== undefined && reasonOrNull(header) === null)
    throw new AppError('BAD_REQUEST', {
      message: `X-Reason must be one line of at most ${LONGEST} visible characters; percent-encode what is not ASCII`,
    })
}

/**
 * The input again; 422 when the act needs a reason and has none, in the header, in the body, or with the entry of
 * staff. Acts that are dangerous, and all acts of staff in an organization.
 */
export function reasoned(
  context: RequestContext,
  { isStaffEntry, entryReason, needsReason }: AccessDecision,
  input: Input<never, never, never>,
): Input<never, never, never> {
  const { route, request } = context
  const header = request.headers['x-reason']
  assertReadable(header)
  if (!needsReason || header !== undefined || entryReason !== null) return input
  const { reason }: { reason?: unknown } = input.body
  const isGiven = typeof reason === 'string' && reason.trim() !== ''
  if (!isGiven && (isStaffEntry || isDangerous(route, input.body)))
    throw invalid({ 'X-Reason': 'is required for this act: the header says why' })
  return input
}
