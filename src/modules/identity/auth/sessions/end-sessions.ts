// POST /auth/logout, DELETE /auth/sessions and /auth/sessions/{id}: sessions end, and with them their tokens.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { Cookie, Result } from '#http/route.ts'
import { record } from '../account-log.ts'
import { deviceSignIns } from '../devices/device-sign-ins.ts'
import { lockedAccount } from '../passwords/locked-account.ts'
import { sessions } from './sessions.ts'

export const NO_COOKIE: Cookie = { name: 'service_session', value: '', maxAgeSeconds: 0 }

export async function signOut(ctx: SystemContext): Promise<Result<null>> {
  const { userId, sessionId } = ctx.caller
  const [ended] = sessionId === null ? [] : await ctx.ask(sessions.end(sessionId, ctx.now))
  if (userId !== null) await record(ctx, 'signed_out', userId)
  return { data: null, message: 'Signed out', ...(ended?.is_browser && { cookies: [NO_COOKIE] }) }
}

export async function endSession(ctx: SystemContext, id: number): Promise<Result<null>> {
  const { userId, sessionId } = ctx.caller
  const ended = await first(ctx, sessions.endOwn(id, userId ?? 0, ctx.now))
  if (!ended) throw notFound()
  await record(ctx, 'session_ended', userId ?? 0, { session_id: id })
  const isOwnCookie = id === sessionId && ended.is_browser
  return { data: null, message: 'The session has ended', ...(isOwnCookie && { cookies: [NO_COOKIE] }) }
}

export async function endOtherSessions(ctx: SystemContext): Promise<Result<{ ended: number }>> {
  const { userId, sessionId } = ctx.caller
  // One after the other: of two sessions that end each other, the first to come stays.
  await lockedAccount(ctx)
  await ctx.ask(deviceSignIns.withdrawAllOf(userId ?? 0))
  const { length: ended } = await ctx.ask(sessions.endAllOf(userId ?? 0, ctx.now, sessionId))
  await record(ctx, 'other_sessions_ended', userId ?? 0, { ended })
  return { data: { ended }, message: 'All other sessions have ended' }
}
