// PATCH of a record of which nothing else changes by a request: its external id and metadata, in any of its states.
import type { Static, TSchema } from 'typebox'
import type { OrganizationAccess } from '#kernel/values/permissions.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Table } from '#kernel/data/table.ts'
import { type Integration, INTEGRATION_EXAMPLE, IntegrationChange } from '#kernel/values/integration.ts'
import { ById } from '#kernel/values/schema.ts'
import { ownBody } from './organization-body.ts'
import { type Route, route, type Rules } from './route.ts'

type Definition<Row extends Integration, Data extends TSchema> = {
  path: string
  access: OrganizationAccess
  /** `an order` */
  record: string
  table: Table<Row>
  data: Data
  /** The record as its GET answers it, read within the change. */
  view: (ctx: OrganizationContext, id: number) => Promise<Static<Data>>
}

export function integrationRoute<Row extends Integration, Data extends TSchema>({
  path,
  access,
  record,
  table,
  data,
  view,
}: Definition<Row, Data>): Route {
  const { row: _row, ...change } = table
  return route({
    method: 'PATCH',
    path,
    access,
    purpose: `Update the external id and metadata of ${record}.`,
    description: 'In any of its states; nothing else of it changes by a request.',
    params: ById,
    body: IntegrationChange,
    openapi: { example: INTEGRATION_EXAMPLE },
    data,
    fails: ['external_id_taken'],
    run: async (ctx, { params, body }) => {
      await update<Integration, string>(ctx, change, params.id, ownBody(ctx, body))
      return { data: await view(ctx, params.id), message: 'Updated' }
    },
  })
}

/** For a PATCH of one field that takes these two as well: 422 without any of them. */
export const givenOrIntegration =
  (field: string): Rules<object> =>
  (_body, { isGiven }): Record<string, string> =>
    [field, 'external_id', 'metadata'].some(isGiven) ? {} : { [field]: 'is required, or external_id or metadata' }
