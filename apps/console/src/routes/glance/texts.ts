// What an organization at a glance says.
import { ownTexts } from '../../texts/texts.ts'

export const glanceTexts = ownTexts({
  en: {
    waits: 'What waits for the customer',
    open: 'What they have',
    tickets: 'Open tickets',
    invoices: 'Open invoices',
    subscriptions: 'Subscriptions',
    entitlements: 'Entitlements',
    contacts: 'Contacts',
    none: {
      tickets: 'No ticket is open.',
      invoices: 'Nothing is due.',
      subscriptions: 'No subscription runs.',
      entitlements: 'They have nothing yet: a quote that is accepted and paid gives entitlements.',
      contacts: 'No contact is named; notices go to the members who have the scope.',
    },
    timeline: 'What happened',
    quiet: 'Nothing was changed lately.',
    clock: 'Test clock',
    stands: 'The time of this organization stands at {now}.',
    advancing: 'It is {now} and goes on to {to} …',
    held: 'Dunning is on hold',
  },
  'pt-BR': {
    waits: 'O que espera pelo cliente',
    open: 'O que o cliente tem',
    tickets: 'Chamados em aberto',
    invoices: 'Faturas em aberto',
    subscriptions: 'Assinaturas',
    entitlements: 'Direitos de uso',
    contacts: 'Contatos',
    none: {
      tickets: 'Nenhum chamado em aberto.',
      invoices: 'Nada a pagar.',
      subscriptions: 'Nenhuma assinatura em curso.',
      entitlements: 'Ainda não há nada: um orçamento aceito e pago gera direitos de uso.',
      contacts: 'Nenhum contato indicado; os avisos vão aos membros que têm a permissão.',
    },
    timeline: 'O que aconteceu',
    quiet: 'Nada foi alterado ultimamente.',
    clock: 'Relógio de teste',
    stands: 'O tempo desta organização está parado em {now}.',
    advancing: 'São {now} e avança até {to} …',
    held: 'Cobrança suspensa',
  },
})
