// The purposes of processing personal data, in both languages.
import type { Language } from './language.ts'

type Purpose = 'account' | 'billing' | 'fiscal_records' | 'support' | 'security' | 'audit' | 'product_news'

export const PURPOSE_TEXTS: Readonly<Record<Purpose, Record<Language, string>>> = {
  account: {
    'pt-BR': 'Manter a conta e dar acesso às organizações da pessoa: nome, e-mail, telefone, idioma',
    en: 'To keep the account and give access to the organizations of the person: name, e-mail, phone, language',
  },
  billing: {
    'pt-BR': 'Vender e cobrar: orçamentos, pedidos, faturas e pagamentos com os dados de quem compra',
    en: 'To sell and bill: quotes, orders, invoices and payments with the data of the buyer',
  },
  fiscal_records: {
    'pt-BR': 'Emitir e guardar documentos fiscais pelo prazo que a lei exige',
    en: 'To issue fiscal documents and keep them for as long as the law demands',
  },
  support: {
    'pt-BR': 'Atender chamados: o que a pessoa escreve e envia',
    en: 'To answer tickets: what the person writes and sends',
  },
  security: {
    'pt-BR': 'Proteger as contas: sessões, endereços de rede e dispositivos conhecidos',
    en: 'To protect accounts: sessions, network addresses and known devices',
  },
  audit: {
    'pt-BR': 'Provar quem fez o quê: registros de auditoria e consentimentos',
    en: 'To prove who did what: audit entries and consents',
  },
  product_news: {
    'pt-BR': 'Enviar novidades sobre produtos, apenas com consentimento, que pode ser retirado a qualquer momento',
    en: 'To send news about products, only with consent, which can be withdrawn at any time',
  },
}
