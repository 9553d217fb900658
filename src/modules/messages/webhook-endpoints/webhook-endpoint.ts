// The endpoint (docs/webhooks.md): where events are sent to, which ones, and what stops them.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { table } from '#kernel/data/table.ts'
import { AnyOf, Closed, Id, Line, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const STATUSES = ['active', 'paused', 'disabled'] as const
export const EndpointStatus = Type.Enum(STATUSES, {
  description: '`paused`: by its organization, events wait; `disabled`: by the service, events are not kept for it',
  examples: ['active'],
})

export const webhookEndpointMoves = moves(STATUSES, {
  pause: { from: ['active'], to: 'paused' },
  disable: { from: ['active', 'paused'], to: 'disabled' },
  resume: { from: ['paused', 'disabled'], to: 'active', event: 'resumed' },
})

export const DISABLED_REASONS = ['gone', 'failing', 'not_a_member'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]
export const SIGNATURES = ['v1', 'v1a'] as const
export type Signature = (typeof SIGNATURES)[number]

/** Stands for every type, those of later versions too. */
export const ALL_EVENTS = '*'
export const MAX_ENDPOINTS = 20

const Url = Type.String({
  format: 'uri',
  maxLength: 255,
  description: '`https`, at a public address, on port 443 or one from 1024 on; without credentials and fragment',
  examples: ['https://erp.acme.example/webhooks/titular'],
})
const description = Nullable({ ...Line, examples: ['ERP'] })
const storedEvents = Type.Array(Type.String({ maxLength: 100 }), {
  description: 'Event types (`GET /event-types`), or `*` alone for all of them',
  examples: [['quote.paid', 'invoice.paid']],
})
const SignatureScheme = Type.Enum(SIGNATURES, {
  description: '`v1`: HMAC-SHA256 with a shared secret; `v1a`: Ed25519, verified with `public_key`',
  examples: ['v1'],
})

const shown = {
  id: Id,
  organization_id: Nullable(Type.Integer({ description: 'null: one of the vendor’s own', examples: [1] })),
  user_id: Nullable(
    Type.Integer({ description: 'Who set it up last; it gets no type whose scope they do not hold', examples: [7] }),
  ),
  url: Url,
  description,
  events: storedEvents,
  status: EndpointStatus,
  disabled_reason: Nullable(
    Type.Enum(DISABLED_REASONS, {
      description:
        '`gone`: it answered 410; `failing`: no success for days; `not_a_member`: who set it up has left ' +
        'the organization',
      examples: ['failing'],
    }),
  ),
  signature: SignatureScheme,
  public_key: Nullable(
    Type.String({
      description: 'Of `v1a`: verifies its deliveries',
      examples: ['whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
    }),
  ),
  previous_secret_until: Nullable({
    ...Timestamp,
    description: 'Until then deliveries are also signed with the secret before the last rotation',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** The columns of the table that answers show. */
export const StoredEndpoint = Type.Object(shown)
export type StoredEndpoint = Static<typeof StoredEndpoint>

/** How deliveries go, from its queue. */
export const Health = Type.Object({
  failing_since: Nullable({ ...Timestamp, description: 'The first failure since the last success' }),
  last_success_at: Nullable(Timestamp),
})
export const NO_DELIVERIES: Static<typeof Health> = { failing_since: null, last_success_at: null }

export const WebhookEndpoint = Type.Object(
  { ...shown, ...Health.properties },
  { description: 'An address to which events are sent' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const secret = Nullable(
  Type.String({
    description: 'Of `v1`: verifies its deliveries. Returned only here',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
)
export const EndpointWithSecret = Type.Object(
  { ...WebhookEndpoint.properties, secret },
  { description: 'An endpoint with its new secret' },
)
export type EndpointWithSecret = Static<typeof EndpointWithSecret>

export const EndpointFilters = Closed({ ...Paging, status: AnyOf(EndpointStatus) })
export type EndpointFilters = Static<typeof EndpointFilters>

const events = Type.Array(Type.String({ pattern: '^(\\*|[a-z_]+\\.[a-z_]+)$', maxLength: 100 }), {
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
  description: 'Event types (`GET /event-types`), or `*` alone for all of them',
  examples: [['quote.paid', 'invoice.paid']],
})

export const NewEndpoint = Closed({
  url: Url,
  description: Type.Optional(description),
  events,
  signature: Type.Optional({ ...SignatureScheme, default: 'v1' }),
})
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChange = Closed({
  url: Type.Optional(Url),
  description: Type.Optional(description),
  events: Type.Optional(events),
  status: Type.Optional(
    Type.Enum(['active', 'paused'], { description: '`active` also ends `disabled`', examples: ['paused'] }),
  ),
})
export type EndpointChange = Static<typeof EndpointChange>

/** For both bodies. Only the vendor has types beyond the catalogue, such as those of drafts. */
export function eventRules(types: readonly string[]) {
  const known = new Set([ALL_EVENTS, ...types])
  return ({ events: chosen = [] }: { events?: readonly string[] }): Record<string, string> => {
    if (chosen.includes(ALL_EVENTS) && chosen.length > 1) return { events: `must be ${ALL_EVENTS} alone, or types` }
    const unknown = chosen.flatMap((type, index) => (known.has(type) ? [] : [index]))
    return Object.fromEntries(unknown.map((index) => [`events.${index}`, 'must be a type of GET /event-types']))
  }
}

export const Rotation = Closed({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'So long deliveries are also signed with the old secret; 0 when it is no longer safe',
      examples: [24],
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

const NONCES = ['secret_nonce', 'previous_secret_nonce'] as const
export const webhookEndpointsTable = table('webhook_endpoints', 'webhook_endpoint', StoredEndpoint, {
  moves: webhookEndpointMoves,
  events: ['secret_rotated'],
  masked: NONCES,
  extra: [...NONCES, 'deleted_at'],
  times: ['deleted_at'],
})
