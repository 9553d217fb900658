// The names of the statuses and priorities of tickets.

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
