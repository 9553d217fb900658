// POST /auth/refresh: each refresh token works once; using it again after the grace period ends its session.
import { first, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { Refusal, Result } from '#http/route.ts'
import { derive, digest } from '#kernel/keys/secrets.ts'
import { type Headers, rememberAddress } from './known-devices.ts'
import { sessions } from './sessions.ts'
import { tokensOf } from './sign-in.ts'
import { record } from '../account-log.ts'
import type { Tokens } from '../user.ts'

export async function refreshSession(
  ctx: SystemContext,
  ports: Ports,
  presented: string,
  headers: Headers,
): Promise<Result<Tokens> | Refusal> {
  // Derived from the token alone, so that a repeated request within the grace period gets the same one from any
  // process.
  const refreshToken = derive(ports.secretKey, 'refresh-token', presented).toString('base64url')
  const rotated = await first(ctx, sessions.rotate(digest(presented), digest(refreshToken), ctx.now))
  const known = rotated
    ? { ...rotated, in_grace: true }
    : await first(ctx, sessions.rotatedBefore(digest(presented), ctx.now))
  if (!known) return { refusal: refused() }
  const { session_id: sessionId, user_id: userId, in_grace: isInGrace } = known
  if (isInGrace) await rememberAddress(ctx, ports.secretKey, userId, headers)
  if (isInGrace) return { data: await tokensOf(ctx, ports, { userId, sessionId, refreshToken }) }
  await ctx.ask(sessions.end(sessionId, ctx.now))
  await record(ctx, 'refresh_token_reused', userId, { session_id: sessionId })
  return { refusal: refused() }
}

const refused = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', { message: 'The refresh token is wrong, used or expired; sign in again' })
