// What pages of other origins may send and read (CORS).
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { routes } from '../../modules.ts'

const ORIGIN = 'https://portal.example'
const app = await appOfFile({ environment: { CORS_ORIGINS: ORIGIN } })

const preflight = (method: string, url: string, origin = ORIGIN) =>
  app.service.app.inject({
    method: 'OPTIONS',
    url: `/api/v1${url.replaceAll(/\{\w+\}/g, '1')}`,
    headers: { origin, 'access-control-request-method': method },
  })

const namesIn = (header: unknown): string[] =>
  String(header)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

type Parameter = { in: string; name: string }
type Parameters = { parameters?: Parameter[] }
type Described = {
  paths: Record<string, Record<string, Parameters>>
  components: { responses: object; parameters: Record<string, Parameter> }
}

describe('CORS', () => {
  it('204 to the preflight of each route, with its method', async () => {
    for (const { method, path } of routes) {
      const { statusCode, headers } = await preflight(method, path)
      expect([path, statusCode, headers['access-control-allow-origin']]).toEqual([path, 204, ORIGIN])
      expect(namesIn(headers['access-control-allow-methods']), path).toContain(method.toLowerCase())
    }
  })
  it('takes each header that the document names, and shows each that the answers have', async () => {
    const document = (await app.service.app.inject('/openapi.json')).json<Described>()
    const taken = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations).flatMap(({ parameters = [] }) => parameters))
      .concat(Object.values(document.components.parameters))
      .flatMap((parameter) => (parameter.in === 'header' ? [parameter.name.toLowerCase()] : []))
    const { headers } = await preflight('PUT', '/auth/me')
    expect(taken).toContain('if-match')
    expect(new Set(namesIn(headers['access-control-allow-headers']))).toEqual(
      new Set([...taken, 'authorization', 'content-type', 'x-request-id', 'x-service-nonce']),
    )
    const answered = JSON.stringify(document).matchAll(/"([\w-]+)":\{"\$ref":"#\/components\/headers\//g)
    const shown = new Set([...answered].map(([, name = '']) => name.toLowerCase()))
    const read = await app.service.app.inject({ url: '/api/v1/auth/me', headers: { origin: ORIGIN } })
    expect(shown).toContain('etag')
    expect(new Set(namesIn(read.headers['access-control-expose-headers']))).toEqual(
      // Those of routes that are to go too, of which there may be none.
      new Set([...shown, 'deprecation', 'link', 'sunset']),
    )
  })
  it('names no origin to the preflight of another one', async () => {
    const { headers } = await preflight('PUT', '/auth/me', 'https://evil.example')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})
