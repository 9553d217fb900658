// The mails about requests for quotes, in Portuguese.

import type { MailTexts } from './content.ts'

type RequestMails = Pick<MailTexts['kinds'], 'quote-requested' | 'quote-request-declined'>

export const quoteRequestMailsInPortuguese: RequestMails = {
  'quote-requested': ({ organizationName, requestedBy, products, notes }) => ({
    subject: `Orçamento pedido por ${organizationName}`,
    preheader: `${requestedBy}, de ${organizationName}, pede um orçamento.`,
    heading: 'Um orçamento foi pedido',
    paragraphs: [`${requestedBy}, de ${organizationName}, pede um orçamento.`, ...(notes === null ? [] : [notes])],
    facts: products.map(({ name, quantity }) => ({ label: name, value: String(quantity) })),
    button: 'Ver pedido',
    notes: [],
  }),
  'quote-request-declined': ({ organizationName, products, reason }) => ({
    subject: 'Seu pedido de orçamento foi recusado',
    preheader: reason,
    heading: 'Seu pedido de orçamento foi recusado',
    paragraphs: [`Não podemos oferecer a ${organizationName} o que foi pedido:`, reason],
    facts: products.map(({ name, quantity }) => ({ label: name, value: String(quantity) })),
    button: 'Ver pedido',
    notes: [],
  }),
}
