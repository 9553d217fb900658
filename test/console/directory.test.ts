// What the console's menu knows of kinds of records is what their declarations say.
import { expect, it } from 'vitest'
import { DIRECTORY } from '../../apps/console/src/resources/directory.ts'

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
