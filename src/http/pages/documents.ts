// OpenAPI 3.1, generated from the routes, at /openapi.json, and the reference page at /docs.
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import FIXED from '#http/openapi/fixed.json' with { type: 'json' }
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { SCOPES } from '#kernel/values/permissions.ts'
import { STAFF_ROLES, STAFF_SCOPE_NAMES } from '#kernel/values/staff-roles.ts'
import type { JsonObject } from '#kernel/values/json.ts'
import { type DocumentOptions, pleasant } from '#http/openapi/openapi.ts'
import type { Area } from '#http/manifest/area.ts'
import type { Route } from '#http/route.ts'
import { partOf } from '#http/openapi/openapi-parts.ts'
import { reference } from '#http/openapi/reference.ts'
import { tagAnswer } from '#http/features/entity-tag.ts'
import { zipAnswers } from './zip-answer.ts'

const INTRODUCTION = readFileSync(new URL('../openapi/introduction.md', import.meta.url), 'utf8')

const ROLES = Object.entries(STAFF_ROLES).map(([role, { reads, writes }]) => {
  const [seen, changed] = [reads, writes].map((all) => (all === STAFF_SCOPE_NAMES ? 'everything' : all.join(', ')))
  return `| ${role} | ${seen} | ${changed} |`
})
const GOVERNED = Object.entries(SCOPES).map(([scope, { governs }]) => `| ${scope} | ${governs} |`)

/** By which operations say who may. */
const WHO_MAY = `
| Scope of a member | For |
| --- | --- |
${GOVERNED.join('\n')}

The vendor's staff need a permission instead: \`quotes:read\`, and for changes \`quotes:write\`, which reads too.

| Role of staff | Reads | Changes and reads |
| --- | --- | --- |
${ROLES.join('\n')}
`

type DocumentsOptions = {
  basePath: string
  brand: string
  areas: readonly Area<unknown>[]
  reasons: DocumentOptions['reasons']
}

export async function documents(
  app: FastifyInstance,
  { basePath, brand, areas, reasons }: DocumentsOptions,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Titular',
        version: '1.0.0',
        summary: 'Multi-tenant B2B account management',
        description: INTRODUCTION + WHO_MAY,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The plugin wants the values of `in` as constants, which those of a JSON module are not.
      components: { securitySchemes: JSON.parse(JSON.stringify(FIXED.securitySchemes)) },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `def-${index}`),
    },
  })
  const tags = areas.map(({ name, description }) => ({ name, description }))
  const described = { tags, webhooks: areas.flatMap((area) => area.webhooks), reasons }
  const document = onFirstUse(() => plain(pleasant(JSON.parse(JSON.stringify(app.swagger())), basePath, described)))
  const hooks = { schema: { hide: true }, onSend: [tagAnswer, zipAnswers()] }
  for (const audience of [null, 'portal', 'vendor'] as const) {
    const name = audience === null ? '/openapi.json' : `/openapi-${audience}.json`
    const text = onFirstUse(() => JSON.stringify(audience === null ? document() : partOf(document(), audience)))
    for (const url of [name, basePath + name])
      app.get(url, hooks, (_request, reply) =>
        reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }).send(text()),
      )
  }
  const operations = areas.flatMap(({ routes }) => routes).map(operationOf)
  reference(
    app,
    brand,
    tags.map((tag) => ({ ...tag, operations: operations.filter((one) => one.tag === tag.name) })),
  )
}

const operationOf = ({ method, path, purpose, openapi }: Route) => ({
  method,
  path,
  summary: purpose,
  tag: openapi.tag,
})

/** As plain JSON: the plugin's document is loosely typed and has undefined members. */
const plain = (document: object): JsonObject => JSON.parse(JSON.stringify(document, withoutLimit))

/** That an integer is no larger than JSON can carry says nothing to a reader. */
const withoutLimit = (key: string, value: unknown): unknown =>
  key === 'maximum' && value === Number.MAX_SAFE_INTEGER ? undefined : value
