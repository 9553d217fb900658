// The one mail that an answer causes to its sender, once it is certain who that is: the ticket takes no comments any
// more. It goes to the account's address, and says that a program wrote it, so that none answers.
import { usualCompany } from '#kernel/values/company.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { JobInput } from '#kernel/jobs/jobs.ts'
import { sentLately } from '#modules/messages/mails/sent-lately.ts'
import { organizationOf } from '#modules/messages/notifications/announce.ts'
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import { sendMail } from '#modules/messages/notifications/send-mail.ts'
import type { AnsweringMember } from '#modules/support/tickets/ticket-audience.ts'
import type { Ticket } from '#modules/support/tickets/ticket.ts'

export type EndedTicket = {
  organizationId: number
  ticket: Pick<Ticket, 'id' | 'number' | 'title' | 'status'>
  member: AnsweringMember
}

const KIND = 'ticket-answer-refused'
/** In an hour: somebody who knows the reply address may send many. */
const MOST_TOLD = 5

export async function tellOfEnd(
  io: IoContext,
  job: Pick<JobInput<unknown>, 'id' | 'createdAt'>,
  { organizationId, ticket, member }: EndedTicket,
): Promise<void> {
  const bound = io.within(organizationId)
  const organization = await organizationOf(bound)
  if (!organization || (await sentLately(bound, organizationId, { kind: KIND, email: member.email })) >= MOST_TOLD)
    return
  const { number, title, status } = ticket
  await sendMail(
    bound,
    job,
    { ...member, company: usualCompany(organization.country) },
    {
      kind: KIND,
      organizationName: organization.name,
      number,
      title,
      status,
      link: portalLink(bound, 'ticket', ticket.id),
    },
    { thread: { record: 'ticket', id: ticket.id } },
  )
}
