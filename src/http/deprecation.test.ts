// A route that is to go says so, in its answers (RFC 9745, RFC 8594) and in the document. None is today.
import Fastify, { type InjectOptions } from 'fastify'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ERRORS, toAppError } from '#kernel/values/errors.ts'
import { open, user } from '#kernel/values/permissions.ts'
import { documentOf } from './openapi/document.ts'
import { registerRoutes } from './register-routes.ts'
import type { Engine } from './request-context.ts'
import { route } from './route.ts'

const GOING = { since: '2027-01-15', sunset: '2028-01-15', use: 'listThings' }
const READ = { method: 'GET', purpose: 'Get the old things.', data: Type.Object({ count: Type.Integer() }) } as const
const read = () => ({ kind: 'parts' as const, statements: [], shape: () => ({ count: 3 }) })
const old = route({ ...READ, path: '/old', access: open, features: { deprecated: GOING }, read })
const ofCallers = route({ ...READ, path: '/mine', access: user, features: { deprecated: GOING }, read })
const change = route({
  method: 'POST',
  path: '/change',
  purpose: 'Change the old things.',
  access: user,
  data: Type.Object({ count: Type.Integer() }),
  features: { deprecated: GOING },
  run: () => Promise.resolve({ data: { count: 3 }, message: 'Changed' }),
})
const current = route({ ...READ, path: '/new', access: open, read })

/** Reads without statements ask nothing else of the engine. */
const engine = { clock: () => new Date(), database: { read: async () => [] }, ports: { settings: {} } }

async function answerOf(path: string, more: InjectOptions = {}) {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(ERRORS[toAppError(error, '').code].status).send({}))
  registerRoutes(app, {
    engine: engine as unknown as Engine,
    routes: [old, ofCallers, change, current].map((one) => ({ ...one, openapi: { tag: 'things' } })),
    countCaller: async () => {},
    proveCaller: () => {},
    countGuess: async () => {},
    logFailure: () => {},
    cookieName: 'service_session',
    setCookie: () => {},
  })
  const { statusCode, headers, body } = await app.inject({ url: path, ...more })
  const { deprecation, sunset, link } = headers
  return { statusCode, body, headers: { deprecation, sunset, link } }
}

describe('a deprecated route', () => {
  const headers = {
    // 2027-01-15T00:00:00Z
    deprecation: '@1799971200',
    sunset: 'Sat, 15 Jan 2028 00:00:00 GMT',
    link: '</docs>; rel="deprecation"; type="text/html"',
  }
  it('answers with Deprecation, Sunset and Link', async () => {
    const answered = await answerOf('/old')
    expect(answered).toMatchObject({ statusCode: 200, headers })
    expect(JSON.parse(answered.body).data).toEqual({ count: 3 })
  })
  it('refuses with them too', async () => {
    expect(await answerOf('/mine')).toMatchObject({ statusCode: 401, headers })
    const sent = { method: 'POST', headers: { 'content-type': 'text/csv' }, payload: 'a;b' } as const
    expect(await answerOf('/change', sent)).toMatchObject({ statusCode: 415, headers })
  })
  it('is marked in the document, which says what to use instead', () => {
    expect(documentOf({ ...old, openapi: { tag: 'things' } })).toMatchObject({
      deprecated: true,
      description: 'Deprecated since 2027-01-15, gone from 2028-01-15 on: use `listThings`.\n\nNo credentials.',
    })
  })
  it('stays for a year at least, or does not start', () => {
    const deprecated = { ...GOING, sunset: '2028-01-14' }
    expect(() => route({ ...READ, path: '/old', access: open, features: { deprecated }, read })).toThrow(
      'GET /old is to go within a year',
    )
  })
})

it('any other route says nothing of it', async () => {
  const none = { deprecation: undefined, sunset: undefined, link: undefined }
  expect(await answerOf('/new')).toMatchObject({ statusCode: 200, headers: none })
  expect(documentOf({ ...current, openapi: { tag: 'things' } })).not.toHaveProperty('deprecated')
})
