// The two ways to change an endpoint. One of an organization is a tenant row like others; the vendor's own belong to no
// organization, so they have no event, and their audit entries are in the service's log.
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { insert, move, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict } from '#kernel/values/errors.ts'
import { type EndpointRow, endpoints, type Owner } from './queries.ts'
import { webhookEndpointMoves, type StoredEndpoint, webhookEndpointsTable } from './webhook-endpoint.ts'

type Context = OrganizationContext | SystemContext
type Columns = Omit<EndpointRow, 'id' | 'organization_id' | 'created_at' | 'updated_at'> & { deleted_at: string }
export type EndpointValues = { [Column in keyof Columns]?: Columns[Column] | undefined }
type Act = 'updated' | 'secret_rotated' | 'deleted'

export type EndpointWriter = {
  readonly owner: Owner
  insert(values: EndpointValues): Promise<StoredEndpoint>
  update(id: number, values: EndpointValues, act?: Act): Promise<StoredEndpoint>
  /** 409 when the status does not allow it. */
  move(endpoint: EndpointRow, act: keyof typeof webhookEndpointMoves, values: EndpointValues): Promise<StoredEndpoint>
}

export const ownerOf = (ctx: Context): Owner => ('organizationId' in ctx ? ctx.organizationId : null)

export const writerOf = (ctx: Context): EndpointWriter =>
  'organizationId' in ctx ? organizationWriter(ctx) : vendorWriter(ctx)

const organizationWriter = (ctx: OrganizationContext): EndpointWriter => ({
  owner: ctx.organizationId,
  insert: (values) => insert(ctx, webhookEndpointsTable, values),
  update: (id, values, act = 'updated') =>
    update(ctx, webhookEndpointsTable, id, values, webhookEndpointsTable.events[act]),
  move: ({ id }, act, values) => move(ctx, webhookEndpointsTable, id, webhookEndpointMoves[act], values),
})

const vendorWriter = (ctx: SystemContext): EndpointWriter => {
  const note = (action: string, id: number, values: object) => {
    const details = Object.fromEntries(Object.entries(values).filter(([column]) => !isMasked(column)))
    return ctx.ask(serviceEntry(ctx, action, { resource: webhookEndpointsTable.resource, id, details }))
  }
  const change = async (id: number, values: object, action: string) => {
    await note(action, id, values)
    return one(ctx, endpoints.changeVendors(id, values, ctx.now))
  }
  return {
    owner: null,
    async insert(values) {
      const endpoint = await one(ctx, endpoints.addVendors(values, ctx.now))
      await note('created', endpoint.id, values)
      return endpoint
    },
    update: (id, values, act = 'updated') => change(id, values, act),
    async move({ id, status }, act, values) {
      const { to, event } = webhookEndpointMoves[act]
      if (!allows(webhookEndpointMoves[act], status))
        throw conflict('status_not_allowed', `A webhook endpoint that is ${status} cannot become ${to}`)
      return change(id, { ...values, status: to }, event)
    },
  }
}

const isMasked = (column: string): boolean => webhookEndpointsTable.masked.includes(column)
