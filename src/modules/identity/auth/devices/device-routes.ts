// Signing in by another device (docs/interface/identity.md, Authentication).
import { Type } from 'typebox'
import { open, user } from '#kernel/values/permissions.ts'
import type { Limit } from '#http/features/features.ts'
import { route } from '#http/route.ts'
import { Tokens } from '../user.ts'
import { approveDevice, checkDevice, rejectDevice } from './answer-device.ts'
import { DeviceCode, DeviceSignIn, UserCode, WaitingDevice } from './device-sign-in.ts'
import { beginDeviceSignIn, checkDeviceCode, signInDevice } from './sign-in-device.ts'

const limit: Limit = { policy: 'credentials' }
const example = { user_code: 'WDJB-MJHT' }

const ofDevices = [
  route({
    method: 'POST',
    path: '/auth/device',
    access: open,
    purpose: 'Begin a sign-in by another device.',
    description:
      'The device authorization request of RFC 8628. Show the person `verification_uri` and `user_code`, and poll ' +
      'POST /auth/device/token, at most every `interval` seconds.',
    openapi: { operationId: 'beginDeviceSignIn' },
    data: DeviceSignIn,
    status: 201,
    features: { limit, secret: true },
    before: async ({ ports }) => ports,
    run: (ctx, { raw }, ports) => beginDeviceSignIn(ctx, ports, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/device/token',
    access: open,
    purpose: 'Sign in once a person has approved the device.',
    description:
      'The device access token request of RFC 8628. Until somebody has decided it is 409 `authorization_pending`, ' +
      'and 409 `slow_down` where it comes too early: add five seconds to the interval. 401 `access_denied` or ' +
      '`expired_token` end it. The tokens come once.',
    body: DeviceCode,
    openapi: {
      operationId: 'loginWithDevice',
      example: { device_code: 'h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b' },
    },
    data: Tokens,
    fails: ['AUTHENTICATION_ERROR', 'authorization_pending', 'slow_down'],
    features: { secret: true },
    before: (io, { body }) => checkDeviceCode(io, body.device_code),
    run: (ctx, { raw }, approved) => signInDevice(ctx, approved, raw.headers),
  }),
]

const ofPeople = [
  route({
    method: 'POST',
    path: '/auth/device/check',
    access: user,
    purpose: 'Show the device that a code is of.',
    description: 'What asks, and from where. 404 for a code that is wrong, was decided on or has expired.',
    body: UserCode,
    openapi: { operationId: 'checkDevice', example },
    data: WaitingDevice,
    fails: ['NOT_FOUND'],
    features: { limit },
    before: async ({ ports }, { body }) => ({ ports, userCode: body.user_code }),
    run: (ctx, _input, given) => checkDevice(ctx, given),
  }),
  route({
    method: 'POST',
    path: '/auth/device/approve',
    access: user,
    purpose: 'Let a device sign in.',
    description:
      'As the caller, with the second factor and the single sign-on that this session has now, and no more. Nothing ' +
      'comes of it when, before the device has asked again, this session ends, the caller ends all others or sets ' +
      'up an authenticator app, or POST /auth/device/reject takes it back.',
    body: UserCode,
    openapi: { operationId: 'approveDevice', example },
    data: Type.Null(),
    fails: ['NOT_FOUND'],
    features: { stepUp: true, limit },
    before: async ({ ports }, { body }) => ({ ports, userCode: body.user_code }),
    run: (ctx, _input, given) => approveDevice(ctx, given),
  }),
  route({
    method: 'POST',
    path: '/auth/device/reject',
    access: user,
    purpose: 'Do not let a device sign in.',
    description: 'It is told so with its next poll. Also takes back an approval of the caller that was not used yet.',
    body: UserCode,
    openapi: { operationId: 'rejectDevice', example },
    data: Type.Null(),
    fails: ['NOT_FOUND'],
    features: { limit },
    before: async ({ ports }, { body }) => ({ ports, userCode: body.user_code }),
    run: (ctx, _input, given) => rejectDevice(ctx, given),
  }),
]

export const deviceRoutes = [...ofDevices, ...ofPeople]
