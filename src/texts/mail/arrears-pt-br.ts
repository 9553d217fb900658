// The mails about due dates, suspension for what is due, and payments of more than that, in Brazilian Portuguese.

import { waysToPayInPortuguese } from './finances-pt-br.ts'
import type { MailContent, MailTexts, MailWords, Voice } from './content.ts'

type ArrearsMails = Pick<
  MailTexts['kinds'],
  | 'arrears-ending'
  | 'invoice-due-date-changed'
  | 'entitlements-suspended'
  | 'entitlements-resumed'
  | 'payment-surplus'
  | 'payment-moved'
>

const product = ({ name, entitlementCode }: { name: string; entitlementCode: string }) => ({
  label: 'Produto',
  value: `${name} (${entitlementCode})`,
})

function due({ owed, renewalDue }: MailContent<'entitlements-suspended'>, { money, date }: Voice): MailWords['facts'] {
  const invoices = owed.map(({ number, total, currency, dueDate }) => ({
    label: `Fatura ${number}`,
    value: `${money(total, currency)}, com vencimento em ${date(dueDate)}`,
  }))
  return renewalDue === null ? invoices : [...invoices, { label: 'Renovação vencida em', value: date(renewalDue) }]
}

export const arrearsMailsInPortuguese: ArrearsMails = {
  'invoice-due-date-changed': ({ organizationName, number, total, currency, dueDate, options }, { money, date }) => ({
    subject: `A fatura ${number} agora vence em ${date(dueDate)}`,
    preheader: `${money(total, currency)} para ${organizationName}.`,
    heading: 'Uma fatura tem novo vencimento',
    paragraphs: [`Alteramos o vencimento da fatura ${number} de ${organizationName} para ${date(dueDate)}.`],
    facts: [
      { label: 'Fatura', value: number },
      { label: 'Valor a pagar', value: money(total, currency) },
      { label: 'Vencimento', value: date(dueDate) },
      ...waysToPayInPortuguese(options),
    ],
    button: 'Pagar fatura',
    notes: ['Um boleto ou link de pagamento que você recebeu antes pode não valer mais.'],
  }),
  'arrears-ending': (invoice, { money, date }) => {
    const { organizationName, number, total, currency, dueDate, options, endsOn, act } = invoice
    const cancels = act === 'cancel'
    return {
      subject: `Fatura ${number}: pague até ${date(endsOn)}`,
      preheader: `${money(total, currency)} de ${organizationName} ainda não foram pagos.`,
      heading: cancels ? 'Sua assinatura está prestes a terminar' : 'Vamos dar baixa em uma fatura não paga',
      paragraphs: [
        `Não recebemos o pagamento da fatura ${number} de ${organizationName}, que venceu em ${date(dueDate)}.`,
        cancels
          ? `Sem o pagamento, a assinatura termina em ${date(endsOn)}, com tudo o que depende dela.`
          : `Sem o pagamento, damos baixa nela em ${date(endsOn)}. O que ela cobre continua suspenso.`,
      ],
      facts: [
        { label: 'Fatura', value: number },
        { label: 'Valor a pagar', value: money(total, currency) },
        ...waysToPayInPortuguese(options),
      ],
      button: 'Pagar fatura',
      notes: ['Se você já pagou, desconsidere este aviso: alguns pagamentos levam dias para chegar até nós.'],
    }
  },
  'entitlements-suspended': (content, voice) => ({
    subject: `Suspenso por falta de pagamento: ${namesOf(content.suspended)}`,
    preheader: `${content.organizationName} não pode usar até o pagamento.`,
    heading: 'Suspenso por falta de pagamento',
    paragraphs: [
      `Não recebemos a tempo um pagamento de ${content.organizationName}. O que ele cobre está suspenso ` +
        'e volta a funcionar assim que for pago.',
      ...(content.stops ? ['Até lá, não emitimos novas faturas para isso.'] : []),
    ],
    facts: [...content.suspended.map(product), ...due(content, voice)],
    button: 'Pagar agora',
    notes: ['Se você já pagou, desconsidere este aviso: alguns pagamentos levam dias para chegar até nós.'],
  }),
  'entitlements-resumed': ({ organizationName, resumed }) => ({
    subject: `Ativo de novo: ${namesOf(resumed)}`,
    preheader: `${organizationName} já pode usar.`,
    heading: 'O que estava suspenso está ativo de novo',
    paragraphs: [`A suspensão por falta de pagamento terminou, e ${organizationName} pode usar de novo.`],
    facts: resumed.map(product),
    button: 'Ver contratação',
    notes: [],
  }),
  'payment-moved': (moved, { money, date }) => {
    const { organizationName, number, total, currency, paidOn, owed, newNumber } = moved
    const what = number === null ? 'pagamento antecipado' : `pagamento da fatura ${number}`
    const where = number === null ? 'como adiantamento' : `na fatura ${number}`
    return {
      subject: `${money(total, currency)} registrados por engano ${where}`,
      preheader: `Corrigimos os pagamentos de ${organizationName}.`,
      heading: 'Um pagamento foi registrado por engano',
      paragraphs: [
        `Registramos ${money(total, currency)} como ${what} de ${organizationName}. Foi um engano nosso, e pedimos ` +
          'desculpas. Esse valor não conta mais ali, e o recibo está cancelado.',
        ...(newNumber === null ? [] : [`Ele agora conta para a fatura ${newNumber}, com um novo recibo.`]),
        ...(owed === null || number === null
          ? []
          : [
              `Da fatura ${number} há de novo ${money(owed.due, currency)} em aberto. Pague, por favor, ou nos ` +
                'diga como e quando pagou.',
            ]),
      ],
      facts: [
        ...(number === null ? [] : [{ label: 'Fatura', value: number }]),
        { label: 'Pagamento cancelado', value: `${money(total, currency)}, ${date(paidOn)}` },
        ...(owed === null
          ? []
          : [
              { label: 'Valor em aberto', value: money(owed.due, currency) },
              { label: 'Vencimento', value: date(owed.dueDate) },
            ]),
      ],
      button: 'Ver fatura',
      notes: [],
    }
  },
  'payment-surplus': ({ organizationName, number, total, surplus, balance, currency }, { money }) => ({
    subject: `${money(surplus, currency)} no seu saldo credor`,
    preheader: `Do pagamento de ${money(total, currency)} de ${organizationName}.`,
    heading: 'Seu saldo credor aumentou',
    paragraphs: [
      number === null
        ? `${organizationName} pagou ${money(total, currency)} antecipadamente. O valor fica como saldo ` +
          'credor para as próximas faturas.'
        : `${organizationName} pagou ${money(total, currency)} da fatura ${number}, mais do que o devido. ` +
          'O restante fica como saldo credor para as próximas faturas.',
    ],
    facts: [
      ...(number === null ? [] : [{ label: 'Fatura', value: number }]),
      { label: 'Pago', value: money(total, currency) },
      { label: 'Acrescentado ao saldo', value: money(surplus, currency) },
      { label: 'Saldo credor', value: money(balance, currency) },
    ],
    button: 'Ver fatura',
    notes: [],
  }),
}

const namesOf = (products: readonly { name: string }[]): string => {
  const [first, ...others] = products.map(({ name }) => name)
  return others.length === 0 ? `${first}` : `${first} e mais ${others.length}`
}
