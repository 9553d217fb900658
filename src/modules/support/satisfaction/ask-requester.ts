// Asks whoever opened a ticket whether they are satisfied, once, when it is resolved or closed. The row is the
// question; its creation is mailed.
import { usualCompany } from '#kernel/values/company.ts'
import { insert } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { tickets } from '#modules/support/tickets/queries.ts'
import { ticketAudience } from '#modules/support/tickets/ticket-audience.ts'
import { ticketsTable } from '#modules/support/tickets/ticket.ts'
import { ticketRatings } from './queries.ts'
import { ticketRatingsTable } from './ticket-rating.ts'

const askAfterTicket = eventJobKind('satisfaction/ask')

export async function askRequester(ctx: OrganizationContext, ticketId: number): Promise<void> {
  const org = ctx.organizationId
  const ticket = await first(ctx, ticketRatings.toAsk(org, ticketId))
  if (!ticket) return
  const { id, created_by: requester_id, assignee_id } = ticket
  const [[addressed], [organization], [requester]] = await Promise.all([
    ctx.ask(tickets.addressed(org, id)),
    ctx.ask(tickets.organization(org)),
    ctx.ask(ticketAudience(ctx, { userIds: [requester_id], opener: requester_id })),
  ])
  // Nobody has a name there whom staff opened it for.
  if (!addressed || addressed.requester_name === null || !organization || !requester?.collaborator) return
  const company = addressed.company ?? usualCompany(organization.country)
  if (!(await settingOf(ctx, company, 'satisfaction'))) return
  await insert(ctx, ticketRatingsTable, {
    ticket_id: id,
    requester_id,
    company,
    assignee_id,
    asked_at: ctx.now.toISOString(),
  })
}

export const satisfactionJobs = [
  organizationJob(askAfterTicket, { run: (ctx, { payload }) => askRequester(ctx, payload.resource_id) }),
]

const { resolved, closed } = ticketsTable.events
export const satisfactionConsumers: Consumer[] = [resolved, closed].map((event) => ({
  event,
  job: askAfterTicket,
}))
