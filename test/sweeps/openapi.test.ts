// The OpenAPI document is complete for every route and small enough to read. `npm run lint:openapi` lints it too.
import { describe, expect, it } from 'vitest'
import { Compile } from 'typebox/compile'
import { AREAS, routes } from '../../src/modules.ts'
import { ERRORS } from '#kernel/values/errors.ts'
import { isRepeatable } from '#http/features/idempotency-key.ts'
import { failuresOf } from '#http/openapi/document.ts'
import { pascal } from '#http/openapi/operation-id.ts'
import type { Route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'

type Reference = { $ref?: string }
type Media = Record<string, { schema: Reference & { properties?: Record<string, Reference> }; example?: unknown }>
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Media; required: boolean }
  responses: Record<string, Reference & { description?: string; content?: Media; headers?: Record<string, Reference> }>
}
type Document = {
  openapi: string
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    responses: Record<string, { headers: Record<string, Reference> }>
    headers: Record<string, { description: string }>
    securitySchemes: Record<string, object>
  }
}

const app = await appOfFile()
const response = await app.service.app.inject({ url: '/openapi.json' })
const text: string = response.body
const document: Document = JSON.parse(text) as Document

const operationOf = ({ method, path }: Route): Operation | undefined => document.paths[path]?.[method.toLowerCase()]
const name = ({ method, path }: Route): string => `${method} ${path}`

/** Links that are given to people without an account: whoever has one may follow it. */
const SHARED = [
  'GET /shares/documents/{token}',
  'GET /public/contacts/{token}',
  'GET /public/invoices/{token}',
  'GET /public/invoices/{token}/pdf',
  'GET /public/notices/{token}',
  'POST /public/contacts/{token}/confirm',
  'PUT /public/notices/{token}',
  'GET /public/quotes/{token}',
  'GET /public/quotes/{token}/pdf',
  'POST /public/quotes/{token}/accept',
  'POST /public/quotes/{token}/preview',
  'POST /public/quotes/{token}/reject',
]

describe('/openapi.json', () => {
  it('has every route, relative to the server’s URL, and nothing else', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers.map(({ url }) => url)).toEqual(['/api/v1'])
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.toSorted()).toEqual(routes.map(name).toSorted())
  })
  it('has paths of lower-case words with hyphens', () => {
    expect(Object.keys(document.paths).filter((path) => !/^(\/([a-z]+(-[a-z]+)*|\{[a-z_]+\}))+$/.test(path))).toEqual(
      [],
    )
  })
  it('has every type of events as a webhook, with one component for each resource', () => {
    const webhooks = AREAS.flatMap((area) => area.webhooks)
    expect(webhooks.length).toBeGreaterThan(100)
    expect(Object.keys(document.webhooks)).toEqual(webhooks.map(({ type }) => type))
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { $ref = '' } = post?.requestBody?.content['application/json']?.schema ?? {}
      expect($ref, type).toBe(`#/components/schemas/${pascal(type.split('.')[0] ?? '')}Event`)
      expect(JSON.stringify(document.components.schemas[$ref.replace('#/components/schemas/', '')]), type).toMatch(
        /"data":\{"anyOf":\[\{"\$ref"/,
      )
    }
  })
  it('200 with the same document below the API’s path, without credentials', async () => {
    const below = await app.service.app.inject({ url: '/api/v1/openapi.json' })
    expect([below.statusCode, below.body]).toEqual([200, text])
  })
  it('names each operation by what it does', () => {
    const called = new Map(routes.map((route) => [name(route), operationOf(route)?.operationId]))
    for (const [route, id] of [
      ['GET /quotes', 'listQuotes'],
      ['GET /quotes/{id}', 'getQuote'],
      ['POST /quotes', 'createQuote'],
      ['POST /quotes/{id}/accept', 'acceptQuote'],
      ['POST /licenses/{id}/rotate-key', 'rotateLicenseKey'],
      ['GET /invoices/order/{order_id}', 'listOrderInvoices'],
      ['GET /contracts/{id}/pdf', 'downloadContractPdf'],
      ['GET /admin/tickets', 'adminListTickets'],
      ['POST /webhooks/payment/{company}', 'receivePaymentWebhook'],
    ])
      expect(called.get(route ?? '')).toBe(id)
    for (const [route, id] of called) {
      expect(id, route).toMatch(/^[a-z]+([A-Z][a-z]*)*$/)
      // A name that repeats the whole path, or that is too short.
      expect(id, route).not.toMatch(/^(get|post|put|patch)[A-Z]\w*By(Id|[A-Z]\w*id)|\d$|^post/)
    }
  })
  it('has purpose, access and tag of each operation', () => {
    for (const route of routes) {
      const operation = operationOf(route)
      expect(operation?.summary, name(route)).toBe(route.purpose)
      expect(route.purpose, name(route)).toMatch(/^[A-Z].*\.$/)
      expect(operation?.description.length, name(route)).toBeGreaterThan(10)
      expect(operation?.tags, name(route)).toEqual([route.openapi.tag])
      expect(
        document.tags.find((tag) => tag.name === route.openapi.tag)?.description,
        `tag ${route.openapi.tag}`,
      ).toBeTruthy()
    }
    expect(new Set(routes.map((route) => operationOf(route)?.operationId)).size).toBe(routes.length)
  })
  it('declares the credentials and the organization’s header', () => {
    for (const route of routes) {
      const { kind } = route.access
      const operation = operationOf(route)
      const schemes = (operation?.security ?? [{ none: [] }]).flatMap((one) => Object.keys(one))
      const isOpen = kind === 'open' || kind === 'signed'
      const isInside = kind === 'organization' || kind === 'staff'
      expect(schemes.includes('bearer'), name(route)).toBe(!isOpen)
      expect(schemes.includes('basic'), name(route)).toBe(isInside)
      const header = operation?.parameters?.find((one) => one.name === 'X-Service-Organization')
      expect(header !== undefined, name(route)).toBe(isInside)
    }
  })
  it('asks for no secret in a URL, but for links that are one', () => {
    const { securitySchemes } = document.components
    const inQuery = Object.keys(securitySchemes).filter((scheme) =>
      JSON.stringify(securitySchemes[scheme]).includes('"query"'),
    )
    expect(inQuery).toEqual(['apiKey', 'apiSecret'])
    expect(securitySchemes['basic']).toMatchObject({ type: 'http', scheme: 'basic' })
    for (const route of routes) {
      const { security = [], parameters = [] } = operationOf(route) ?? {}
      expect(security.flatMap((one) => Object.keys(one)).filter((scheme) => inQuery.includes(scheme))).toEqual([])
      const secret = parameters.filter((one) => one.in !== 'header' && /secret|password|token|nonce/i.test(one.name))
      expect(secret.length > 0, name(route)).toBe(SHARED.includes(name(route)))
    }
  })
  it('describes the headers of every answer and failure', () => {
    const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
    for (const route of routes) {
      const headers = described(operationOf(route)?.responses[route.status]?.headers)
      expect(headers, name(route)).toEqual(expect.arrayContaining(always))
      expect(headers.includes('Idempotent-Replayed'), name(route)).toBe(isRepeatable(route))
      expect(headers.includes('Content-Disposition'), name(route)).toBe(route.features.file !== undefined)
    }
    for (const [called, { headers }] of Object.entries(document.components.responses)) {
      expect(described(headers)).toEqual(expect.arrayContaining(always))
      expect('Retry-After' in headers, called).toBe(called === 'RateLimit' || called === 'ServiceUnavailable')
    }
  })
  it('declares every failure with one of the shared components', () => {
    for (const route of routes) {
      const responses = operationOf(route)?.responses ?? {}
      const failures = Object.entries(responses).filter(([status]) => status >= '400')
      const wanted = new Set(failuresOf(route).map((code) => String(ERRORS[code].status)))
      expect(new Set(failures.map(([status]) => status)), name(route)).toEqual(wanted)
      for (const [, { $ref }] of failures) expect($ref).toMatch(/^#\/components\/responses\/\w+$/)
    }
  })
  it('has an example for every body, which the route accepts', () => {
    const problems: string[] = []
    for (const route of routes) {
      if (!route.body) continue
      const media =
        operationOf(route)?.requestBody?.content[route.features.upload ? 'multipart/form-data' : 'application/json']
      if (media?.example === undefined) problems.push(`${name(route)} has no example`)
      else if (!Compile(route.body).Check(route.features.upload ? route.openapi.example : media.example))
        problems.push(`${name(route)} refuses its own example`)
    }
    expect(problems, problems.join('\n')).toEqual([])
  })
  it('has an example of every answer', () => {
    for (const route of routes) {
      const content = operationOf(route)?.responses[route.status]?.content
      for (const type of route.features.file?.produces ?? [])
        expect(content?.[type]?.schema, name(route)).toMatchObject({ format: 'binary' })
      if (route.features.file) continue
      const example = content?.['application/json']?.example
      expect(example, name(route)).toMatchObject({ success: true })
    }
  })
  it('has a component for each record instead of repetitions', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Entitlement', 'Failure', 'PageMeta']),
    )
    // Each object and each enumeration is written once, as a component.
    const shapes = new Map<string, string>()
    for (const [called, schema] of Object.entries(document.components.schemas)) {
      expect(called).toMatch(/^[A-Z][A-Za-z]*$/)
      expect(shapes.get(JSON.stringify(schema)), called).toBeUndefined()
      shapes.set(JSON.stringify(schema), called)
      expect(unnamed(Object.values(schema)), called).toEqual([])
    }
    for (const route of routes) {
      const { parameters = [], requestBody } = operationOf(route) ?? {}
      expect(unnamed([parameters, requestBody?.content]), name(route)).toEqual([])
    }
    const references = [...text.matchAll(/"#\/components\/(schemas|responses)\/([^"]+)"/g)]
    for (const [, kind, of] of references)
      expect(kind === 'schemas' ? document.components.schemas : document.components.responses).toHaveProperty(of ?? '')
    // With all failures written out, an operation would have over 25 KB.
    expect(text.length / routes.length).toBeLessThan(12_000)
  })
})

const described = (headers: Record<string, Reference> = {}) => {
  for (const { $ref = '' } of Object.values(headers))
    expect(document.components.headers[$ref.replace('#/components/headers/', '')]?.description, $ref).toBeTruthy()
  return Object.keys(headers)
}

/** Objects and enumerations that are written out instead of referring to a component. */
function unnamed(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(unnamed)
  if (typeof value !== 'object' || value === null) return []
  const {
    type,
    properties,
    enum: values,
    examples: _examples,
    example: _example,
    ...rest
  } = value as Record<string, unknown>
  const isEnumeration = Array.isArray(values) && values.filter((one) => typeof one === 'string').length > 1
  const isRecord = type === 'object' && properties !== undefined
  const inside = [...Object.values(rest), ...Object.values(properties ?? {})].flatMap(unnamed)
  return isEnumeration || isRecord ? [JSON.stringify(value).slice(0, 200), ...inside] : inside
}

describe('/docs', () => {
  it('200 with a page that loads nothing from other hosts', async () => {
    const page = await app.service.app.inject({ url: '/docs/' })
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toMatch(/(src|href)="https?:/)
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  })
})
