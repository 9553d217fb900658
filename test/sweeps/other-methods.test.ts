// What a path answers to the methods that it has no route for.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Headers } from '#test/harness/world.ts'
import { routes } from '../../src/modules.ts'
import { isOpen, pathOf } from './sweep.ts'

const app = await appOfFile()

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Asked = (typeof METHODS)[number] | 'OPTIONS'

it('405 with Allow, or 401 first where the path needs credentials, whatever other paths fit', async () => {
  const { owner } = await app.world.organization()
  for (const [path, there] of Map.groupBy(routes, pathOf)) {
    const own = there.map(({ method }) => method)
    const ask = (method: Asked, headers: Headers) => app.service.app.inject({ url: `/api/v1${path}`, method, headers })
    for (const method of METHODS.filter((one) => !own.includes(one))) {
      const { statusCode, headers } = await ask(method, owner.headers)
      const allowed = String(headers['allow']).split(', ')
      expect([statusCode, allowed.toSorted()], `${method} ${path}`).toEqual([
        405,
        (own.includes('GET') ? [...own, 'HEAD'] : own).toSorted(),
      ])
      expect((await ask(method, {})).statusCode, `${method} ${path}`).toBe(there.some(isOpen) ? 405 : 401)
    }
    // Whoever asks what a path allows has no credentials yet, and `openapi.json` says it to everybody.
    const { statusCode, headers, body } = await ask('OPTIONS', {})
    const { success, errors } = JSON.parse(body) as { success: boolean; errors: { code: string } }
    expect([path, statusCode, success, errors.code]).toEqual([path, 405, false, 'METHOD_NOT_ALLOWED'])
    expect(String(headers['allow']).split(', ')).toEqual(expect.arrayContaining(own))
  }
  expect((await app.service.app.inject({ url: '/api/v1/nothing', method: 'OPTIONS' })).statusCode).toBe(401)
})
