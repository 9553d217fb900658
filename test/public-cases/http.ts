import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { PublicCase } from './public-case.ts'

const PORTAL = 'https://portal.example'

async function withPortal(check: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startApp({ listens: true, environment: { CORS_ORIGINS: PORTAL } })
  try {
    await check(app)
  } finally {
    await app.close()
  }
}

/** Sends the bytes as they are and reads what comes back until the connection closes. */
async function sent(app: TestApp, bytes: string): Promise<{ status: number; headers: Map<string, string> }> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  const [first = '', ...lines] = (await text(socket)).split('\r\n\r\n', 1).join('').split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ')
    return [name.toLowerCase(), value.join(': ')]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(headers) }
}

const listed = (value: string | undefined): string[] => (value ?? '').split(',').map((one) => one.trim())

/** The JSON that the commands of the case send, and how their path is called. */
const commandIn = (commands: string) => ({
  body: /\{[^}]*\}/.exec(commands)?.[0] ?? '',
  path: /\$API(\S+)/.exec(commands)?.[1] ?? '',
})

export const httpCases: PublicCase[] = [
  {
    name: 'cors-methods',
    expected: 'a preflight names the methods with which the API changes something',
    standard: 'Fetch standard, CORS-preflight fetch: PUT, PATCH and DELETE are not safelisted',
    check: (read) =>
      withPortal(async (app) => {
        const bytes = read.text('request.http').trim().replaceAll(/\r?\n/g, '\r\n')
        for (const method of ['PUT', 'PATCH', 'DELETE']) {
          const asked = bytes.replace('Request-Method: PUT', `Request-Method: ${method}`)
          const { status, headers } = await sent(app, `${asked}\r\n\r\n`)
          expect([status, headers.get('access-control-allow-origin')], method).toEqual([204, PORTAL])
          expect(listed(headers.get('access-control-allow-methods')), method).toContain(method)
          const allowed = headers.get('access-control-allow-headers')?.toLowerCase()
          const wanted = /Request-Headers: (.*)/.exec(bytes)?.[1]
          expect(listed(allowed), method).toEqual(expect.arrayContaining(listed(wanted)))
        }
      }),
  },
  {
    name: 'gzip-body',
    expected: '415 that names the content coding and the one that is taken, whether or not the body is coded',
    standard: 'RFC 9110, 8.4 and 15.5.16',
    check: (read) =>
      withPortal(async ({ world }) => {
        const { owner } = await world.organization()
        const { body, path } = commandIn(read.text('request.txt'))
        for (const bytes of [gzipSync(body), body]) {
          const answer = await owner.put(path, bytes, { 'content-encoding': 'gzip' })
          expect(answer.status).toBe(415)
          expect(answer.message).toContain('content coding')
          expect(answer.headers['accept-encoding']).toBe('identity')
        }
        expect((await owner.put(path, body, { 'content-encoding': 'identity' })).status).toBe(200)
      }),
  },
  {
    name: 'options',
    expected: 'OPTIONS of a path without Origin is answered in the envelope, with what the path allows',
    standard: 'RFC 9110, 9.3.7',
    check: (read) =>
      withPortal(async ({ service }) => {
        const url = /http:\/\/\S+?(\/\S*)/.exec(read.text('request.txt'))?.[1] ?? ''
        const answer = await service.app.inject({ method: 'OPTIONS', url })
        expect(answer.statusCode).toBe(405)
        expect(answer.json()).toMatchObject({ success: false, data: null, errors: { code: 'METHOD_NOT_ALLOWED' } })
        expect(listed(String(answer.headers['allow'])).toSorted()).toEqual(['GET', 'HEAD', 'POST'])
      }),
  },
]
