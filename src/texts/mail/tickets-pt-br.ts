// The mails about tickets in Brazilian Portuguese.

import { ticketPriorities, ticketStatuses } from '../tickets.ts'
import type { MailTexts } from './content.ts'

type TicketMails = Pick<MailTexts['kinds'], 'ticket-opened' | 'ticket-commented' | 'ticket-moved'>

export const ticketMailsInPortuguese: TicketMails = {
  'ticket-opened': ({ organizationName, number, title, authorName, priority, text }) => ({
    subject: `${number} aberto: ${title}`,
    preheader: `${authorName}, ${organizationName}`,
    heading: title,
    paragraphs: [`${authorName} abriu um chamado para ${organizationName}.`, ...(text === null ? [] : [text])],
    facts: [
      { label: 'Chamado', value: number },
      { label: 'Prioridade', value: ticketPriorities['pt-BR'][priority] },
    ],
    button: 'Ver chamado',
    notes: [],
  }),
  'ticket-commented': ({ organizationName, number, title, authorName, text, internal }) => ({
    subject: `${number}: ${internal ? 'nota interna' : 'novo comentário'} – ${title}`,
    preheader: `${authorName}, ${organizationName}`,
    heading: title,
    paragraphs: [internal ? `${authorName} deixou uma nota para a equipe:` : `${authorName} escreveu:`, text],
    facts: [
      { label: 'Chamado', value: number },
      { label: 'Organização', value: organizationName },
    ],
    button: 'Ver chamado',
    notes: [],
  }),
  'ticket-moved': ({ organizationName, number, title, authorName, from, to, text }) => ({
    subject: `${number} agora está ${ticketStatuses['pt-BR'][to].toLowerCase()}: ${title}`,
    preheader: organizationName,
    heading: title,
    paragraphs: [
      authorName === null
        ? `A situação de um chamado de ${organizationName} mudou.`
        : `${authorName} mudou a situação de um chamado de ${organizationName}.`,
      ...(text === null ? [] : [text]),
    ],
    facts: [
      { label: 'Chamado', value: number },
      { label: 'Antes', value: ticketStatuses['pt-BR'][from] },
      { label: 'Agora', value: ticketStatuses['pt-BR'][to] },
    ],
    button: 'Ver chamado',
    notes: [],
  }),
}
