// 404 for a person, an organization or an export that does not exist: every route of privacy that names one.
import { expect, it } from 'vitest'
import { routes } from '../../../modules.ts'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const naming = routes.filter(({ path, openapi }) => openapi.tag === 'privacy' && path.includes('{id}'))

it('every route of privacy that names one', () => expect(naming.length).toBeGreaterThan(8))
it.each(naming)('404 $method $path', async ({ method, path }) => {
  const url = path.replace('{id}', '999999')
  const answer = await (method === 'GET' ? acme.staff.get(url) : acme.staff.post(url))
  expect([answer.status, answer.errors?.code], answer.raw.body).toEqual([404, 'NOT_FOUND'])
})
