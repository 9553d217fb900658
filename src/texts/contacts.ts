// What the roles of contacts are called.

export type ContactRoleName = 'billing' | 'technical' | 'legal'

export const contactRoles: Record<'pt-BR' | 'en', Record<ContactRoleName, string>> = {
  en: {
    billing: 'Invoices and payments',
    technical: 'Environments, maintenance and expiries',
    legal: 'Contracts',
  },
  'pt-BR': {
    billing: 'Faturas e pagamentos',
    technical: 'Ambientes, manutenções e vencimentos',
    legal: 'Contratos',
  },
}
