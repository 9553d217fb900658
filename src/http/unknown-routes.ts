// What no route answers: paths that are unknown (404), and other methods of known ones (405 with `Allow`). Both answer
// 401 without credentials where the path needs them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { fastifyPath, type RegisterOptions, requireCaller } from './caller.ts'
import { AppError } from '#kernel/values/errors.ts'
import { needsCaller } from './request-context.ts'
import type { Route } from './route.ts'

type KnownPath = { url: string; allowed: string[]; isOpen: boolean }

export function answerUnknownRoutes(app: FastifyInstance, options: RegisterOptions): void {
  app.decorateRequest('knownPath', null)
  const byPath = Map.groupBy(options.routes, (route) => route.path.replaceAll(/\{\w+\}/g, '{x}'))
  // Routes of their own for the other methods of each path would double the time and memory that the router takes.
  const known = onFirstUse(() => knownPaths(app, byPath))
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const at = known()(request.url)
    request.knownPath = at?.url ?? null
    // What may be sent to a path is in the document, which is open; whoever asks with OPTIONS has no credentials yet.
    if (!at?.isOpen && !(at && request.method === 'OPTIONS')) await requireCaller(options, request, reply)
    if (!at) throw new AppError('NOT_FOUND')
    reply.header('allow', at.allowed.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED')
  }
  for (const [path, routes] of byPath) {
    const method = methodsBeside(path, byPath).filter((other) => !routes.some((route) => route.method === other))
    if (method.length > 0) app.route({ method, url: fastifyPath(path), schema: { hide: true }, handler })
  }
  // Preflights are answered before (cross-origin.ts), by a route for all paths; any other OPTIONS comes here.
  app.route({ method: 'OPTIONS', url: '/*', schema: { hide: true }, handler })
  app.setNotFoundHandler(handler)
}

type ByPath = ReadonlyMap<string, readonly Route[]>

/** `GET /licenses/validate` is another method of that path, but the router would find `GET /licenses/{id}`. */
const methodsBeside = (path: string, byPath: ByPath): Route['method'][] =>
  (byPath.get(path.replace(/[^/]+$/, '{x}')) ?? []).map(({ method }) => method)

function knownPaths(app: FastifyInstance, byPath: ByPath): (url: string) => KnownPath | null {
  const { routerOptions = {} } = app.initialConfig
  const router = findMyWay({ ...routerOptions })
  for (const routes of byPath.values()) {
    const url = app.prefix + fastifyPath(routes[0]?.path ?? '')
    const allowed: string[] = routes.map((route) => route.method)
    if (allowed.includes('GET')) allowed.push('HEAD')
    const isOpen = !routes.every(needsCaller)
    router.on('GET', url, () => {}, { url, allowed, isOpen } satisfies KnownPath)
  }
  return (url) => router.find('GET', url)?.store ?? null
}
