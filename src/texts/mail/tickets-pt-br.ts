// The mails about tickets in Brazilian Portuguese.

import { ticketPriorities, ticketStatuses } from '../tickets.ts'
import type { MailContent, MailKind, MailTexts, MailWords, Voice } from './content.ts'

type TicketMails = Pick<MailTexts['kinds'], Extract<MailKind, `ticket-${string}`>>
type Deadlines = MailContent<'ticket-sla-warning' | 'ticket-sla-breached'>

export const ticketMailsInPortuguese: TicketMails = {
  'ticket-opened': ({ organizationName, number, title, authorName, priority, text }) => ({
    subject: `${number}: ${title}`,
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
    subject: internal ? `${number}: nota interna – ${title}` : `${number}: ${title}`,
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
    subject: `${number}: ${title}`,
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
  'ticket-answer-refused': ({ organizationName, number, title, status }) => ({
    subject: `${number}: ${title}`,
    preheader: organizationName,
    heading: title,
    paragraphs: [
      `Sua resposta não entrou neste chamado de ${organizationName}, porque ele está ` +
        `${ticketStatuses['pt-BR'][status].toLowerCase()}; por isso, ninguém a leu.`,
      'Se ainda precisar de ajuda, abra um novo chamado e diga que é sobre este.',
    ],
    facts: [{ label: 'Chamado', value: number }],
    button: 'Ver chamado',
    notes: [],
  }),
  'ticket-satisfaction': ({ organizationName, number, title, until }, { time }) => ({
    subject: `${number}: ${title}`,
    preheader: `Como foi o atendimento? ${organizationName}`,
    heading: 'O atendimento foi bom?',
    paragraphs: [
      `Trabalhamos no seu chamado “${title}” de ${organizationName} e gostaríamos de saber se isso ajudou.`,
      'Abra o chamado no portal para dizer se o atendimento foi bom ou ruim e, se quiser, por quê.',
    ],
    facts: [
      { label: 'Chamado', value: number },
      { label: 'Você pode responder até', value: time(until) },
    ],
    button: 'Avaliar o atendimento',
    notes: [
      'Perguntamos uma só vez por chamado. Se ainda precisar de ajuda, comente no chamado ou, se ele estiver ' +
        'fechado, abra um novo.',
    ],
  }),
  'ticket-sla-warning': (content, { time }) => {
    const { organizationName, number, title } = content
    return {
      subject: `${number}: prazo perto do fim – ${title}`,
      preheader: organizationName,
      heading: title,
      paragraphs: [`O prazo prometido a ${organizationName} para este chamado está quase no fim.`],
      facts: deadlineFacts(content, time),
      button: 'Ver chamado',
      notes: [],
    }
  },
  'ticket-sla-breached': (content, { time }) => {
    const { organizationName, number, title } = content
    return {
      subject: `${number}: prazo vencido – ${title}`,
      preheader: organizationName,
      heading: title,
      paragraphs: [`Este chamado de ${organizationName} não foi respondido ou solucionado no prazo prometido.`],
      facts: deadlineFacts(content, time),
      button: 'Ver chamado',
      notes: [],
    }
  },
}

function deadlineFacts(
  { number, priority, assigneeName, firstResponseDueAt, resolutionDueAt }: Deadlines,
  time: Voice['time'],
): MailWords['facts'] {
  return [
    { label: 'Chamado', value: number },
    { label: 'Prioridade', value: ticketPriorities['pt-BR'][priority] },
    { label: 'Responsável', value: assigneeName ?? 'ninguém ainda' },
    ...(firstResponseDueAt === null ? [] : [{ label: 'Prazo da primeira resposta', value: time(firstResponseDueAt) }]),
    ...(resolutionDueAt === null ? [] : [{ label: 'Prazo da solução', value: time(resolutionDueAt) }]),
  ]
}
