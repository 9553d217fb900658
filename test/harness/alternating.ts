// Several processes of one installation behind a balancer that keeps nobody at one of them: each request goes to the next.
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { TestApp } from './app.ts'
import { createWorld, type World } from './world.ts'

export function worldOfAll(apps: readonly [TestApp, ...TestApp[]]): World {
  const [first] = apps
  let turn = 0
  const inject = (request: InjectOptions) => {
    const next = apps[turn++ % apps.length] ?? first
    return next.service.app.inject(request)
  }
  return createWorld({
    app: { inject } as Pick<FastifyInstance, 'inject'>,
    database: first.database,
    accessTokens: first.service.ports.accessTokens,
    clock: first.clock,
  })
}
