// Liveness (the process answers) and readiness (it should get traffic), outside the API.
import type { FastifyInstance } from 'fastify'
import type { Database } from '#kernel/database.ts'
import { sql } from '#kernel/sql.ts'

export type HealthOptions = { engine: { database: Database }; isReady: () => boolean }

export function health(app: FastifyInstance, { engine, isReady }: HealthOptions): void {
  const hidden = { schema: { hide: true } as object }
  // Never asks the database: a process that lost it must not be restarted for that.
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    const isUp =
      isReady() &&
      (await engine.database.read('titular_app', [sql`select 1`]).then(
        () => true,
        () => false,
      ))
    return reply
      .code(isUp ? 200 : 503)
      .header('retry-after', isUp ? undefined : '2')
      .send({ status: isUp ? 'ready' : 'not ready' })
  })
}
