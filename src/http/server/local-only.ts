// Restricts what is open for development to this machine. A proxy on the same machine that no setting mentions is
// recognized by the headers that it adds (docs/decisions/0028).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hostOf, isLoopback } from '#kernel/network/addresses.ts'
import { AppError } from '#kernel/values/errors.ts'
import { parseJson } from '#kernel/values/validation/validation.ts'
import type { Config } from '#config/config.ts'

/** The accounts of the demo, whose password is public. `staff` are the addresses of all people of staff. */
export type DemoSignIns = { password: string; staff: readonly string[] }

const ADDED_BY_PROXIES = /^(x-forwarded-.+|forwarded|via|x-real-ip)$/

const SIGN_IN_PATHS = ['/auth/login', '/auth/session']

/** Whether a program on this machine sent the request, as far as can be seen. */
function isDirect({ raw, headers }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name))) return false
  const host = hostOf(`http://${headers.host ?? ''}`)
  // nginx before 1.29.7 sets the upstream as the host and adds no headers, but uses HTTP/1.0, which clients hardly do.
  return raw.httpVersion !== '1.0' && (isLoopback(host) || host.endsWith('.localhost'))
}

/** When the settings open the service to others, every request is expected. */
const isExpected = (config: Pick<Config, 'isLocal'>, request: FastifyRequest): boolean =>
  !config.isLocal || isDirect(request)

export function assertExpected(config: Pick<Config, 'isLocal'>, request: FastifyRequest): void {
  if (isExpected(config, request)) return
  throw new AppError('AUTHORIZATION_ERROR', {
    message:
      'Open for development, on this machine only; this request came through a proxy or asks for another ' +
      'host. Set PUBLIC_URL and TRUSTED_PROXIES, and SANDBOX=1 if others may come here',
  })
}

type Demo = { config: Pick<Config, 'sandbox' | 'isLocal'>; demo: DemoSignIns }

/**
 * The demo's password works only in the sandbox: for its staff only from this machine, for its customers from
 * wherever the sandbox is open to.
 */
export const mayUseDemo = ({ config, demo }: Demo, request: FastifyRequest, email: string): boolean =>
  config.sandbox && isExpected(config, request) && (config.isLocal || !demo.staff.includes(email.toLowerCase()))

/** Needed because a database that once had the demo keeps its accounts. */
export function guardDemoSignIns(api: FastifyInstance, { config, demo }: Demo): void {
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || !SIGN_IN_PATHS.some((path) => route.url.endsWith(path))) return
    route.preValidation = (request, _reply, done) => {
      const given = credentialsIn(request.body)
      const isRefused = given?.password === demo.password && !mayUseDemo({ config, demo }, request, given.email)
      const message = 'The demo’s password signs in from the machine that the service runs on, and only in the sandbox'
      done(isRefused ? new AppError('AUTHENTICATION_ERROR', { message }) : undefined)
    }
  })
}

/** The body is still bytes here. Errors in it are left to the pipeline. */
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
