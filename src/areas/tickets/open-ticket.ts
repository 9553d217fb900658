// POST /tickets, POST /environments/{id}/tickets: customers for what they host, staff for everything.
import { type Fields, together } from '#kernel/http/problems.ts'
import type { Rules } from '#kernel/http/route.ts'
import { insert } from '#kernel/data/changes.ts'
import { allocateCodes } from '#kernel/data/codes.ts'
import { first, type OrganizationContext, type IoContext } from '#kernel/data/context.ts'
import { forbidden, invalid, notFound } from '#kernel/http/errors.ts'
import { changedBy } from '#kernel/data/history.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { promisesFor } from './ticket-clock.ts'
import { assertStaff, assertMembers } from './ticket-audience.ts'
import { type Subject, tickets } from './queries.ts'
import { type NewTicket, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'

export const allocateTicketNumber = async (io: IoContext): Promise<string> =>
  (await allocateCodes(io, 'SR', 1, 'year'))[0] ?? ''

export async function openTicket(ctx: OrganizationContext, body: NewTicket, number: string): Promise<Ticket> {
  const { entitlement_id: _e, environment_id: _n, service_id = null, watcher_ids = [], ...rest } = ownBody(ctx, body)
  const { caller } = ctx
  if (!caller.staff && service_id !== null) throw forbidden('Only staff may open tickets for services')
  if (!caller.staff && rest.assignee_id) throw forbidden('Only staff may assign tickets')
  const [{ entitlement, environmentId }] = await together(
    () => subjectOf(ctx, body),
    () => assertStaff(ctx, rest.assignee_id),
    () => assertMembers(ctx, watcher_ids),
  )
  const about = { entitlement_id: entitlement.id, priority: rest.priority ?? ('normal' as const) }
  const created_at = ctx.now.toISOString()
  const ticket = await insert(ctx, ticketsTable, {
    ...rest,
    ...about,
    number,
    watcher_ids,
    service_id,
    entitlement_code: entitlement.code,
    environment_id: environmentId,
    created_by: caller.userId,
    created_at,
    ...(await promisesFor(ctx, { ...about, created_at, paused_seconds: 0 })),
  })
  const step = { from_status: null, to_status: 'open' as const, ...changedBy(ctx) }
  await insert(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  return ticket
}

const subjectMissing = (isStaff: boolean): Fields => ({
  entitlement_id: isStaff ? 'is required, or service_id' : 'is required',
})

export const ticketRules: Rules<NewTicket> = (_body, { isStaff, isGiven }) =>
  ['entitlement_id', 'environment_id', 'service_id'].some(isGiven) ? {} : subjectMissing(isStaff)

/** What the body names is looked up in the organization; what does not fit together is 422. */
async function subjectOf(
  ctx: OrganizationContext,
  body: Pick<NewTicket, 'entitlement_id' | 'environment_id' | 'service_id'>,
): Promise<{ entitlement: Subject; environmentId: number | null }> {
  const org = ctx.organizationId
  const { entitlement_id, environment_id, service_id } = body
  const environment = environment_id === undefined ? null : await first(ctx, tickets.environment(org, environment_id))
  if (environment === undefined) throw notFound('Environment not found')
  const service = service_id === undefined ? null : await first(ctx, tickets.service(org, service_id))
  if (service === undefined) throw notFound('Service not found')
  const named = entitlement_id ?? environment?.entitlement_id ?? service?.entitlement_id
  if (named === undefined) throw invalid(subjectMissing(ctx.caller.staff))
  const entitlement = await first(ctx, tickets.entitlement(org, named))
  if (!entitlement) throw notFound('Entitlement not found')
  if (!ctx.caller.staff && entitlement.class !== 'ENV')
    throw forbidden('Customers may open tickets for managed environments only')
  if (environment && environment.entitlement_id !== named)
    throw invalid({ environment_id: 'belongs to another entitlement' })
  if (service && service.entitlement_id !== named) throw invalid({ service_id: 'belongs to another entitlement' })
  const own = entitlement.class === 'ENV' ? entitlement.environment_id : null
  return { entitlement, environmentId: environment?.id ?? own }
}
