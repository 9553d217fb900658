// What a ticket is about: an entitlement, perhaps with an environment or a service of it, an invoice, an order, or
// nothing in particular; and what customers may open tickets about.
import type { Rules } from '#http/route.ts'
import { holds } from '#kernel/values/permissions.ts'
import type { RowsOf } from '#kernel/values/sql.ts'
import { slaContract, type SlaTerms, slaTermsBy } from '#modules/delivery/contracts/service-levels.ts'
import { all, first, type OrganizationContext, type Settings } from '#kernel/data/context.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { openingRulesOf, type OpeningRules } from './opening-rules.ts'
import { statusAt } from '#modules/delivery/entitlements/entitlement.ts'
import type { TicketAbout } from '#modules/support/teams/team.ts'
import { type Subject, tickets } from './queries.ts'
import type { NewTicket, Ticket } from './ticket.ts'

type SubjectOfTicket = Pick<NewTicket, 'entitlement_id' | 'environment_id' | 'service_id' | 'invoice_id' | 'order_id'>
/** `about`: where the body names the entitlement, and the rows are here already. */
export type About = RowsOf<ReturnType<typeof aboutEntitlement>>

export type TicketSubject = {
  values: Pick<
    Ticket,
    | 'entitlement_id'
    | 'entitlement_code'
    | 'entitlement_problem'
    | 'environment_id'
    | 'service_id'
    | 'invoice_id'
    | 'order_id'
  >
  terms: SlaTerms
  about: TicketAbout
}

const OF_ENTITLEMENT = ['entitlement_id', 'environment_id', 'service_id'] as const
const SCOPES = { invoice_id: 'finances', order_id: 'orders' } as const
const NAMES = { invoice_id: 'Invoice', order_id: 'Order' } as const
const ABOUT = { invoice_id: 'invoice', order_id: 'order' } as const

/** A ticket is about one of them. */
export const ticketRules: Rules<NewTicket> = (_body, { isGiven }) => {
  const [one, other] = [OF_ENTITLEMENT.find(isGiven), ...(['invoice_id', 'order_id'] as const).filter(isGiven)].filter(
    (field) => field !== undefined,
  )
  return one === undefined || other === undefined ? {} : { [other]: `cannot be given beside ${one}` }
}

const NOTHING = {
  entitlement_id: null,
  entitlement_code: null,
  entitlement_problem: null,
  environment_id: null,
  service_id: null,
  invoice_id: null,
  order_id: null,
}

/** Finds what the body names in the organization: 404 if one is missing, 422 if they do not belong together. */
export async function subjectOf(
  ctx: OrganizationContext,
  body: SubjectOfTicket,
  about?: About,
): Promise<TicketSubject> {
  for (const field of ['invoice_id', 'order_id'] as const) {
    const { [field]: id } = body
    if (id !== undefined)
      return {
        values: { ...NOTHING, [field]: await recordOf(ctx, field, id) },
        terms: slaTermsBy(undefined),
        about: ABOUT[field],
      }
  }
  if (OF_ENTITLEMENT.some((field) => body[field] !== undefined)) return entitlementOf(ctx, body, about)
  const rules = await openingRulesOf(ctx)
  if (!isOpen(ctx, rules, 'none')) throw invalid({ entitlement_id: `is required: ${openFor(rules)}` })
  return { values: NOTHING, terms: slaTermsBy(undefined), about: 'none' }
}

async function recordOf(ctx: OrganizationContext, field: keyof typeof SCOPES, id: number): Promise<number> {
  const org = ctx.organizationId
  const [rules, found] = await Promise.all([
    openingRulesOf(ctx),
    first(ctx, field === 'invoice_id' ? tickets.invoice(org, id) : tickets.order(org, id)),
  ])
  if (!isOpen(ctx, rules, 'none')) throw conflict('tickets_not_open', openFor(rules))
  const { [field]: scope } = SCOPES
  if (!holds(ctx.scopes, scope)) throw forbidden('scope_missing', `Scope not authorized: ${scope}`)
  if (!found) throw notFound(`${NAMES[field]} not found`)
  return id
}

async function entitlementOf(
  ctx: OrganizationContext,
  { entitlement_id, environment_id, service_id }: SubjectOfTicket,
  about?: About,
): Promise<TicketSubject> {
  const org = ctx.organizationId
  const [environment, service] = await Promise.all([
    environment_id === undefined ? null : first(ctx, tickets.environment(org, environment_id)),
    service_id === undefined ? null : first(ctx, tickets.service(org, service_id)),
  ])
  if (environment === undefined) throw notFound('Environment not found')
  if (service === undefined) throw notFound('Service not found')
  const named = entitlement_id ?? environment?.entitlement_id ?? service?.entitlement_id ?? null
  const isHere = about !== undefined && entitlement_id !== undefined
  const [[entitlement], [contract]] = isHere ? about : await all(ctx, aboutEntitlement(named, { ...ctx, org }))
  if (!entitlement) throw notFound('Entitlement not found')
  const { id, code, rules } = entitlement
  if (!isOpen(ctx, rules, entitlement.class)) throw conflict('tickets_not_open', openFor(rules))
  if (environment && environment.entitlement_id !== id)
    throw invalid({ environment_id: 'belongs to another entitlement' })
  if (service && service.entitlement_id !== id) throw invalid({ service_id: 'belongs to another entitlement' })
  const own = entitlement.class === 'ENV' ? entitlement.environment_id : null
  const values = {
    ...NOTHING,
    entitlement_id: id,
    entitlement_code: code,
    entitlement_problem: problemOf(ctx, rules, entitlement),
    environment_id: environment?.id ?? own,
    service_id: service?.id ?? null,
  }
  return { values, terms: slaTermsBy(contract), about: entitlement.class }
}

/** Staff open tickets about everything. */
const isOpen = ({ caller }: OrganizationContext, { classes }: OpeningRules, named: string): boolean =>
  caller.staff || classes.some((one) => one === named)

/** What customers open tickets about, in a sentence for them. */
function openFor({ classes: ticketClasses }: OpeningRules): string {
  const classes = ticketClasses.filter((one) => one !== 'none').join(', ')
  if (!ticketClasses.includes('none')) return `customers open tickets about entitlements of class ${classes}`
  const others = 'customers open tickets about invoices, orders or nothing in particular'
  return classes === '' ? others : `${others}, and about entitlements of class ${classes}`
}

/** Why the entitlement cannot be used now; 409 where customers open no tickets then. */
function problemOf(ctx: OrganizationContext, rules: OpeningRules, entitlement: Subject): Ticket['entitlement_problem'] {
  const { caller, now } = ctx
  const { code, status, status_reason, suspends_reason } = entitlement
  const then = statusAt(entitlement, now)
  const problem = then === 'active' ? null : then
  if (problem === null || caller.staff || rules.without_entitlement === 'flag') return problem
  // What is so by the clock alone has no reason of its own yet; the one before was of another status.
  const byClock = then === 'suspended' ? suspends_reason : null
  const reason = then === status ? status_reason : byClock
  const why = reason === null ? '' : ` (${reason})`
  const refusal = `${code} is ${problem}${why}: no ticket can be opened for it`
  const instead = isOpen(ctx, rules, 'none') ? '; a ticket without it, or about an invoice, is possible' : ''
  throw conflict('entitlement_not_active', refusal + instead)
}

/** No rows of an entitlement for null. */
export const aboutEntitlement = (
  id: number | null,
  { org, now, settings }: { org: number; now: Date; settings: Settings },
) => [tickets.entitlement(org, id, settings), slaContract(org, id, { now, settings })] as const

/** As a change answers it: what names an invoice, an order or a team is for those who may read these. */
export const shownTicket = ({ caller, scopes }: OrganizationContext, ticket: Ticket): Ticket => ({
  ...ticket,
  team_id: caller.staff ? ticket.team_id : null,
  invoice_id: holds(scopes, SCOPES.invoice_id) ? ticket.invoice_id : null,
  order_id: holds(scopes, SCOPES.order_id) ? ticket.order_id : null,
})
