// The mails about requests for quotes and drafts of renewals, in Portuguese.

import type { MailTexts } from './content.ts'

type RequestMails = Pick<MailTexts['kinds'], 'quote-requested' | 'quote-request-declined' | 'renewal-drafted'>

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
  'renewal-drafted': (
    { organizationName, number, total, currency, renewed, endsOn, unadjusted },
    { date, money, month },
  ) => ({
    subject: `Renovação de ${organizationName}: revise o orçamento ${number}`,
    preheader: `Um prazo de ${organizationName} termina em ${date(endsOn)}.`,
    heading: 'Uma renovação foi preparada',
    paragraphs: [
      `Um prazo de ${organizationName} termina em ${date(endsOn)}. O orçamento do próximo é um ` +
        'rascunho: revise-o e envie-o.',
      ...unadjusted.map(
        ({ priceIndex, months }) =>
          `O preço ainda não foi reajustado: falta a taxa do ${priceIndex} de ${months.map(month).join(', ')}.`,
      ),
    ],
    facts: [
      { label: 'Orçamento', value: number },
      { label: 'Total', value: money(total, currency) },
      ...renewed.map(({ name, entitlementCode }) => ({ label: name, value: entitlementCode })),
    ],
    button: 'Ver rascunho',
    notes: [],
  }),
}
