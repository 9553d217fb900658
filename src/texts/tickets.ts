// The names of the statuses and priorities of tickets, and what the service adds to an answer by mail.

import type { Language } from './language.ts'

export type TicketStatusName = 'open' | 'in_progress' | 'waiting' | 'resolved' | 'closed' | 'cancelled'
export type TicketPriorityName = 'low' | 'normal' | 'high' | 'urgent'

export const ticketStatuses = {
  'pt-BR': {
    open: 'Aberto',
    in_progress: 'Em andamento',
    waiting: 'Aguardando',
    resolved: 'Resolvido',
    closed: 'Fechado',
    cancelled: 'Cancelado',
  },
  en: {
    open: 'Open',
    in_progress: 'In progress',
    waiting: 'Waiting',
    resolved: 'Resolved',
    closed: 'Closed',
    cancelled: 'Cancelled',
  },
} satisfies Record<Language, Record<TicketStatusName, string>>

export const ticketPriorities = {
  'pt-BR': { low: 'Baixa', normal: 'Normal', high: 'Alta', urgent: 'Urgente' },
  en: { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' },
} satisfies Record<Language, Record<TicketPriorityName, string>>

/** Why a file of an answer by mail is not attached. */
export type FileRefusal = 'too_large' | 'not_allowed' | 'no_space' | 'too_many' | 'cut_off'

type AnswerTexts = {
  /** In place of the text of an answer that has files only. */
  filesOnly: string
  notAttached: string
  refusals: Record<FileRefusal, string>
  /** At the end of one that is too long. */
  shortened: string
}

export const answerTexts = {
  'pt-BR': {
    filesOnly: 'Resposta sem texto, só com anexos.',
    notAttached: 'Não anexado',
    refusals: {
      too_large: 'grande demais',
      not_allowed: 'tipo de arquivo não aceito, ou arquivo vazio',
      no_space: 'o espaço para arquivos da organização acabou',
      too_many: 'anexos demais',
      cut_off: 'o e-mail é grande demais; envie o arquivo pelo portal',
    },
    shortened: '(O texto do e-mail é mais longo; o resto não foi copiado.)',
  },
  en: {
    filesOnly: 'Answer without text, with attachments only.',
    notAttached: 'Not attached',
    refusals: {
      too_large: 'too large',
      not_allowed: 'a type of file that is not accepted, or an empty file',
      no_space: 'the organization’s space for files is used up',
      too_many: 'too many attachments',
      cut_off: 'the e-mail is too large; upload the file in the portal',
    },
    shortened: '(The text of the e-mail is longer; the rest was not copied.)',
  },
} satisfies Record<Language, AnswerTexts>
