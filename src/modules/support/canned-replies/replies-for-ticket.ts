// GET /tickets/{id}/canned-replies: the texts for the ticket's legal entity, in the language of whoever opened it and
// with their placeholders filled. Staff change the text and comment with it.
import { usualCompany } from '#kernel/values/company.ts'
import { notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { LANGUAGES } from '#texts/language.ts'
import { tickets } from '#modules/support/tickets/queries.ts'
import type { TicketReplies, TicketReplyFilters } from './canned-reply.ts'
import { fillPlaceholders } from './placeholders.ts'
import { cannedReplies } from './queries.ts'

/** By name; `search` finds the others. */
const MOST = 200

export const repliesForTicket = (org: number, id: number, { search }: TicketReplyFilters): ReadPlan<TicketReplies> =>
  parts(
    [tickets.addressed(org, id), tickets.organization(org), cannedReplies.byName(search, MOST)],
    ([[ticket], [organization], replies], { caller }) => {
      if (!ticket || !organization) throw notFound()
      const company = ticket.company ?? usualCompany(organization.country)
      const language = LANGUAGES.find((one) => one === ticket.language) ?? (company === 'entity_br' ? 'pt-BR' : 'en')
      const values = {
        ticket_number: ticket.number,
        ticket_title: ticket.title,
        requester_name: ticket.requester_name ?? organization.name,
        organization_name: organization.name,
        staff_name: caller.name,
      }
      const usable = replies.filter((one) => one.company === null || one.company === company)
      const canned_replies = usable.slice(0, MOST).map(({ id: replyId, name, body_pt_br, body_en }) => ({
        id: replyId,
        name,
        body: fillPlaceholders(language === 'pt-BR' ? body_pt_br : body_en, values),
      }))
      return { language, company, canned_replies }
    },
  )
