// What no route answers: paths that are unknown (404), and other methods of known ones (405 with `Allow`). Both answer 401
// without credentials where the path needs them.
import type { FastifyInstance } from 'fastify'
import findMyWay from 'find-my-way'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { fastifyPath, type RegisterOptions, requireCaller } from './caller.ts'
import { AppError } from './errors.ts'
import type { Route } from './route.ts'

type Known = { allowed: string[]; isOpen: boolean }

export function answerUnknownRoutes(app: FastifyInstance, options: RegisterOptions): void {
  // Routes of their own for the other methods of each path would double the time and memory that the router takes.
  const known = onFirstUse(() => knownPaths(app, options.routes))
  app.setNotFoundHandler(async (request, reply) => {
    const at = known()(request.url)
    if (!at?.isOpen) await requireCaller(options, request, reply)
    if (!at) throw new AppError('NOT_FOUND')
    reply.header('allow', at.allowed.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED')
  })
}

function knownPaths(app: FastifyInstance, routes: readonly Route[]): (url: string) => Known | null {
  const { routerOptions = {} } = app.initialConfig
  const router = findMyWay({ ...routerOptions })
  for (const [path, routesThere] of Map.groupBy(routes, (route) => route.path.replaceAll(/\{\w+\}/g, '{x}'))) {
    const allowed: string[] = routesThere.map((route) => route.method)
    if (allowed.includes('GET')) allowed.push('HEAD')
    const isOpen = routesThere.some(({ access }) => access.kind === 'open' || access.kind === 'signed')
    router.on('GET', `${app.prefix}${fastifyPath(path)}`, () => {}, { allowed, isOpen } satisfies Known)
  }
  return (url) => router.find('GET', url)?.store ?? null
}
