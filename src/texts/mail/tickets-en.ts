// The mails about tickets in English.

import { ticketPriorities, ticketStatuses } from '../tickets.ts'
import type { MailContent, MailKind, MailTexts, MailWords, Voice } from './content.ts'

type TicketMails = Pick<MailTexts['kinds'], Extract<MailKind, `ticket-${string}`>>
type Deadlines = MailContent<'ticket-sla-warning' | 'ticket-sla-breached'>

export const ticketMailsInEnglish: TicketMails = {
  'ticket-opened': ({ organizationName, number, title, authorName, priority, text }) => ({
    subject: `${number}: ${title}`,
    preheader: `${authorName}, ${organizationName}`,
    heading: title,
    paragraphs: [`${authorName} opened a ticket for ${organizationName}.`, ...(text === null ? [] : [text])],
    facts: [
      { label: 'Ticket', value: number },
      { label: 'Priority', value: ticketPriorities.en[priority] },
    ],
    button: 'View ticket',
    notes: [],
  }),
  'ticket-commented': ({ organizationName, number, title, authorName, text, internal }) => ({
    subject: internal ? `${number}: internal note – ${title}` : `${number}: ${title}`,
    preheader: `${authorName}, ${organizationName}`,
    heading: title,
    paragraphs: [internal ? `${authorName} left a note for staff:` : `${authorName} wrote:`, text],
    facts: [
      { label: 'Ticket', value: number },
      { label: 'Organization', value: organizationName },
    ],
    button: 'View ticket',
    notes: [],
  }),
  'ticket-moved': ({ organizationName, number, title, authorName, from, to, text }) => ({
    subject: `${number}: ${title}`,
    preheader: organizationName,
    heading: title,
    paragraphs: [
      authorName === null
        ? `The status of a ticket of ${organizationName} has changed.`
        : `${authorName} changed the status of a ticket of ${organizationName}.`,
      ...(text === null ? [] : [text]),
    ],
    facts: [
      { label: 'Ticket', value: number },
      { label: 'Before', value: ticketStatuses.en[from] },
      { label: 'Now', value: ticketStatuses.en[to] },
    ],
    button: 'View ticket',
    notes: [],
  }),
  'ticket-answer-refused': ({ organizationName, number, title, status }) => ({
    subject: `${number}: ${title}`,
    preheader: organizationName,
    heading: title,
    paragraphs: [
      `Your answer was not added to this ticket of ${organizationName}, because it is ` +
        `${ticketStatuses.en[status].toLowerCase()}, so nobody has read it.`,
      'If you still need help, open a new ticket and say that it is about this one.',
    ],
    facts: [{ label: 'Ticket', value: number }],
    button: 'View ticket',
    notes: [],
  }),
  'ticket-satisfaction': ({ organizationName, number, title, until }, { time }) => ({
    subject: `${number}: ${title}`,
    preheader: `Are you satisfied? ${organizationName}`,
    heading: 'Are you satisfied with our help?',
    paragraphs: [
      `We have worked on your ticket “${title}” of ${organizationName}, and would like to know whether it helped.`,
      'Open the ticket in the portal to say “good” or “bad” and, if you like, why.',
    ],
    facts: [
      { label: 'Ticket', value: number },
      { label: 'You can answer until', value: time(until) },
    ],
    button: 'Rate our help',
    notes: [
      'We ask once for each ticket. If you still need help, comment on the ticket, or open a new one where it is ' +
        'closed.',
    ],
  }),
  'ticket-sla-warning': (content, { time }) => {
    const { organizationName, number, title } = content
    return {
      subject: `${number}: a deadline is near – ${title}`,
      preheader: organizationName,
      heading: title,
      paragraphs: [`The time that was promised to ${organizationName} for this ticket is nearly over.`],
      facts: deadlineFacts(content, time),
      button: 'View ticket',
      notes: [],
    }
  },
  'ticket-sla-breached': (content, { time }) => {
    const { organizationName, number, title } = content
    return {
      subject: `${number}: a deadline was missed – ${title}`,
      preheader: organizationName,
      heading: title,
      paragraphs: [`This ticket of ${organizationName} was not answered or resolved in the promised time.`],
      facts: deadlineFacts(content, time),
      button: 'View ticket',
      notes: [],
    }
  },
}

function deadlineFacts(
  { number, priority, assigneeName, firstResponseDueAt, resolutionDueAt }: Deadlines,
  time: Voice['time'],
): MailWords['facts'] {
  return [
    { label: 'Ticket', value: number },
    { label: 'Priority', value: ticketPriorities.en[priority] },
    { label: 'Assignee', value: assigneeName ?? 'nobody yet' },
    ...(firstResponseDueAt === null ? [] : [{ label: 'First response due', value: time(firstResponseDueAt) }]),
    ...(resolutionDueAt === null ? [] : [{ label: 'Resolution due', value: time(resolutionDueAt) }]),
  ]
}
