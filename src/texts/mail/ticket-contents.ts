// The content of the mails about tickets.
import type { TicketPriorityName, TicketStatusName } from '../tickets.ts'

type About = { organizationName: string; number: string; title: string; link: string | null }

/** The deadlines that are near, or were missed; one at least. `assigneeName`: null without an assignee. */
type Deadlines = About & {
  priority: TicketPriorityName
  assigneeName: string | null
  firstResponseDueAt: string | null
  resolutionDueAt: string | null
}

export type TicketContents = {
  'ticket-opened': About & { authorName: string; priority: TicketPriorityName; text: string | null }
  'ticket-commented': About & { authorName: string; text: string; internal: boolean }
  'ticket-moved': About & {
    /** Null: the service made the change. */
    authorName: string | null
    from: TicketStatusName
    to: TicketStatusName
    text: string | null
  }
  /** To whoever has answered a mail about a ticket that takes no comments any more. */
  'ticket-answer-refused': About & { status: TicketStatusName }
  /** Asks whoever opened it, who can answer until then. */
  'ticket-satisfaction': About & { until: string }
  /** To staff. */
  'ticket-sla-warning': Deadlines
  'ticket-sla-breached': Deadlines
}
