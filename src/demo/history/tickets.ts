// A ticket of a history: who opened it, what was said, how it ended and how it was rated.
import { ticketRatings } from '#modules/support/satisfaction/queries.ts'
import { rateTicket } from '#modules/support/satisfaction/rate-ticket.ts'
import { commentOnTicket } from '#modules/support/tickets/add-to-conversation.ts'
import { changeTicket, lockTicket, moveTicket } from '#modules/support/tickets/change-ticket.ts'
import { openTicket } from '#modules/support/tickets/open-ticket.ts'
import type { NewTicket, TicketStatus } from '#modules/support/tickets/ticket.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { type Act, type Moment, minutesAfter, momentAfter } from './act.ts'
import { asMember, asStaff } from './callers.ts'

/** Minutes after the step before, and what happens then: somebody writes, or staff move the ticket. */
type Step = readonly [minutes: number, what: 'sofia' | 'otto' | 'note' | 'customer' | TicketStatus, text?: string]

export type TicketOfHistory = {
  on: Moment
  by: string
  title: string
  description: string
  priority?: NewTicket['priority']
  steps: readonly Step[]
  rating?: readonly ['good' | 'bad', string]
}

/** About the customer's hosting. The title names the ticket within the customer. */
export function ticket(since: Date, told: TicketOfHistory): Act[] {
  const { by, title, description, priority = 'normal' } = told
  let at = momentAfter(since, told.on)
  const acts: Act[] = [
    {
      at,
      run: async (ctx) => {
        const number = await allocateCode({ read: ctx.ask, now: ctx.now }, 'SR')
        const entitlement_id = await hostingOf(ctx)
        await openTicket(await asMember(ctx, by), { title, description, priority, entitlement_id }, { number })
      },
    },
  ]
  for (const [minutes, what, text] of told.steps) {
    at = minutesAfter(at, minutes)
    acts.push({ at, run: (ctx) => step(ctx, told, what, text) })
  }
  if (told.rating) {
    const [rating, comment] = told.rating
    acts.push({
      at: minutesAfter(at, 95),
      run: async (ctx) => {
        const asked = await first(ctx, ticketRatings.ofTicket(ctx.organizationId, await idOf(ctx, title)))
        await rateTicket(await asMember(ctx, by), asked, { rating, comment })
      },
    })
  }
  return acts
}

async function step(ctx: OrganizationContext, { by, title }: TicketOfHistory, what: Step[1], body = ''): Promise<void> {
  const id = await idOf(ctx, title)
  if (what === 'customer') {
    await commentOnTicket(await asMember(ctx, by), await lockTicket(ctx, id), { body })
    return
  }
  const staff = await asStaff(ctx, what === 'otto' ? 'otto' : 'sofia')
  if (what === 'sofia' || what === 'otto' || what === 'note') {
    await commentOnTicket(staff, await lockTicket(ctx, id), { body, internal: what === 'note' })
    return
  }
  const { userId: assignee_id } = staff.caller
  if (what === 'in_progress' && assignee_id !== null)
    await changeTicket(staff, { id, locked: await lockTicket(ctx, id) }, { assignee_id })
  const isCustomers = what === 'cancelled' || what === 'closed'
  await moveTicket(isCustomers ? await asMember(ctx, by) : staff, await lockTicket(ctx, id), what, body || null)
}

const idOf = async (ctx: OrganizationContext, title: string): Promise<number> =>
  (
    await one(
      ctx,
      sql<{ id: number }>`select id from tickets where organization_id = ${ctx.organizationId} and title = ${title}`,
    )
  ).id

export const hostingOf = async (ctx: OrganizationContext): Promise<number> =>
  (
    await one(
      ctx,
      sql<{ id: number }>`select id from entitlements
        where organization_id = ${ctx.organizationId} and class = 'ENV' order by id limit 1`,
    )
  ).id
