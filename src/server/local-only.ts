// What is open for development is for this machine alone. A proxy on the same machine that the settings do not mention gives
// itself away by what it adds to a request (docs/decisions/0028).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hostOf, isLoopback } from '#kernel/network/addresses.ts'
import { AppError } from '#kernel/http/errors.ts'
import { parseJson } from '#kernel/http/validation.ts'
import type { Config } from '#config/config.ts'

/** The sign-ins of the demo, whose password everybody knows. */
export type DemoSignIns = { password: string; staff: string }

const ADDED_BY_PROXIES = /^(x-forwarded-.+|forwarded|via|x-real-ip)$/

const SIGN_IN_PATHS = ['/auth/login', '/auth/session']

/** Sent by a program on this machine, as far as a request can show it. */
function isDirect({ raw, headers }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name))) return false
  const host = hostOf(`http://${headers.host ?? ''}`)
  // nginx before 1.29.7 names the upstream as the host and adds nothing, but speaks HTTP/1.0, as hardly a client does.
  return raw.httpVersion !== '1.0' && (isLoopback(host) || host.endsWith('.localhost'))
}

/** Where the settings make the service known to others, whoever asks is meant to be there. */
const isExpected = (config: Pick<Config, 'isLocal'>, request: FastifyRequest): boolean =>
  !config.isLocal || isDirect(request)

export function assertExpected(config: Pick<Config, 'isLocal'>, request: FastifyRequest): void {
  if (isExpected(config, request)) return
  throw new AppError('AUTHORIZATION_ERROR', {
    message:
      'Open for development, on this machine only; this request came through a proxy or asks for another host. Set PUBLIC_URL and TRUSTED_PROXIES, and SANDBOX=1 if others may come here',
  })
}

/**
 * The demo's password is for the sandbox: its administrator signs in from this machine alone, its customers where the
 * sandbox is meant to be reached. A database that once had the demo has their accounts for good.
 */
export function guardDemoSignIns(api: FastifyInstance, config: Config, demo: DemoSignIns): void {
  const mayUse = (request: FastifyRequest, email: string) =>
    config.sandbox && isExpected(config, request) && (config.isLocal || email.toLowerCase() !== demo.staff)
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || !SIGN_IN_PATHS.some((path) => route.url.endsWith(path))) return
    route.preValidation = (request, _reply, done) => {
      const given = credentialsIn(request.body)
      const isRefused = given?.password === demo.password && !mayUse(request, given.email)
      const message = 'The demo’s password signs in from the machine that the service runs on, and only in the sandbox'
      done(isRefused ? new AppError('AUTHENTICATION_ERROR', { message }) : undefined)
    }
  })
}

/** The body is still bytes here, read as the pipeline will read it; what is wrong with it is told there. */
function credentialsIn(body: unknown): { email: string; password: string } | null {
  if (!Buffer.isBuffer(body)) return null
  try {
    const given = parseJson(body)
    if (typeof given !== 'object' || given === null || !('email' in given) || !('password' in given)) return null
    return { email: String(given.email), password: String(given.password) }
  } catch {
    return null
  }
}
