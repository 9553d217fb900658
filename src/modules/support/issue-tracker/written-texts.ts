// What the service writes into the tracker: for the vendor's developers, so in English. Names, addresses and the text
// of the ticket are left out; staff add what they want to tell.
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { MarkedText } from '#ports/issue-tracker.ts'
import type { LinkedTicket, OutgoingComment } from './queries.ts'

export function issueText(io: IoContext, link: LinkedTicket): MarkedText & { title: string } {
  const { number, priority, title, description, mark } = link
  const lines = [`Ticket ${number}, priority ${priority}`, portalLink(io, 'ticket', link.ticket_id), description]
  return { title: title === null ? number : `${number}: ${title}`, text: lines.filter(Boolean).join('\n\n'), mark }
}

export const commentMark = ({ mark }: Pick<LinkedTicket, 'mark'>, { id }: Pick<OutgoingComment, 'id'>): string =>
  `${mark}-${id}`

export const commentText = ({ by_staff, body }: OutgoingComment): string =>
  `${by_staff ? 'Support' : 'Customer'}:\n\n${body}`

/** What follows the prefix; null when the comment does not begin with it, or has nothing else. */
export function publicText(body: string, prefix: string): string | null {
  const text = body.trim()
  if (!text.toLowerCase().startsWith(prefix.toLowerCase())) return null
  const rest = text.slice(prefix.length)
  return /^\s+\S/.test(rest) ? rest.trim() : null
}
