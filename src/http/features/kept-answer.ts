// A request that took its caller's access away (deleting an organization, leaving it), repeated with its
// Idempotency-Key.
import { judgeClaim, storedStatement } from '#kernel/data/idempotency.ts'
import { AppError } from '#kernel/values/errors.ts'
import { idempotencyOf } from './idempotency-key.ts'
import { ioContext } from '#http/operation-contexts.ts'
import type { Answer, AuthenticatedContext } from '#http/request-context.ts'

/**
 * Its answer, when that says no more than that it was done; else throws the refusal of the access check. A credential
 * that has ended stays 401.
 */
export async function keptAnswer(context: AuthenticatedContext, error: unknown): Promise<Answer> {
  const { accessRequest, now, decision } = context
  const isLost = error instanceof AppError && (error.code === 'NOT_FOUND' || LOST.has(error.details.reason ?? ''))
  const idempotent = !decision && isLost && !context.route.features.upload ? requestOf(context) : null
  if (!idempotent) throw error
  const { credential, organizationId } = accessRequest
  const io = ioContext(context, null)
  const { read } = organizationId === null ? io : io.within(organizationId)
  const [stored] = await read(storedStatement(idempotent, now))
  const kept = stored === undefined ? null : judgeClaim(true, stored, idempotent)
  const body = kept?.answer as Answer['body'] | undefined
  if (!kept || !body || body.data !== null) throw error
  const userId = credential.kind === 'api_key' ? null : credential.userId
  return { status: kept.status, body, replayed: true, userId, organizationId }
}

/** Why somebody without the access is refused; not for want of a proof, or at another address than the key's. */
const LOST: ReadonlySet<string> = new Set(['not_a_member', 'role_too_low', 'scope_missing'])

/** A malformed key is told to those only who have access. */
function requestOf(context: AuthenticatedContext) {
  try {
    return idempotencyOf(context)
  } catch {
    return null
  }
}
