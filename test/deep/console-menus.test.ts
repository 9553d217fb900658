// The menus offer each role of staff no list that answers 403.
import { describe, expect, it } from 'vitest'
import { CHROMIUM } from '#test/harness/chromium.ts'
import { menuOf } from '#test/harness/visit.ts'
import { consoleOfFile } from '#test/scenes/console.ts'
import { DEMO_STAFF } from '../../src/demo/sign-ins.ts'

describe.skipIf(CHROMIUM === null)('the menu of staff', () => {
  const scene = consoleOfFile()
  it.each(DEMO_STAFF.filter(({ role }) => role !== 'administrator'))(
    'for $role has nothing that is refused',
    async ({ email }) => {
      const { page, open, refused } = await scene.visit(email)
      const forbidden: string[] = []
      await open('/all')
      for (const path of await menuOf(page)) {
        refused.length = 0
        await open(path)
        forbidden.push(...refused.filter((one) => one.startsWith('403')).map((one) => `${path}: ${one}`))
      }
      expect(forbidden).toEqual([])
    },
  )
})
