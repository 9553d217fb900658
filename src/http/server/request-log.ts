// Writes one log line per request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { LoggedCaller } from '#http/register-routes.ts'

type DoneCallback = () => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked every few seconds by whatever watches the process: its successes are logged as debug. */
    isProbe?: boolean
  }
}

/**
 * For `onResponse`. The fields are fixed and none can hold a secret, so nothing is redacted: that is half of a line's
 * cost.
 */
export function requestLog(log: Logger): (request: FastifyRequest, reply: FastifyReply, done: DoneCallback) => void {
  const lines = log.child({}, { redact: [] })
  return (request, reply, done) => {
    const { userId, organizationId }: LoggedCaller = request.loggedCaller ?? NOBODY
    const route = routeOf(request)
    const isRoutine = request.routeOptions.config.isProbe && reply.statusCode < 400
    lines[isRoutine ? 'debug' : 'info'](
      {
        request_id: request.id,
        method: request.method,
        path: route && cleanPath(route, request.params),
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        user_id: userId,
        organization_id: organizationId,
      },
      'request',
    )
    done()
  }
}

/** The pattern of the path, also where no route answers the method; null where nothing answers the path. */
export const routeOf = ({ routeOptions, knownPath }: FastifyRequest): string | null =>
  knownPath ?? routeOptions.url ?? null

const NOBODY: LoggedCaller = { userId: null, organizationId: null }

/** Ids, codes and companies: the only parameters that are logged. */
const KNOWN_FORM = /^(\d{1,16}|[A-Z]{3}-\d{4,20}|entity_[a-z]{2,10})$/

const PARAMETER = /:(\w+)/g

/**
 * The pattern of the route with its ids filled in. Nothing else of a URL is logged, because a mistyped one can contain
 * keys and passwords anywhere.
 */
function cleanPath(url: string, params: unknown): string {
  if (!url.includes(':')) return url
  const values = new Map<string, unknown>(Object.entries(params ?? {}))
  return url.replaceAll(PARAMETER, (placeholder, name: string) => {
    const value = values.get(name)
    return typeof value === 'string' && KNOWN_FORM.test(value) ? value : placeholder
  })
}
