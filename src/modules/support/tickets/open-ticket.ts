// POST /tickets, POST /environments/{id}/tickets: customers open tickets for managed environments, staff for
// everything.
import { type Fields, together } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import type { RowsOf } from '#kernel/values/sql.ts'
import { slaContract, type SlaTerms, slaTermsBy } from '#modules/delivery/contracts/service-levels.ts'
import { add, insert } from '#kernel/data/changes.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import { all, first, type IoContext, type OrganizationContext, type Settings } from '#kernel/data/context.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { hoursFrom } from '#modules/delivery/business-hours/business-time.ts'
import { statusAt } from '#modules/delivery/entitlements/entitlement.ts'
import { deadlinesBy } from './ticket-clock.ts'
import { assertStaff, assertMembers } from './ticket-audience.ts'
import { type Subject, tickets } from './queries.ts'
import { type NewTicket, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'

export const allocateTicketNumber = (io: IoContext): Promise<string> => allocateCode(io, 'SR')

/** `about`: where the body names the entitlement, and the rows are here already. */
type Opening = { number: string; about?: RowsOf<ReturnType<typeof aboutEntitlement>> }

export async function openTicket(
  ctx: OrganizationContext,
  body: NewTicket,
  { number, about }: Opening,
): Promise<Ticket> {
  const { entitlement_id: _e, environment_id: _n, service_id = null, watcher_ids = [], ...rest } = ownBody(ctx, body)
  const { caller } = ctx
  if (!caller.staff && service_id !== null) throw forbidden('staff_only', 'Only staff may open tickets for services')
  if (!caller.staff && rest.assignee_id) throw forbidden('staff_only', 'Only staff may assign tickets')
  const [{ entitlement, environmentId, terms }] = await together(
    () => subjectOf(ctx, body, about),
    () => assertStaff(ctx, rest.assignee_id),
    () => assertMembers(ctx, watcher_ids),
  )
  const subject = { entitlement_id: entitlement.id, priority: rest.priority ?? ('normal' as const) }
  const created_at = ctx.now.toISOString()
  const business_hours = terms.businessHours && hoursFrom(terms.businessHours, ctx.now)
  const started = { ...subject, created_at, business_hours, paused_seconds: 0 }
  const ticket = await insert(ctx, ticketsTable, {
    ...rest,
    number,
    watcher_ids,
    service_id,
    entitlement_code: entitlement.code,
    entitlement_problem: problemOf(ctx, entitlement),
    environment_id: environmentId,
    created_by: caller.userId,
    ...started,
    ...deadlinesBy(terms, started, ctx.settings),
  })
  const step = { from_status: null, to_status: 'open' as const, ...changedBy(ctx) }
  add(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  return ticket
}

/** Why the entitlement cannot be used now; 409 where customers open no tickets then. */
function problemOf(
  { caller, now, settings }: OrganizationContext,
  entitlement: Subject,
): Ticket['entitlement_problem'] {
  const { code, status, status_reason, suspends_reason } = entitlement
  const then = statusAt(entitlement, now)
  const problem = then === 'active' ? null : then
  if (problem === null || caller.staff || settings.ticketsWithoutEntitlement === 'flag') return problem
  const reason = then === 'suspended' && status === 'active' ? suspends_reason : status_reason
  throw conflict(
    'entitlement_not_active',
    `${code} is ${problem}${reason === null ? '' : ` (${reason})`}: no ticket can be opened for it`,
  )
}

const subjectMissing = (isStaff: boolean): Fields => ({
  entitlement_id: isStaff ? 'is required, or service_id' : 'is required',
})

export const ticketRules: Rules<NewTicket> = (_body, { isStaff, isGiven }) =>
  ['entitlement_id', 'environment_id', 'service_id'].some(isGiven) ? {} : subjectMissing(isStaff)

/** Finds what the body names in the organization: 404 if one is missing, 422 if they do not belong together. */
async function subjectOf(
  ctx: OrganizationContext,
  body: Pick<NewTicket, 'entitlement_id' | 'environment_id' | 'service_id'>,
  about?: RowsOf<ReturnType<typeof aboutEntitlement>>,
): Promise<{ entitlement: Subject; environmentId: number | null; terms: SlaTerms }> {
  const org = ctx.organizationId
  const { entitlement_id, environment_id, service_id } = body
  const [environment, service] = await Promise.all([
    environment_id === undefined ? null : first(ctx, tickets.environment(org, environment_id)),
    service_id === undefined ? null : first(ctx, tickets.service(org, service_id)),
  ])
  if (environment === undefined) throw notFound('Environment not found')
  if (service === undefined) throw notFound('Service not found')
  const named = entitlement_id ?? environment?.entitlement_id ?? service?.entitlement_id
  if (named === undefined) throw invalid(subjectMissing(ctx.caller.staff))
  const isHere = about !== undefined && entitlement_id !== undefined
  const [[entitlement], [contract]] = isHere ? about : await all(ctx, aboutEntitlement(named, { ...ctx, org }))
  if (!entitlement) throw notFound('Entitlement not found')
  if (!ctx.caller.staff && entitlement.class !== 'ENV')
    throw forbidden('staff_only', 'Customers may open tickets for managed environments only')
  if (environment && environment.entitlement_id !== named)
    throw invalid({ environment_id: 'belongs to another entitlement' })
  if (service && service.entitlement_id !== named) throw invalid({ service_id: 'belongs to another entitlement' })
  const own = entitlement.class === 'ENV' ? entitlement.environment_id : null
  return { entitlement, environmentId: environment?.id ?? own, terms: slaTermsBy(contract) }
}

/** No rows for null. */
export const aboutEntitlement = (
  id: number | null,
  { org, now, settings }: { org: number; now: Date; settings: Settings },
) => [tickets.entitlement(org, id), slaContract(org, id, { now, settings })] as const
