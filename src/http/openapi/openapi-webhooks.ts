// The webhooks of the OpenAPI document: one for each type of events, with the component of its resource's events.
import type { WebhookType } from '#http/manifest/area.ts'
import { pascal } from './operation-id.ts'
import { isObject, type Json, type JsonObject, objectAt } from '#kernel/values/json.ts'
import { bodyOf } from './openapi-json.ts'
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
            description,
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

/** The feed gives the same events: each is one of the components of the webhooks, by its type. */
export function tiedFeed({ EventFeed: feed }: JsonObject, webhooks: JsonObject): JsonObject {
  if (!isObject(feed)) return {}
  const bodies = Object.values(webhooks).map((one) => JSON.stringify(bodyOf(objectAt(one, 'post'))))
  const anyOf = [...new Set(bodies)].map((one): Json => JSON.parse(one))
  const properties = objectAt(feed, 'properties')
  const events = { ...objectAt(properties, 'events'), items: { anyOf } }
  return { EventFeed: { ...feed, properties: { ...properties, events } } }
}
