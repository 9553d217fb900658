// Objects whose members clients name: a name that PostgreSQL cannot store is refused like a value, since two of them
// would become one. For each body that has such an object, at any depth.
import { expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { appOfFile } from '#test/harness/app.ts'
import { withValue } from './body-fields.ts'
import { key, pathOf, send } from './sweep.ts'

type Shape = {
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  additionalProperties?: unknown
  patternProperties?: unknown
}

/** The paths of the objects whose members are not listed. */
function freeIn(shape: Shape | undefined, path: (string | 0)[] = []): (string | 0)[][] {
  if (!shape) return []
  const { anyOf = [], items, properties = {}, additionalProperties, patternProperties } = shape
  const isFree = typeof additionalProperties === 'object' || patternProperties !== undefined
  return [
    ...(isFree ? [path] : []),
    ...anyOf.flatMap((one) => freeIn(one, path)),
    ...freeIn(items, [...path, 0]),
    ...Object.entries(properties).flatMap(([name, one]) => freeIn(one, [...path, name])),
  ]
}

const FREE = routes.flatMap((route) =>
  freeIn(route.body).map((path) => ({ route, path, name: `${key(route)} ${path.join('.')}` })),
)

const app = await appOfFile()
const acme = await app.world.organization()

it('stand in many bodies', () => expect(FREE.length).toBeGreaterThan(10))

it.each(FREE)('422 names the member: $name', async ({ route, path }) => {
  const body = withValue({}, path, { 'a\0b': 'x', 'a\ud800b': 'y', c: 'z' })
  const answers = await Promise.all(
    [acme.staff, acme.owner].map((speaker) => send(speaker, route, pathOf(route), body, {})),
  )
  const refused = answers.filter(({ status }) => status === 422)
  expect(refused.length).toBeGreaterThan(0)
  for (const { errors } of refused)
    expect(errors?.fields).toMatchObject({ [[...path, 'a\ufffdb'].join('.')]: expect.stringContaining('name') })
})
