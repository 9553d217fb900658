// What the reports are called, here and where their files are.

export const REPORT_TITLES = {
  en: {
    billed: 'Revenue billed',
    recognized: 'Revenue recognized',
    'recurring-revenue': 'Recurring revenue',
    receivables: 'Receivables by age',
    'receivables-by-organization': 'Receivables by customer',
    expiring: 'What ends soon',
    'tax-invoices': 'Tax invoices',
    'withheld-taxes': 'Withheld taxes',
    'ticket-service-levels': 'Tickets against their service levels',
    'ticket-satisfaction': 'Satisfaction with tickets',
  },
  'pt-BR': {
    billed: 'Receita faturada',
    recognized: 'Receita reconhecida',
    'recurring-revenue': 'Receita recorrente',
    receivables: 'Contas a receber por idade',
    'receivables-by-organization': 'Contas a receber por cliente',
    expiring: 'O que vence em breve',
    'tax-invoices': 'Notas fiscais',
    'withheld-taxes': 'Impostos retidos',
    'ticket-service-levels': 'Chamados e níveis de serviço',
    'ticket-satisfaction': 'Satisfação com os chamados',
  },
}
