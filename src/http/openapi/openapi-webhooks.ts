// The webhooks of the OpenAPI document: one for each type of events, with the component of its resource's events.
import type { WebhookType } from '#http/manifest/area.ts'
import { pascal } from './operation-id.ts'
import type { JsonObject } from '#kernel/values/json.ts'
import type { Names } from './openapi-names.ts'

export function webhooksOf(webhooks: readonly WebhookType[], names: Names): JsonObject {
  return Object.fromEntries(
    webhooks.map(({ type, tag, description, schema }) => {
      const [resource = ''] = type.split('.')
      // As plain JSON: a schema's own objects have more than it says.
      const component = names.give(JSON.parse(JSON.stringify(schema)), `${pascal(resource)}Event`)
      return [
        type,
        {
          post: {
            operationId: `on${pascal(type.replace('.', '_'))}`,
            // The reference lists webhooks by their summaries.
            summary: type,
            description: `${description} The event is as \`GET /events\` gives it, and as deliveries carry it.`,
            tags: [tag],
            // The signature of the body, not a credential.
            security: [],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } },
            },
            responses: {
              '2XX': { description: 'Received. Any other answer is a failure, and the event is sent again' },
            },
          },
        },
      ]
    }),
  )
}
