// The routes of endpoints: of an organization, and the same below /admin for those of the vendor.
import { Type } from 'typebox'
import { type Access, vendor, org, orgAtLeast } from '#kernel/values/permissions.ts'
import { type Route, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { type Catalogue, publicType } from '#modules/messages/events/catalogue.ts'
import { changeEndpoint, deleteEndpoint, rotateSecret } from './change-endpoint.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { newKey } from './endpoint-keys.ts'
import { endpoints, type Owner } from './queries.ts'
import {
  EndpointChange,
  EndpointFilters,
  EndpointWithSecret,
  eventRules,
  NewEndpoint,
  Rotation,
  WebhookEndpoint,
} from './webhook-endpoint.ts'

export type Side = {
  path: string
  reads: Access
  changes: Access
  ownerOf: (context: { org: number }) => Owner
  /** In purposes: ` of the organization`. */
  whose: string
  typesOf: (catalogue: Catalogue) => string[]
}

const ORGANIZATIONS: Side = {
  path: '/webhook-endpoints',
  reads: org('organization'),
  changes: orgAtLeast('admin', 'organization'),
  ownerOf: ({ org: id }) => id,
  whose: 'of the organization',
  typesOf: ({ kinds }) => kinds.map(({ type }) => type),
}
// They get all events, so nobody sets one up, or reads what was sent, who may not read the feed.
const VENDORS: Side = {
  path: '/admin/webhook-endpoints',
  reads: vendor('settings', 'audit'),
  changes: vendor('settings', 'audit'),
  ownerOf: () => null,
  whose: 'of the vendor',
  typesOf: ({ published }) =>
    published.flatMap(({ table }) => Object.values<string>(table.events).map((stored) => publicType(stored))),
}

export const webhookEndpointRoutes = (catalogue: Catalogue): Route[] =>
  [ORGANIZATIONS, VENDORS].flatMap((side) => [
    ...endpointReads(side),
    ...endpointChanges(side, catalogue),
    ...deliveryRoutes(side, catalogue),
  ])

const endpointReads = ({ path, reads: access, ownerOf, whose }: Side): Route[] => [
  route({
    method: 'GET',
    path,
    access,
    purpose: `List the webhook endpoints ${whose}.`,
    description: 'Newest first, without secrets, paused and disabled ones too.',
    query: EndpointFilters,
    page: WebhookEndpoint,
    read: (context, { query }) => endpoints.page(ownerOf(context), query),
  }),
  route({
    method: 'GET',
    path: `${path}/{id}`,
    access,
    purpose: `Get a webhook endpoint ${whose}.`,
    description: 'Without its secret, which is returned only when it is created or rotated.',
    params: ById,
    data: WebhookEndpoint,
    read: (context, { params }) => endpoints.byId(ownerOf(context), params.id),
  }),
]

function endpointChanges({ path, changes: access, whose, typesOf }: Side, catalogue: Catalogue): Route[] {
  const rules = eventRules(typesOf(catalogue))
  return [
    route({
      method: 'POST',
      path,
      access,
      purpose: `Create a webhook endpoint ${whose}.`,
      description:
        'It gets the events that happen from now on. `secret` is returned only here. 403 for types whose ' +
        'scope the caller does not hold; 409 when there are 20.',
      body: NewEndpoint,
      rules,
      openapi: {
        example: {
          url: 'https://erp.acme.example/webhooks/titular',
          events: ['quote.paid', 'invoice.paid'],
          description: 'ERP',
        },
      },
      data: EndpointWithSecret,
      status: 201,
      fails: ['limit_reached'],
      features: { secret: true },
      before: async (io, { body }) => newKey(io.ports.secretKey, body.signature ?? 'v1'),
      run: async (ctx, { body }, key) => ({
        data: await createEndpoint(ctx, body, { catalogue, key }),
        message: 'Webhook endpoint created; keep the secret, it is not shown again',
      }),
    }),
    route({
      method: 'PATCH',
      path: `${path}/{id}`,
      access,
      purpose: `Update a webhook endpoint ${whose}.`,
      description:
        'Only the given fields change. `paused`: events wait until it is `active` again. `active` after ' +
        '`disabled`: it gets what happens from now on; redeliver what it missed. With a new `url`, other ' +
        '`events` or the end of `disabled` or `paused` the scopes of the caller count from then on.',
      params: ById,
      body: EndpointChange,
      rules,
      openapi: { example: { description: 'Data warehouse', events: ['quote.paid'] } },
      data: WebhookEndpoint,
      fails: ['status_not_allowed'],
      run: async (ctx, { params, body }) => ({
        data: await changeEndpoint(ctx, params.id, { body, catalogue }),
        message: 'Webhook endpoint updated',
      }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/{id}`,
      access,
      purpose: `Delete a webhook endpoint ${whose}.`,
      description: 'What waits for it is not sent.',
      params: ById,
      data: Type.Null(),
      run: async (ctx, { params }) => {
        await deleteEndpoint(ctx, params.id)
        return { data: null, message: 'Webhook endpoint deleted' }
      },
    }),
    route({
      method: 'POST',
      path: `${path}/{id}/rotate-secret`,
      access,
      purpose: `Rotate the secret of a webhook endpoint ${whose}.`,
      description:
        'For `overlap_hours` (24 unless given) deliveries are signed with both. `secret` is returned only ' +
        'here; of `v1a`, `public_key` changes.',
      params: ById,
      body: Rotation,
      openapi: { example: { overlap_hours: 24 } },
      data: EndpointWithSecret,
      features: { secret: true },
      before: async (io) => io.ports.secretKey,
      run: async (ctx, { params, body }, secretKey) => ({
        data: await rotateSecret(ctx, params.id, {
          body,
          catalogue,
          newKeyFor: (signature) => newKey(secretKey, signature),
        }),
        message: 'Secret rotated; keep the new one, it is not shown again',
      }),
    }),
  ]
}
