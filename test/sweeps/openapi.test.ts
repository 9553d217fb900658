// The OpenAPI document is complete for every route and small enough to read. `npm run lint:openapi` lints it too.
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AREAS, routes } from '../../src/modules.ts'
import { PageEnvelope, SuccessEnvelope } from '#http/envelope.ts'
import { ERRORS } from '#kernel/values/errors.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import { isRepeatable } from '#http/features/idempotency-key.ts'
import { failuresOf } from '#http/openapi/document.ts'
import { type JsonObject, textAt } from '#kernel/values/json.ts'
import { pascal } from '#http/openapi/operation-id.ts'
import type { Route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'
import { fits, operationsOf } from '#test/harness/examples.ts'

type Reference = { $ref?: string }
type Media = Record<string, { schema: Reference & { properties?: Record<string, Reference> }; example?: unknown }>
type Parameter = Reference & { name: string; in: string; required?: boolean }
type Answer = Reference & { description?: string; content?: Media; headers?: Record<string, Reference> }
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** Where it is other than that of the document. */
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Media; required: boolean }
  responses: Record<string, Answer>
}
type Document = {
  openapi: string
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object & { examples?: unknown[]; allOf?: unknown[] }>
    parameters: Record<string, Parameter>
    responses: Record<string, Answer>
    headers: Record<string, { description: string }>
    securitySchemes: Record<string, object>
  }
}

const app = await appOfFile()
const response = await app.service.app.inject({ url: '/openapi.json' })
const text: string = response.body
const document: Document = JSON.parse(text) as Document

/** With the parameters and answers that it shares with others. */
function operationOf({ method, path }: Route): Operation | undefined {
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) return undefined
  const { parameters = [], responses } = operation
  const { parameters: parameterOf, responses: responseOf } = document.components
  return {
    ...operation,
    parameters: parameters.map((one) => parameterOf[nameIn(one)] ?? one),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [
        status,
        status < '400' ? (responseOf[nameIn(one)] ?? one) : one,
      ]),
    ),
  }
}
const nameIn = ({ $ref = '' }: Reference): string => $ref.split('/').at(-1) ?? ''
const name = ({ method, path }: Route): string => `${method} ${path}`

/** Links that are given to people without an account: whoever has one may follow it. */
const SHARED = [
  'GET /files/{token}',
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
        /"data":\{("description":"[^"]+",)?"anyOf":\[\{"\$ref"/,
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
      expect(route.description, `${name(route)} says what it does, not only who may`).toMatch(/^[A-Z0-9`].{10}/)
      expect(operation?.description, name(route)).toContain(route.description)
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
      const schemes = (operation?.security ?? document.security).flatMap((one) => Object.keys(one))
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
      const { security = document.security, parameters = [] } = operationOf(route) ?? {}
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
      expect(headers.includes('Content-Disposition'), name(route)).toBe(!!(route.features.file ?? route.features.forms))
    }
    for (const [called, { headers }] of Object.entries(document.components.responses)) {
      expect(described(headers)).toEqual(expect.arrayContaining(always))
      expect('Retry-After' in (headers ?? {}), called).toBe(called === 'RateLimit' || called === 'ServiceUnavailable')
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
  it('has the bytes of every file', () => {
    for (const route of routes) {
      const content = operationOf(route)?.responses[route.status]?.content
      for (const type of (route.features.file ?? route.features.forms)?.produces ?? [])
        expect(content?.[type]?.schema, name(route)).toMatchObject({ format: 'binary' })
    }
  })
  it('has what the demo answers as the example of every record', () => {
    const plain = JSON.parse(text) as JsonObject
    for (const { operation, component } of operationsOf(plain)) {
      const { examples: [example] = [], ...schema } = document.components.schemas[component.name] ?? {}
      const of = `${component.name} of ${textAt(operation, 'operationId')}: npm run examples`
      expect(example, of).toBeTypeOf('object')
      expect(fits(plain, schema as JsonObject, example as JsonObject), of).toBe(true)
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
      const { allOf = [], examples: _examples, ...own } = schema
      expect([...unnamed(Object.values(own)), ...unnamed(allOf, true)], called).toEqual([])
    }
    for (const route of routes) {
      const { parameters = [], requestBody } = operationOf(route) ?? {}
      expect(unnamed([parameters, requestBody?.content]), name(route)).toEqual([])
    }
    const components: Record<string, object> = document.components
    const references = [...text.matchAll(/"#\/components\/(schemas|parameters|responses)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(1000)
    for (const [, kind = '', of = ''] of references) expect(components[kind]).toHaveProperty(of)
  })
  it('writes parameters and answers of several operations once', () => {
    const counts = Map.groupBy(
      routes.flatMap((route) => {
        const { parameters = [], responses = {} } = document.paths[route.path]?.[route.method.toLowerCase()] ?? {}
        return [...parameters, ...Object.values(responses)].filter((one) => !('$ref' in one))
      }),
      (one) => JSON.stringify(one),
    )
    expect([...counts].flatMap(([shape, all]) => (all.length > 1 ? [shape] : []))).toEqual([])
  })
  it('says of nearly every field what it is', () => {
    const fields: [string, boolean][] = []
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      const { properties, examples: _examples, ...rest } = value as Record<string, unknown>
      for (const [field, schema] of Object.entries(properties ?? {})) {
        fields.push([`${path}.${field}`, 'description' in (schema as object)])
        look(schema, `${path}.${field}`)
      }
      for (const part of Object.values(rest)) look(part, path)
    }
    for (const [called, schema] of Object.entries(document.components.schemas)) look(schema, called)
    const without = fields.flatMap(([path, isSaid]) => (isSaid ? [] : [path]))
    expect(fields.length).toBeGreaterThan(3000)
    expect(without.length / fields.length, without.join()).toBeLessThan(0.1)
  })
  it('has envelopes and headers of its own as the code has them', () => {
    const { schemas, parameters } = document.components
    for (const [called, envelope] of [
      ['Success', SuccessEnvelope(Type.Null())],
      ['Page', PageEnvelope(Type.Null())],
    ] as const) {
      const { required, properties } = schemas[called] as { required: string[]; properties: object }
      expect([required, Object.keys(properties)], called).toEqual([envelope.required, Object.keys(envelope.properties)])
    }
    const { meta } = PageEnvelope(Type.Null()).properties
    const said = schemas['PageMeta'] as { required: string[]; properties: object }
    expect([said.required, Object.keys(said.properties)]).toEqual([meta.required, Object.keys(meta.properties)])
    expect(parameters['XServiceCompany']).toMatchObject({ schema: { $ref: '#/components/schemas/Company' } })
    expect(schemas['Company']).toMatchObject({ enum: [...COMPANIES] })
  })
  it('is small', () => {
    expect(text.length).toBeLessThan(1_900_000)
  })
})

const described = (headers: Record<string, Reference> = {}) => {
  for (const { $ref = '' } of Object.values(headers))
    expect(document.components.headers[$ref.replace('#/components/headers/', '')]?.description, $ref).toBeTruthy()
  return Object.keys(headers)
}

/** Objects and enumerations that are written out instead of referring to a component. */
function unnamed(value: unknown, isPart = false): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unnamed(one, isPart))
  if (typeof value !== 'object' || value === null) return []
  const {
    type,
    properties,
    enum: values,
    examples: _examples,
    example: _example,
    allOf,
    ...rest
  } = value as Record<string, unknown>
  const isEnumeration = Array.isArray(values) && values.filter((one) => typeof one === 'string').length > 1
  // A part of `allOf` is no record of its own.
  const isRecord = type === 'object' && properties !== undefined && !isPart
  const others = [...Object.values(rest), ...Object.values(properties ?? {})].flatMap((one) => unnamed(one))
  const inside = [...others, ...unnamed(allOf, true)]
  return isEnumeration || isRecord ? [JSON.stringify(value).slice(0, 200), ...inside] : inside
}

describe('the documents of an audience', () => {
  const parts = ['portal', 'vendor'].map(async (audience) => {
    const { body } = await app.service.app.inject({ url: `/openapi-${audience}.json` })
    return { audience, body, part: JSON.parse(body) as Document }
  })
  it('have each operation once, as the whole document has it', async () => {
    const found = (await Promise.all(parts)).flatMap(({ audience, part }) =>
      Object.entries(part.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ audience, path, method, operation })),
      ),
    )
    expect(found).toHaveLength(routes.length)
    for (const { audience, path, method, operation } of found) {
      expect(operation).toEqual(document.paths[path]?.[method])
      const { access } = routes.find((one) => one.path === path && one.method.toLowerCase() === method) ?? {}
      const isOfVendor = access?.kind === 'vendor' || access?.kind === 'staff' || access?.kind === 'signed'
      expect(audience, path).toBe(isOfVendor ? 'vendor' : 'portal')
    }
  })
  it('have what they refer to and nothing else, and the tags of their operations', async () => {
    for (const { audience, body, part } of await Promise.all(parts)) {
      const components: Record<string, object> = part.components
      const named = new Set([...body.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, one = '']) => one))
      const { securitySchemes: _schemes, ...kinds } = components
      const there = Object.entries(kinds).flatMap(([kind, all]) => Object.keys(all).map((one) => `${kind}/${one}`))
      expect(there.toSorted(), audience).toEqual([...named].toSorted())
      const tags = new Set(Object.values(part.paths).flatMap((item) => Object.values(item).flatMap((one) => one.tags)))
      for (const tag of tags) expect(part.tags.map((one) => one.name)).toContain(tag)
      expect(body.length).toBeLessThan(text.length)
    }
  })
})

const ask = (headers: Record<string, string>) => app.service.app.inject({ url: '/openapi.json', headers })

describe('a document', () => {
  it('is compressed for whoever takes gzip, and the same text', async () => {
    const zipped = await ask({ 'accept-encoding': 'br, gzip;q=0.8' })
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-cache' })
    expect(zipped.headers['vary']).toMatch(/Accept-Encoding/)
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(text)
    expect(zipped.rawPayload.length).toBeLessThan(text.length / 8)
  })
  it.each(['', 'identity', 'gzip;q=0', 'gzip;q=0.000', 'gzipped', 'x-gzip-not'])('is not for %j', async (accepted) => {
    const plain = await ask({ 'accept-encoding': accepted })
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, text])
  })
  it('304 for its tag, with gzip and without', async () => {
    const { etag } = (await ask({})).headers
    for (const encoding of ['gzip', 'identity']) {
      const again = await ask({ 'if-none-match': String(etag), 'accept-encoding': encoding })
      expect([again.statusCode, again.rawPayload.length, again.headers['content-encoding']]).toEqual([
        304,
        0,
        undefined,
      ])
      const other = await ask({ 'if-none-match': '"another"', 'accept-encoding': encoding })
      expect(other.statusCode).toBe(200)
    }
  })
})

describe('/docs', () => {
  it('is text before its script has run: each operation, in the language of the reader', async () => {
    const [english, portuguese] = await Promise.all(
      ['en', 'pt-BR'].map(async (language) => {
        const headers = { 'accept-language': language }
        return (await app.service.app.inject({ url: '/docs', headers })).body
      }),
    )
    expect(english).toMatch(/<html lang="en">[^]*<title>API reference · /)
    expect(portuguese).toMatch(/<html lang="pt-BR">[^]*<title>Referência da API · /)
    for (const route of routes) expect(english).toContain(`<code>${name(route)}</code> `)
    expect(english).toMatch(/<link rel="icon" href="data:image/)
  })
  it('has its script here', async () => {
    const page = await app.service.app.inject({ url: '/docs' })
    const [, address = ''] = /<script src="([^"]+)"/.exec(page.body) ?? []
    const script = await app.service.app.inject({ url: address, headers: { 'accept-encoding': 'gzip' } })
    expect(script.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringMatching(/javascript/),
    })
    expect(gunzipSync(script.rawPayload).toString()).toContain('createApiReference')
  })
  it('200 with a page that loads nothing from other hosts', async () => {
    const page = await app.service.app.inject({ url: '/docs/' })
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toMatch(/(src|href)="https?:/)
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  })
})
