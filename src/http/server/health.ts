// Liveness (the process answers) and readiness (it can take requests), outside of the API.
import type { FastifyInstance } from 'fastify'
import type { Database } from '#kernel/database/database.ts'
import { sql } from '#kernel/values/sql.ts'

type HealthOptions = { engine: { database: Database }; isReady: () => boolean }

export function health(app: FastifyInstance, { engine, isReady }: HealthOptions): void {
  const hidden = { schema: { hide: true } as object, config: { isProbe: true } }
  // Does not ask the database: a process that cannot reach it must not be restarted for that.
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (_request, reply) => {
    const isUp = isReady() && (await answersInTime(engine.database))
    return reply
      .code(isUp ? 200 : 503)
      .header('retry-after', isUp ? undefined : '2')
      .send({ status: isUp ? 'ready' : 'not ready' })
  })
}

const ANSWER_MS = 1500

/** Load balancers decide within seconds, so a database that does not answer in time counts as away. */
async function answersInTime(database: Database): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ANSWER_MS, false)
  const answer = database.read('titular_app', [sql`select 1`]).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer))
}
