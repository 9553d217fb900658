// OpenAPI 3.1, generated from the routes, at /openapi.json, and the reference page at /docs.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import FIXED from '#http/openapi/fixed.json' with { type: 'json' }
import { SCOPES } from '#kernel/values/permissions.ts'
import { STAFF_ROLES, STAFF_SCOPE_NAMES } from '#kernel/values/staff-roles.ts'
import type { JsonObject } from '#http/openapi/openapi-json.ts'
import { type DocumentOptions, pleasant } from '#http/openapi/openapi.ts'
import { reference } from '#http/openapi/reference.ts'

const DESCRIPTION = `
The account back end of a company that sells software, hosting, services and training to other companies. Organizations
are its customers; everything sold to them belongs to an **entitlement**, from quote line to license.

**Authentication.** \`POST /auth/login\` gives an access token: send it as \`Authorization: Bearer …\`. Browsers may use
a session (cookie and nonce), other systems an API key as HTTP Basic, or a token that it was exchanged for at
\`/oauth/token\` (OAuth 2.0 client credentials, outside of the base path).

**The organization.** Endpoints that work inside an organization need its id in \`X-Service-Organization\`; an API key
of an organization names its own. What you may do there follows from your role and scopes in it; each endpoint says what
it asks for.

**Answers** are envelopes: \`success\`, \`data\`, \`meta\` (of lists), \`message\`, \`errors\`. Lists take \`page\` and
\`per_page\`, or \`cursor\`. Unknown fields are refused with 422. A change with an \`Idempotency-Key\` can be repeated
safely for 24 hours.
`.trimStart()

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

The vendor's staff need a permission instead, such as \`quotes:read\`, and for changes \`quotes:write\`, which reads too.

| Role of staff | Reads | Changes and reads |
| --- | --- | --- |
${ROLES.join('\n')}
`

/** `tags`: the areas, in their order. */
export async function documents(app: FastifyInstance, basePath: string, described: DocumentOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Titular',
        version: '1.0.0',
        summary: 'Multi-tenant B2B account management',
        description: DESCRIPTION + WHO_MAY,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The plugin wants the values of `in` as constants, which those of a JSON module are not.
      components: { securitySchemes: JSON.parse(JSON.stringify(FIXED.securitySchemes)) },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `def-${index}`),
    },
  })
  let document: string | undefined
  for (const url of ['/openapi.json', `${basePath}/openapi.json`])
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      document ??= JSON.stringify(pleasant(generated(app), basePath, described))
      return reply.type('application/json; charset=utf-8').send(document)
    })
  reference(app)
}

/** The document as plain JSON: the plugin's own is loosely typed and has undefined members. */
function generated(app: FastifyInstance): JsonObject {
  const document: JsonObject = JSON.parse(JSON.stringify(app.swagger()))
  return document
}
