// The catalogue of event types as answers carry it.
import { Type, type Static } from 'typebox'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { Closed, Nullable, Pages } from '#kernel/values/schema.ts'
import type { Catalogue } from './catalogue.ts'
import { PublicEvent } from './public-event.ts'

export const EventType = Type.Object(
  {
    type: Type.String({ examples: ['quote.paid'] }),
    resource: Type.String({ examples: ['quote'] }),
    scopes: Type.Array(Type.Enum(SCOPE_NAMES), {
      description: 'All of them are needed to see such events',
      examples: [['quotes']],
    }),
    description: Type.String({ examples: ['The payment of a quote has arrived; what it sells is set up next.'] }),
    schema: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema of `data`',
      examples: [{ type: 'object' }],
    }),
  },
  { description: 'A type of events' },
)

export const EventTypeFilters = Closed({
  ...Pages,
  resource: Type.Optional(Type.String({ maxLength: 100, description: 'Only types of this kind of record' })),
})
export type EventTypeFilters = Static<typeof EventTypeFilters>

/** With the schema of the whole event, which is one for all types of a resource. */
export const webhookTypes = ({ kinds }: Catalogue) =>
  kinds.map(({ type, resource, description, schema }) => ({
    type,
    tag: 'events',
    description,
    schema: Type.Object(
      {
        ...PublicEvent.properties,
        type: Type.Enum(kinds.flatMap((kind) => (kind.resource === resource ? kind.type : []))),
        resource: Type.String({ const: resource, examples: [resource] }),
        data: Nullable(schema),
      },
      {
        description:
          `Something that happened to ${/^[aeiou]/.test(resource) ? 'an' : 'a'} ` + resource.replaceAll('_', ' '),
      },
    ),
  }))
