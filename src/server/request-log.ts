// Writes one log line per request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { loggedCallers } from '#kernel/http/register-routes.ts'

export function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const caller = loggedCallers.get(request)
  request.log.info(
    {
      method: request.method,
      path: cleanPath(request),
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
      user_id: caller?.userId ?? null,
      organization_id: caller?.organizationId ?? null,
    },
    'request',
  )
  done()
}

/** Ids, codes and companies: the only parameters that are logged. */
const KNOWN_FORM = /^(\d{1,16}|[A-Z]{3}-\d{4,20}|entity_[a-z]{2,10})$/

/**
 * The pattern of the route with its ids filled in; null when no route matched, because a mistyped URL can contain keys
 * and passwords anywhere.
 */
function cleanPath({ routeOptions: { url }, params }: FastifyRequest): string | null {
  if (url === undefined) return null
  const values = new Map<string, unknown>(Object.entries(params ?? {}))
  return url.replaceAll(/:(\w+)/g, (placeholder, name: string) => {
    const value = values.get(name)
    return typeof value === 'string' && KNOWN_FORM.test(value) ? value : placeholder
  })
}
