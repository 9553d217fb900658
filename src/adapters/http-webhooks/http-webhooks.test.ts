// Requests to endpoints over real sockets: answers that are slow, endless, broken or lead elsewhere.
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpWebhooks } from './http-webhooks.ts'

const open: { close: (done: () => void) => unknown; closeAllConnections?: () => void }[] = []
const sender = httpWebhooks({ loopback: true, timeoutMs: 400 })
const asked: { url: string; body: string; type: string | undefined }[] = []

const ANSWERS: Record<string, RequestListener> = {
  '/ok': (_, response) => response.writeHead(204, { 'x-trace': 'abc', 'set-cookie': 'session=1' }).end(),
  '/redirect': (_, response) => response.writeHead(307, { location: '/ok' }).end(),
  '/endless': (_, response) => {
    const bytes = Readable.from(endless())
    response.on('close', () => bytes.destroy())
    bytes.pipe(response.writeHead(200))
  },
  '/trickle': (_, response) => {
    response.writeHead(202)
    response.write('first')
  },
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  },
  '/binary': (_, response) => response.writeHead(500).end(Buffer.from([0, 0xff, 0x61])),
  '/headers': (_, response) => response.writeHead(200, { 'x-long': 'y'.repeat(2000) }).end(),
  '/hang': () => {},
}

function* endless() {
  for (;;) yield 'x'.repeat(10_000)
}

let base = ''
beforeAll(async () => {
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const { url = '', headers } = message
      asked.push({ url, body: Buffer.concat(chunks).toString(), type: headers['content-type'] })
      ANSWERS[url]?.(message, response)
    })
  })
  base = `http://127.0.0.1:${await listening(server)}`
})
afterAll(async () => {
  await sender.close()
  for (const server of open) {
    server.closeAllConnections?.()
    server.close(() => {})
  }
})

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port
}

const send = (url: string) => sender.send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' })

const reasonAt = async (url: string) => (await send(url)).error

describe('a request to an endpoint', () => {
  it('carries body and headers, and gives status and headers of the answer, but no cookies', async () => {
    const answer = await send(`${base}/ok`)
    expect(answer).toMatchObject({ status: 204, body: '', error: null, headers: { 'x-trace': 'abc' } })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(answer.durationMs).toBeGreaterThanOrEqual(0)
    expect(asked.at(-1)).toEqual({ url: '/ok', body: '{"a":1}', type: 'application/json' })
  })
  it('follows no redirect', async () => {
    asked.length = 0
    expect(await send(`${base}/redirect`)).toMatchObject({ status: 307, headers: { location: '/ok' } })
    expect(asked.map(({ url }) => url)).toEqual(['/redirect'])
  })
  it('reads 4 KiB of an endless answer', async () => {
    const { status, body } = await send(`${base}/endless`)
    expect(status).toBe(200)
    expect(body).toHaveLength(4096)
  })
  it.each([
    ['trickles in', '/trickle', { status: 202, body: 'first' }],
    ['breaks off', '/broken', { status: 200, body: 'half' }],
    ['is not text', '/binary', { status: 500, body: '\ufffd\ufffda' }],
  ])('counts the status of an answer whose body %s', async (_, path, expected) => {
    expect(await send(base + path)).toMatchObject(expected)
  })
  it('cuts long headers', async () => {
    expect((await send(`${base}/headers`)).headers['x-long']).toHaveLength(256)
  })
  it('says so when no answer comes in time', async () => {
    expect(await send(`${base}/hang`)).toMatchObject({ status: null, error: 'No answer within 0.4 seconds' })
  })
  it('says why there was no answer', async () => {
    const noise = createTcpServer((socket) => void socket.once('data', () => socket.end('SMTP ready\r\n')))
    const silent = createTcpServer((socket) => void socket.once('data', () => socket.destroy()))
    expect(await reasonAt(`http://127.0.0.1:${await listening(noise)}/`)).toBe('The answer is not HTTP')
    expect(await reasonAt(`http://127.0.0.1:${await listening(silent)}/`)).toBe(
      'The connection was closed before an answer came',
    )
    expect(await reasonAt(base.replace('http:', 'https:'))).toMatch(/^No secure connection: /)
    expect(await reasonAt('http://127.0.0.1:1/')).toBe('The connection was refused')
  })
  it('reaches no private address, and outside the sandbox not this machine', async () => {
    asked.length = 0
    expect(await send('http://169.254.169.254/latest')).toMatchObject({ error: 'The address is not public' })
    const guarded = httpWebhooks({ loopback: false, timeoutMs: 400 })
    for (const url of [`${base}/ok`, base.replace('127.0.0.1', 'localhost'), base.replace('127.0.0.1', '[::1]')])
      expect(await guarded.send({ url, headers: {}, body: '' })).toMatchObject({ error: 'The address is not public' })
    await guarded.close()
    expect(asked).toEqual([])
  })
})
