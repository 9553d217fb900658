// What the hours of a legal entity say.
import { ownTexts } from '../../texts/texts.ts'

export const hoursTexts = ownTexts({
  en: {
    title: 'Business hours',
    what: 'Deadlines of tickets run within these hours, for new tickets. A contract may have its own.',
    companies: { entity_br: 'Brazil', entity_global: 'Global' },
    always: 'Round the clock',
    timeZone: 'Time zone',
    closed: 'Closed',
    days: {
      monday: 'Monday',
      tuesday: 'Tuesday',
      wednesday: 'Wednesday',
      thursday: 'Thursday',
      friday: 'Friday',
      saturday: 'Saturday',
      sunday: 'Sunday',
    },
    holidays: 'Holidays',
    holidaysHelp: 'As 2026-12-25; press Enter after each.',
    wrong: 'Write hours as 09:00-12:00, 13:00-18:00, and a time zone as America/Sao_Paulo.',
    save: 'Save',
  },
  'pt-BR': {
    title: 'Horário de atendimento',
    what: 'Os prazos de novos chamados correm neste horário. Um contrato pode ter o seu.',
    companies: { entity_br: 'Brasil', entity_global: 'Global' },
    always: '24 horas por dia',
    timeZone: 'Fuso horário',
    closed: 'Fechado',
    days: {
      monday: 'Segunda-feira',
      tuesday: 'Terça-feira',
      wednesday: 'Quarta-feira',
      thursday: 'Quinta-feira',
      friday: 'Sexta-feira',
      saturday: 'Sábado',
      sunday: 'Domingo',
    },
    holidays: 'Feriados',
    holidaysHelp: 'Como 2026-12-25; tecle Enter depois de cada um.',
    wrong: 'Escreva o horário como 09:00-12:00, 13:00-18:00, e o fuso como America/Sao_Paulo.',
    save: 'Salvar',
  },
})
