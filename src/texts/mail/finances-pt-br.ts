// The mails about invoices, refunds and payouts, in Brazilian Portuguese.

import type { MailContent, MailTexts, MailWords, Voice } from './content.ts'
import type { AccessAhead } from './invoice-contents.ts'
import { paymentFacts } from './payment-ways.ts'

type FinanceMails = Pick<
  MailTexts['kinds'],
  | 'refund-succeeded'
  | 'invoice-open'
  | 'order-invoice-open'
  | 'invoice-reminder'
  | 'payment-failed'
  | 'payment-receipt'
  | 'charge-failed'
  | 'subscription-cancelled'
  | 'payout-paid'
  | 'payout-rejected'
>

export const waysToPayInPortuguese = paymentFacts({
  pix: 'Pix copia e cola',
  boleto: 'Linha digitável do boleto',
  reference: 'Identificação da transferência',
})

const ahead = ({ suspendsOn, stopsOn }: AccessAhead, { date }: Voice): string[] => [
  ...(suspendsOn === null ? [] : [`Sem o pagamento, o que ele cobre fica suspenso a partir de ${date(suspendsOn)}.`]),
  ...(stopsOn === null
    ? []
    : [`A partir de ${date(stopsOn)} não emitimos novas faturas até o pagamento do que está em aberto.`]),
]

const openInvoice = (
  { organizationName, number, total, currency, dueDate, options }: MailContent<'invoice-open' | 'order-invoice-open'>,
  { money, date }: Voice,
): MailWords => ({
  subject: `Fatura ${number}: ${money(total, currency)}`,
  preheader: `Vencimento em ${date(dueDate)}.`,
  heading: 'Você tem uma nova fatura',
  paragraphs: [`A fatura ${number} foi emitida para ${organizationName}.`],
  facts: [
    { label: 'Fatura', value: number },
    { label: 'Valor', value: money(total, currency) },
    { label: 'Vencimento', value: date(dueDate) },
    ...waysToPayInPortuguese(options),
  ],
  button: 'Pagar fatura',
  notes: [],
})

const unpaidFacts = (
  {
    number,
    total,
    currency,
    dueDate,
    options,
  }: Pick<MailContent<'payment-failed'>, 'number' | 'total' | 'currency' | 'dueDate' | 'options'>,
  { money, date }: Voice,
) => [
  { label: 'Fatura', value: number },
  { label: 'Valor a pagar', value: money(total, currency) },
  { label: 'Vencimento', value: date(dueDate) },
  ...waysToPayInPortuguese(options),
]

export const financeMailsInPortuguese: FinanceMails = {
  'refund-succeeded': ({ organizationName, number, creditNoteNumber, total, currency }, { money }) => ({
    subject: number === null ? 'Reembolso do seu saldo credor' : `Reembolso da fatura ${number}`,
    preheader: `${money(total, currency)} a caminho de ${organizationName}.`,
    heading: 'Seu dinheiro está a caminho',
    paragraphs: [
      `Devolvemos ${money(total, currency)} ` +
        `${number === null ? 'do saldo credor' : `da fatura ${number}`} a ${organizationName}.`,
    ],
    facts: [
      ...(number === null ? [] : [{ label: 'Fatura', value: number }]),
      ...(creditNoteNumber === null ? [] : [{ label: 'Nota de crédito', value: creditNoteNumber }]),
      { label: 'Valor', value: money(total, currency) },
    ],
    button: 'Ver fatura',
    notes: ['Dependendo da forma de pagamento, o valor pode levar alguns dias para aparecer.'],
  }),
  'invoice-open': openInvoice,
  'order-invoice-open': openInvoice,
  'invoice-reminder': (invoice, voice) => {
    const { organizationName, number, isOverdue, lateCharges, total, currency, dueDate } = invoice
    const amount = voice.money(total, currency)
    const due = voice.date(dueDate)
    return {
      subject: isOverdue ? `Fatura ${number} vencida: ${amount}` : `A fatura ${number} vence em ${due}: ${amount}`,
      preheader: isOverdue ? `O vencimento foi em ${due}.` : `Vencimento em ${due}.`,
      heading: isOverdue ? 'Há uma fatura vencida' : 'Uma fatura está para vencer',
      paragraphs: [
        isOverdue
          ? `Não recebemos o pagamento da fatura ${number} de ${organizationName}, que venceu em ${due}.`
          : `A fatura ${number} de ${organizationName} vence em ${due}.`,
        ...ahead(invoice, voice),
      ],
      facts: [
        ...unpaidFacts(invoice, voice),
        ...(lateCharges === null
          ? []
          : [{ label: 'Multa e juros até hoje', value: voice.money(lateCharges, currency) }]),
      ],
      button: 'Pagar fatura',
      notes: ['Se você já pagou, desconsidere este aviso: alguns pagamentos levam dias para chegar até nós.'],
    }
  },
  'payment-failed': (invoice, voice) => ({
    subject: `O pagamento da fatura ${invoice.number} não foi concluído`,
    preheader: `Ainda faltam ${voice.money(invoice.total, invoice.currency)}.`,
    heading: 'Um pagamento não foi concluído',
    paragraphs: [
      `O pagamento da fatura ${invoice.number} de ${invoice.organizationName} não foi concluído. Você ` +
        'pode tentar de novo ou pagar de outra forma.',
    ],
    facts: unpaidFacts(invoice, voice),
    button: 'Pagar fatura',
    notes: [],
  }),
  'payment-receipt': ({ organizationName, number, total, currency, paidOn }, { money, date }) => ({
    subject: `Recibo: ${money(total, currency)}${number === null ? '' : ` da fatura ${number}`}`,
    preheader: `Recebemos ${money(total, currency)} de ${organizationName}.`,
    heading: 'Recebemos seu pagamento',
    paragraphs: [`Recebemos ${money(total, currency)} de ${organizationName}. Obrigado!`],
    facts: [
      ...(number === null ? [] : [{ label: 'Fatura', value: number }]),
      { label: 'Valor', value: money(total, currency) },
      { label: 'Pago em', value: date(paidOn) },
    ],
    button: 'Ver fatura',
    notes: [],
  }),
  'charge-failed': (order, voice) => ({
    subject: `A cobrança do pedido ${order.number} não foi concluída`,
    preheader: `Não foi possível cobrar ${voice.money(order.total, order.currency)}.`,
    heading: 'Uma cobrança não foi concluída',
    paragraphs: [
      `A cobrança automática do pedido ${order.number} de ${order.organizationName} não foi concluída. Você pode ` +
        'pagar agora, com o mesmo cartão ou outro.',
      ...ahead(order, voice),
    ],
    facts: [
      { label: 'Pedido', value: order.number },
      { label: 'Valor', value: voice.money(order.total, order.currency) },
    ],
    button: 'Pagar agora',
    notes: [],
  }),
  'subscription-cancelled': ({ organizationName, number, reason, endsAt, isOwn, hasEnded }, { time }) => ({
    subject: `A assinatura do pedido ${number} foi cancelada`,
    preheader: hasEnded ? 'Uma assinatura foi cancelada' : 'O que está pago pode ser usado até o fim do período pago.',
    heading: 'Uma assinatura foi cancelada',
    paragraphs: [
      isOwn
        ? `A assinatura do pedido ${number} de ${organizationName} foi cancelada, como ${organizationName} pediu.`
        : `Cancelamos a assinatura do pedido ${number} de ${organizationName}.`,
      ...(hasEnded ? [] : ['O que está pago pode ser usado até o fim do período pago.']),
    ],
    facts: [
      { label: 'Pedido', value: number },
      ...(endsAt === null ? [] : [{ label: 'Termina em', value: time(endsAt) }]),
      ...(reason === null ? [] : [{ label: 'Motivo', value: reason }]),
    ],
    button: 'Ver pedido',
    notes:
      hasEnded || endsAt === null
        ? []
        : [
            isOwn
              ? 'Até lá, o cancelamento pode ser desfeito na página do pedido.'
              : 'É um engano? Fale conosco antes do término.',
          ],
  }),
  'payout-paid': ({ organizationName, code, total, currency, reference }, { money }) => ({
    subject: `Pagamento ao afiliado ${code}: ${money(total, currency)}`,
    preheader: `${money(total, currency)} a caminho de ${organizationName}.`,
    heading: 'Suas comissões foram pagas',
    paragraphs: [`Pagamos ${money(total, currency)} das suas comissões a ${organizationName}.`],
    facts: [
      { label: 'Afiliado', value: code },
      { label: 'Valor', value: money(total, currency) },
      ...(reference === null ? [] : [{ label: 'Referência', value: reference }]),
    ],
    button: 'Ver conta',
    notes: [],
  }),
  'payout-rejected': ({ organizationName, code, total, currency, reason }, { money }) => ({
    subject: `O pagamento ao afiliado ${code} não foi aprovado`,
    preheader: `Sobre o valor de ${money(total, currency)} solicitado por ${organizationName}.`,
    heading: 'Seu pagamento não foi aprovado',
    paragraphs: [
      `O pagamento de ${money(total, currency)} a ${organizationName} não será feito. O valor está disponível de novo.`,
    ],
    facts: [
      { label: 'Afiliado', value: code },
      { label: 'Valor', value: money(total, currency) },
      ...(reason === null ? [] : [{ label: 'Motivo', value: reason }]),
    ],
    button: 'Ver conta',
    notes: [],
  }),
}
