// The log keeps only patterns of routes and ids, since secrets can be anywhere in a URL.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { connectionTo } from '#test/harness/keep-alive.ts'
import { until } from '#test/harness/until.ts'
import { withoutSecrets } from './log-options.ts'

const app = await appOfFile({ listens: true, environment: { LOG_LEVEL: 'debug' } })

const SECRET = 'hush0123456789abcdef'

/** The log lines of the request, once it is answered. */
async function linesOf(method: string, target: string): Promise<{ text: string; path: unknown; route: unknown }> {
  const before = app.log.length
  const connection = await connectionTo(app.url)
  connection.send(`${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)
  await connection.answer()
  connection.socket.destroy()
  await until(() => app.log.length > before)
  const lines = app.log.slice(before)
  const { path, route } = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request') ?? {}
  return { text: lines.join(''), path, route }
}

it('a request whose client aborts it is not logged as an error', async () => {
  const before = app.log.length
  const connection = await connectionTo(app.url)
  connection.send(
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  // Once a second connection is answered, the bytes on the first one have been read.
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  connection.socket.destroy()
  await until(() => app.log.slice(before).some((line) => /request failed|before its body was there/.test(line)))
  const levels = app.log.slice(before).map((line): unknown => JSON.parse(line).level)
  expect(levels.filter((level) => Number(level) > 30)).toEqual([])
})

async function levelOf(url: string): Promise<unknown> {
  const { headers } = await app.service.app.inject({ url, headers: { host: 'localhost' } })
  const lines = app.log.map((line) => JSON.parse(line))
  return lines.find((line) => line.msg === 'request' && line.request_id === headers['x-request-id'])?.level
}

describe('the line of a request', () => {
  it('is debug for a probe that succeeds, info for all else', async () => {
    expect([await levelOf('/readyz'), await levelOf('/healthz'), await levelOf('/api/v1/quotes')]).toEqual([20, 20, 30])
  })
  it('has caller and organization, also when an Idempotency-Key repeats the answer', async () => {
    const { id, staff } = await app.world.organization()
    const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [LICENSE_LINE] }
    const create = () => staff.post('/quotes', body, { 'idempotency-key': 'once' })
    const answers = [await create(), await create()]
    expect(answers[1]?.headers['idempotent-replayed']).toBe('true')
    const requests = answers.map(({ headers }) => headers['x-request-id'])
    const lines = app.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    const callers = requests.map((request) => {
      const { user_id, organization_id } = lines.find(({ request_id }) => request_id === request)
      return [user_id, organization_id]
    })
    const staffThere = [staff.userId, id]
    expect(callers).toEqual([staffThere, staffThere])
  })
  it.each([
    `/api/v1/orders&consumer_key=${SECRET}`,
    `/api/v1/orders%26consumer_key=${SECRET}`,
    `/api/v1/orders%3Fconsumer_key%3D${SECRET}`,
    `/api/v1/${SECRET}`,
    `/reset-password&key=${SECRET}`,
    `/reset-password%26key=${SECRET}`,
    `/${SECRET}`,
    `/api/v1/%zz&consumer_key=${SECRET}`,
    `/api/v1/${SECRET}%zz`,
    `http://user:${SECRET}@titular.example/api/v1/nothing`,
    `//user:${SECRET}@titular.example/api/v1/orders`,
    `/api/v1/${SECRET.repeat(40)}`,
  ])('has nothing of a URL without a route: %s', async (target) => {
    for (const method of ['GET', 'POST']) {
      const { text, path, route } = await linesOf(method, target)
      expect(text).not.toContain(SECRET)
      expect(text).not.toMatch(/consumer_key|user:/)
      expect([path ?? null, route ?? null]).toEqual([null, null])
    }
  })
  it.each([
    [`/api/v1/orders/12&consumer_key=${SECRET}`, '/api/v1/orders/:id'],
    [`/api/v1/orders/consumer_key=${SECRET}`, '/api/v1/orders/:id'],
    [`/api/v1/orders/${SECRET}`, '/api/v1/orders/:id'],
    [`/api/v1/orders/12?consumer_key=${SECRET}`, '/api/v1/orders/12'],
    [
      `/api/v1/entitlements/code/PLG-2026110001/lineage?token=${SECRET}`,
      '/api/v1/entitlements/code/PLG-2026110001/lineage',
    ],
    [`/api/v1/entitlements/code/${SECRET}/lineage`, '/api/v1/entitlements/code/:code/lineage'],
    [`http://user:${SECRET}@titular.example/api/v1/orders/12`, '/api/v1/orders/12'],
    [`/mail/${SECRET}`, '/mail/:name'],
    [`/sandbox/payments/${SECRET}`, '/sandbox/payments/*'],
  ])('has the route and ids: %s', async (target, wanted) => {
    const { text, path } = await linesOf('GET', target)
    expect(text).not.toContain(SECRET)
    expect(path).toBe(wanted)
  })
  it('has the route when the path has none with this method', async () => {
    const { text, path, route } = await linesOf('DELETE', `/api/v1/orders/${SECRET}`)
    expect(text).not.toContain(SECRET)
    expect([path, route]).toEqual(['/api/v1/orders/:id', '/api/v1/orders/:id'])
  })
})

it('the line of a request has fixed fields, whatever the request brings', async () => {
  const before = app.log.length
  const { url } = app
  const credentials = {
    authorization: `Bearer ${SECRET}`,
    cookie: `service_session=${SECRET}`,
    'x-service-nonce': SECRET,
  }
  await fetch(`${url}/api/v1/auth/login?consumer_secret=${SECRET}`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json', 'x-request-id': `${SECRET}=`, 'user-agent': SECRET },
    body: JSON.stringify({ email: `${SECRET}@example.com`, password: SECRET, [SECRET]: SECRET }),
  })
  const lines = await until(
    () => app.log.slice(before).filter((line) => line.includes('"msg":"request"')),
    ({ length }) => length > 0,
  )
  expect(lines).toHaveLength(1)
  expect(lines.join('')).not.toContain(SECRET)
  const fields = 'level time pid hostname request_id method path route status ms ip user_id organization_id msg'
  expect(Object.keys(JSON.parse(lines[0] ?? '')).join(' ')).toBe(fields)
})

it('other lines are redacted', async () => {
  const { log } = app.service.app
  const before = app.log.length
  log.info({ password: SECRET, headers: { cookie: SECRET }, user: { authorization: SECRET } }, 'something')
  log.child({}).info({ cookie: SECRET }, `GET https://x.example/?key=${SECRET}`)
  const text = app.log.slice(before).join('')
  expect(text).toContain('[Redacted]')
  expect(text).not.toContain(SECRET)
})

describe('messages of errors', () => {
  it.each([
    [`connect to postgres://me:${SECRET}@db:5432/x failed`, 'connect to postgres://db:5432/x failed'],
    [
      `GET https://s3.example/bucket/1?X-Amz-Signature=${SECRET}&x=1 gave 403`,
      'GET https://s3.example/bucket/1?… gave 403',
    ],
    [
      `'/api/v1/%zz&consumer_key=${SECRET}' is not a valid url component`,
      "'/api/v1/%zz&…' is not a valid url component",
    ],
    [`'/a%26key%3D${SECRET}' is not a valid url component`, "'/a%26…' is not a valid url component"],
    [`no such thing: token=${SECRET}`, 'no such thing: token=…'],
    ['at f (file:///srv/my%20place/src/a.ts:1:2)', 'at f (file:///srv/my%20place/src/a.ts:1:2)'],
    ['a && b = c; d ? e : f', 'a && b = c; d ? e : f'],
  ])('%s', (text, wanted) => {
    expect(withoutSecrets(text)).toBe(wanted)
  })
  it('take no longer for unusual texts', () => {
    for (const text of [
      '/'.repeat(500),
      '&a'.repeat(250),
      'http://'.repeat(70),
      '%26'.repeat(160),
      `//${'a'.repeat(490)}@`,
    ])
      expect(withoutSecrets(text).length).toBeLessThanOrEqual(text.length)
  })
})
