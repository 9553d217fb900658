// What a path answers to the methods that it has no route for.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Headers } from '#test/harness/world.ts'
import { routes } from '../../src/areas.ts'
import { isOpen, pathOf } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { LIMIT_REQUESTS: '1000000/60' } })
})
afterAll(() => app.close())

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

it('405 with Allow, or 401 first where the path needs credentials, whatever other paths fit', async () => {
  const { owner } = await app.world.organization()
  for (const [path, there] of Map.groupBy(routes, pathOf)) {
    const own = there.map(({ method }) => method)
    const ask = (method: (typeof METHODS)[number], headers: Headers) =>
      app.service.app.inject({ url: `/api/v1${path}`, method, headers })
    for (const method of METHODS.filter((one) => !own.includes(one))) {
      const { statusCode, headers } = await ask(method, owner.headers)
      const allowed = String(headers['allow']).split(', ')
      expect([statusCode, allowed.toSorted()], `${method} ${path}`).toEqual([
        405,
        (own.includes('GET') ? [...own, 'HEAD'] : own).toSorted(),
      ])
      expect((await ask(method, {})).statusCode, `${method} ${path}`).toBe(there.some(isOpen) ? 405 : 401)
    }
  }
})
