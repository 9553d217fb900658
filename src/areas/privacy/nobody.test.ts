// 404 for a person, an organization or an export that does not exist: every route of privacy that names one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../areas.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterAll(() => app.close())

const naming = routes.filter(({ path, tag }) => tag === 'privacy' && path.includes('{id}'))

it('every route of privacy that names one', () => expect(naming.length).toBeGreaterThan(8))
it.each(naming)('404 $method $path', async ({ method, path }) => {
  const url = path.replace('{id}', '999999')
  const answer = await (method === 'GET' ? acme.staff.get(url) : acme.staff.post(url))
  expect([answer.status, answer.errors?.code], answer.raw.body).toEqual([404, 'NOT_FOUND'])
})
