// What the console's menu knows of kinds of records is what their declarations say.
import { expect, it } from 'vitest'
import { DIRECTORY } from '../../apps/console/src/resources/directory.ts'
import type { AnyOperation } from '../../packages/sdk/src/index.ts'
import openapi from '../../openapi.json' with { type: 'json' }

const PLACES = ['organization', 'all', 'me'] as const

it('each kind has its lists and pages where the directory says', async () => {
  const declared = await Promise.all(
    DIRECTORY.map(async ({ name, load }) => {
      const declaration = await load()
      const places = PLACES.flatMap((place) => {
        const records = declaration[place]
        return records ? [[place, records.get ? 'page' : 'list']] : []
      })
      return [name, Object.fromEntries(places)]
    }),
  )
  expect(declared).toEqual(DIRECTORY.map(({ name, places }) => [name, places]))
})

it('each name stands once', () => {
  const names = DIRECTORY.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

const paths = Object.entries(openapi.paths)
const readPaths = new Set(paths.filter(([, methods]) => 'get' in methods).map(([path]) => path))

/** The path of what the operation changes; null where that has no read of its own. */
function readOf({ method, path }: AnyOperation): string | null {
  if (!['PUT', 'PATCH', 'DELETE'].includes(method)) return null
  const record = path.slice(0, path.lastIndexOf('}') + 1)
  return [path, record].find((one) => readPaths.has(one)) ?? null
}

it('an act of a row reads first what it changes, so that it sends its ETag', async () => {
  const unread: string[] = []
  let count = 0
  for (const { name, load } of DIRECTORY) {
    const { rowActions = [], sections = [] } = await load()
    const ofSections = sections.filter(({ isOfRecord }) => !isOfRecord).flatMap(({ actions = [] }) => actions)
    for (const { name: act, operation, reads } of [...rowActions, ...ofSections]) {
      const read = readOf(operation)
      if (read === null) continue
      count += 1
      if (reads?.path !== read) unread.push(`${name}: ${act} of ${read}`)
    }
  }
  expect(unread).toEqual([])
  expect(count).toBeGreaterThan(3)
})
