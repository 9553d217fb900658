// What a declaration of a route may not say: it ends the start.
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { open, org } from '#kernel/values/permissions.ts'
import { fileRoute, route } from './route.ts'

const limit = { policy: 'public' } as const
const READ = { method: 'GET', path: '/x', purpose: 'x', data: Type.Object({}), features: { limit } } as const
const FILE = { path: '/x', purpose: 'x', contentType: 'text/plain', features: { limit } } as const
const read = () => ({ kind: 'parts' as const, statements: [], shape: () => ({}) })
const run = async () => ({ data: {} })
const make = () => Promise.reject(new Error('not made'))

it.each([
  ['a read', () => route({ ...READ, access: org('quotes'), read })],
  ['a file', () => fileRoute({ ...FILE, access: org('quotes'), read, make })],
  [
    'what allocates',
    () =>
      route({
        ...READ,
        method: 'POST',
        access: org('quotes'),
        before: { allocates: async () => 'A-1' },
        run,
      }),
  ],
])('a limit of its own: not for %s that needs credentials, which does not ask for it', (_, declare) => {
  expect(declare).toThrow('takes a way that asks for no limit of its own')
})

it('a limit of its own: for what is open, and for a change', () => {
  expect(() => route({ ...READ, access: open, read })).not.toThrow()
  expect(() => fileRoute({ ...FILE, access: open, read, make })).not.toThrow()
  expect(() => route({ ...READ, method: 'POST', access: org('quotes'), run })).not.toThrow()
})
