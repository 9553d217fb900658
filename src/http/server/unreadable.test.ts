// Malformed HTTP: each refusal has the envelope and a request id that is in the log, also those that Node would answer.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Answer, connectionTo } from '#test/harness/keep-alive.ts'

const app = await appOfFile({ listens: true })

async function answerTo(text: string): Promise<Answer> {
  const connection = await connectionTo(app.url)
  try {
    connection.send(text)
    return await connection.answer()
  } finally {
    connection.socket.destroy()
  }
}

function expectRefusal({ status, head, body }: Answer, wanted: number, code = 'BAD_REQUEST'): void {
  expect([status, JSON.parse(body)]).toEqual([
    wanted,
    { success: false, data: null, meta: null, message: expect.any(String), errors: { code } },
  ])
  expect(head).toMatch(/content-type: application\/json/i)
  expect(head).toMatch(/connection: close/i)
  const id = /x-request-id: (\S+)/i.exec(head)?.[1] ?? 'none'
  const line = app.log.map((text) => JSON.parse(text)).find(({ request_id }) => request_id === id)
  expect(line, head).toMatchObject({ status: wanted })
}

describe('a refusal by the HTTP parser is an envelope with a request id', () => {
  it.each([
    ['400 for what is no HTTP', 'hello\r\n\r\n', 400],
    ['400 for a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['400 for two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      '400 for a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['431 for headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['417 for an expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n', 417],
  ])('%s', async (_what, text, status) => {
    expectRefusal(await answerTo(text), status)
  })
  it('413 for extensions of chunks that are too large', async () => {
    const chunked =
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    expectRefusal(await answerTo(`${chunked}1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`), 413, 'PAYLOAD_TOO_LARGE')
  })
  it('405 for CONNECT', async () => {
    expectRefusal(
      await answerTo('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      405,
      'METHOD_NOT_ALLOWED',
    )
  })
  it('408 for headers that never end, within 15 seconds', async () => {
    const { headersTimeout } = app.service.app.server
    const began = Date.now()
    expectRefusal(await answerTo('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '), 408)
    expect(Date.now() - began).toBeGreaterThanOrEqual(headersTimeout)
    expect(headersTimeout).toBeLessThanOrEqual(10_000)
  })
})

describe('Host', () => {
  it.each([
    ['two', 'Host: one.example\r\nHost: two.example\r\n'],
    ['two that agree', 'Host: one.example\r\nhost: one.example\r\n'],
    ['none', ''],
  ])('400 for %s', async (_what, hosts) => {
    for (const target of ['/healthz', '/api/v1/quotes', '/nothing'])
      expectRefusal(await answerTo(`GET ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`), 400)
  })
  it('200 with one, and for HTTP/1.0 without any', async () => {
    expect((await answerTo('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).status).toBe(200)
    expect((await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })
})

describe('a request that names a content type and has no body', () => {
  it.each(['POST', 'PUT', 'DELETE'])('is answered at once: %s', async (method) => {
    const path = method === 'POST' ? '/api/v1/auth/logout' : '/api/v1/organizations/1'
    const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\r\n`
    expect((await answerTo(text)).status).toBe(401)
  })
})
