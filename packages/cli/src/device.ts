// Sign-in by another device (RFC 8628): the person approves with a browser anywhere, and this program asks until then.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ApiError,
  beginDeviceSignIn,
  ConnectionError,
  loginWithDevice,
  RateLimited,
  ServiceUnavailable,
  type Titular,
  type Tokens,
  type TokenSession,
} from '@titular/sdk'
import { say, type Console } from './console.ts'

type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const pauseFor: Pause = (ms, signal) => sleep(ms, undefined, { signal })

/** By how much RFC 8628 lengthens the pause when the service asks for it, or does not answer. */
const LONGER_SECONDS = 5

export async function signInByDevice(
  console: Console,
  titular: Titular,
  session: TokenSession,
  pause: Pause = pauseFor,
): Promise<void> {
  const begun = await titular.call(beginDeviceSignIn)
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = begun
  await say(
    console,
    `Open this address in a browser, on any device, and enter the code ${user_code}\n  ${verification_uri}\n` +
      `or the address that has the code already:\n  ${verification_uri_complete}\n` +
      `It is good for ${Math.ceil(expires_in / 60)} minutes. Waiting; Ctrl-C ends it.`,
  )
  let pauseSeconds = interval
  for (let waited = 0; ;) {
    await pause(pauseSeconds * 1000, console.signal)
    waited += pauseSeconds
    const isLast = waited >= expires_in
    const answer = await titular
      .call(loginWithDevice, { body: { device_code } }, { signal: console.signal })
      .catch((error: unknown) => reasonToWait(error, isLast))
    if (typeof answer !== 'string') return session.use(answer)
    if (answer === 'longer') pauseSeconds += LONGER_SECONDS
  }
}

/** Thrown on where waiting does not help. */
function reasonToWait(error: unknown, isLast: boolean): Tokens | 'longer' | 'as before' {
  if (error instanceof ApiError && error.reason === 'authorization_pending') return 'as before'
  if (error instanceof ApiError && error.reason === 'slow_down') return 'longer'
  const passes = [ConnectionError, RateLimited, ServiceUnavailable].some((kind) => error instanceof kind)
  if (passes && !isLast) return 'longer'
  throw error
}
