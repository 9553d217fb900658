// All histories have the same last path segment and the same shape.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { ChangedBy } from '#kernel/data/audit/history.ts'
import { key } from './sweep.ts'

const shapeOf = (schema: unknown) => (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
const isHistory = (schema: unknown) =>
  ['status', 'value'].some((of) => `to_${of}` in shapeOf(schema) && `from_${of}` in shapeOf(schema))

describe('histories', () => {
  it('are the lists at /history, and no others are', () => {
    const histories = routes.filter(({ page }) => isHistory(page)).map(key)
    expect(histories).toEqual(routes.filter(({ path }) => path.endsWith('/history')).map(key))
    expect(histories.length).toBeGreaterThan(4)
    expect(routes.filter(({ path }) => /timeline|log$/.test(path)).map(({ path }) => path)).toEqual([
      '/audit-log',
      '/admin/audit-log',
    ])
  })
  it('have the same fields: from, to, when, by whom and why', () => {
    for (const { page, ...route } of routes.filter((one) => isHistory(one.page))) {
      expect(Object.keys(shapeOf(page)), key(route as never)).toEqual(
        expect.arrayContaining(['id', 'note', ...Object.keys(ChangedBy)]),
      )
      for (const [name, schema] of Object.entries(ChangedBy)) expect(shapeOf(page)[name]).toEqual(schema)
      const others = Object.keys(shapeOf(page)).filter((name) => ['at', 'by', 'from', 'to', 'actor'].includes(name))
      expect(others).toEqual([])
    }
  })
})
