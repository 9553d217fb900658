// POST /auth/device and /auth/device/token: a device begins, and asks until a person has decided.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError, conflict } from '#kernel/values/errors.ts'
import type { Result } from '#http/route.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { SsoSession } from '../sessions/sessions.ts'
import { type Headers, openBearer } from '../sessions/sign-in.ts'
import type { Tokens } from '../user.ts'
import { users } from '../users.ts'
import { type DeviceSignIn, INTERVAL_SECONDS, LIFETIME_SECONDS, newUserCode } from './device-sign-in.ts'
import { type Approval, deviceSignIns, userCodeDigest } from './device-sign-ins.ts'

export async function beginDeviceSignIn(
  ctx: SystemContext,
  { secretKey }: Ports,
  headers: Headers,
): Promise<Result<DeviceSignIn>> {
  const [deviceCode, userCode] = [randomToken(), newUserCode()]
  const device = deviceName(headers['user-agent']?.toString())
  const digests = { deviceCode, userCode: userCodeDigest(secretKey, userCode) }
  await ctx.ask(deviceSignIns.begin({ ...digests, device, ip: ctx.ip }, ctx.now))
  const uri = `${ctx.settings.publicUrl}/app/device`
  return {
    data: {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: LIFETIME_SECONDS,
      interval: INTERVAL_SECONDS,
    },
  }
}

export type ApprovedDevice = { deviceCode: string; ports: Ports }

/** Each poll counts, so it is kept even though it is refused. */
export async function checkDeviceCode({ read, ports, now }: IoContext, deviceCode: string): Promise<ApprovedDevice> {
  const [poll] = await read(deviceSignIns.poll(deviceCode, now))
  if (!poll) throw over()
  if (poll.is_rejected) {
    const message = 'The person has not let this device sign in'
    throw new AppError('AUTHENTICATION_ERROR', { reason: 'access_denied', message })
  }
  if (poll.is_approved) return { deviceCode, ports }
  if (poll.is_early) throw conflict('slow_down', `Wait ${poll.interval_seconds} seconds between two polls`)
  throw conflict('authorization_pending', 'Nobody has approved the sign-in yet')
}

/** The session gets no more than the one that approved has, so that a limit of that one holds for it too. */
export async function signInDevice(
  ctx: SystemContext,
  { deviceCode, ports }: ApprovedDevice,
  headers: Headers,
): Promise<Result<Tokens>> {
  const by = await first(ctx, deviceSignIns.approvedBy(deviceCode))
  // A new password, an appointment and the like end sessions under the same lock.
  const account = by && (await first(ctx, users.locked(by.user_id)))
  const approval = account && (await first(ctx, deviceSignIns.use(deviceCode, ctx.now)))
  if (!account || !approval) throw over()
  return openBearer(
    ctx,
    ports,
    {
      ...account,
      signedInBy: 'device',
      ...(approval.second_factor && { secondFactor: approval.second_factor }),
      ...(approval.passkey_id !== null && { passkeyId: approval.passkey_id }),
      sso: ssoOf(approval),
      authenticatedAt: approval.authenticated_at,
    },
    headers,
  )
}

const ssoOf = (approval: Approval): SsoSession | null =>
  approval.sso_connection_id === null
    ? null
    : {
        connectionId: approval.sso_connection_id,
        organizationId: approval.sso_organization_id,
        secondFactor: approval.sso_second_factor,
      }

const over = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', {
    reason: 'expired_token',
    message: 'The sign-in has expired or was used; begin again',
  })
