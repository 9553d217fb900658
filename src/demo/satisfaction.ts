// The demo's ticket that its owner opened, staff resolved and the owner rated.
import { allocateCode } from '#kernel/data/codes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { askRequester } from '#modules/support/satisfaction/ask-requester.ts'
import { ticketRatings } from '#modules/support/satisfaction/queries.ts'
import { rateTicket } from '#modules/support/satisfaction/rate-ticket.ts'
import { lockTicket, moveTicket } from '#modules/support/tickets/change-ticket.ts'
import { openTicket } from '#modules/support/tickets/open-ticket.ts'

export async function demoSatisfaction(ctx: OrganizationContext): Promise<void> {
  const org = ctx.organizationId
  const found = await first(
    ctx,
    sql<{ userId: number; name: string; email: string; entitlement_id: number }>`
      select u.id as "userId", u.name, u.email, e.id as entitlement_id
        from collaborators c join users u on u.id = c.user_id
             join entitlements e on e.organization_id = ${org} and e.class = 'ENV'
       where c.organization_id = ${org} and c.role = 'owner'
       order by e.id limit 1`,
  )
  if (!found) return
  const { entitlement_id, ...owner } = found
  const asOwner = { ...ctx, caller: { ...ctx.caller, ...owner, kind: 'user' as const, staff: false } }
  const number = await allocateCode({ read: ctx.ask, now: ctx.now }, 'SR')
  const { id } = await openTicket(asOwner, { title: 'How do we restore a backup?', entitlement_id }, { number })
  await moveTicket(ctx, await lockTicket(ctx, id), 'resolved', 'We restored it for you, and wrote down how it is done.')
  // Here and not by its job, so that the answer has something to answer.
  await askRequester(ctx, id)
  await rateTicket(asOwner, await first(ctx, ticketRatings.ofTicket(org, id)), {
    rating: 'good',
    comment: 'Quick and friendly',
  })
}
