// POST /auth/device/check, /approve and /reject: a person with a session says whether a device may sign in as they.
import { first, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { type AppError, notFound } from '#kernel/values/errors.ts'
import type { Result } from '#http/route.ts'
import { record } from '../account-log.ts'
import { lockedAccount } from '../passwords/locked-account.ts'
import type { WaitingDevice } from './device-sign-in.ts'
import { deviceSignIns, userCodeDigest } from './device-sign-ins.ts'

type OfCode = { ports: Ports; userCode: string }

export async function checkDevice(ctx: SystemContext, { ports, userCode }: OfCode): Promise<Result<WaitingDevice>> {
  const digest = userCodeDigest(ports.secretKey, userCode)
  const waiting = await first(ctx, deviceSignIns.waiting(digest, ctx.now))
  if (!waiting) throw unknownCode()
  return { data: waiting }
}

/** The device gets what this session has, and nothing once it is over. */
export async function approveDevice(ctx: SystemContext, { ports, userCode }: OfCode): Promise<Result<null>> {
  const { id } = await lockedAccount(ctx)
  const digest = userCodeDigest(ports.secretKey, userCode)
  const approved = await first(ctx, deviceSignIns.approve(digest, ctx.caller, ctx.now))
  if (!approved) throw unknownCode()
  await record(ctx, 'device_approved', id, approved)
  return { data: null, message: 'The device is signed in with its next request' }
}

/** Also of what the person has approved, until the device has its session. */
export async function rejectDevice(ctx: SystemContext, { ports, userCode }: OfCode): Promise<Result<null>> {
  const digest = userCodeDigest(ports.secretKey, userCode)
  const rejected = await first(ctx, deviceSignIns.reject(digest, ctx.caller, ctx.now))
  if (!rejected) throw unknownCode()
  await record(ctx, 'device_rejected', ctx.caller.userId ?? 0, rejected)
  return { data: null, message: 'The device is not signed in' }
}

const unknownCode = (): AppError => notFound('The code is wrong, was used or has expired')
