// The texts of the sandbox's pay page in both languages.

export type PayPageLanguage = 'pt-BR' | 'en'

export const payPageTexts = {
  'pt-BR': {
    title: 'Pagamento de teste',
    sandbox: 'Ambiente de teste: nenhum dinheiro é movimentado.',
    seller: 'Vendedor',
    invoice: 'Fatura',
    amount: 'Valor',
    item: 'Item',
    total: 'Total',
    choose: 'Como o pagamento deve terminar?',
    pay: 'Pagar',
    fail: 'Recusar o pagamento',
    open: 'Aguardando pagamento',
    paid: 'Pagamento confirmado',
    failed: 'O pagamento foi recusado. Você pode tentar de novo.',
    void: 'Esta fatura foi cancelada e não pode mais ser paga.',
    conflict: 'Nada foi alterado: a fatura já estava neste estado.',
    invalid: 'Escolha pagar ou recusar.',
    missing: 'Esta página de pagamento não existe.',
    methods: 'Formas de pagamento',
    customer: 'Cliente',
    card: 'Cartão',
    replaceCard: 'Trocar o cartão',
    back: 'Voltar',
    start: 'Ir para a página inicial',
  },
  en: {
    title: 'Test payment',
    sandbox: 'Test environment: no money is moved.',
    seller: 'Seller',
    invoice: 'Invoice',
    amount: 'Amount',
    item: 'Item',
    total: 'Total',
    choose: 'How should the payment end?',
    pay: 'Pay',
    fail: 'Decline the payment',
    open: 'Awaiting payment',
    paid: 'Payment confirmed',
    failed: 'The payment was declined. You can try again.',
    void: 'This invoice was cancelled and can no longer be paid.',
    conflict: 'Nothing was changed: the invoice was already in this state.',
    invalid: 'Choose to pay or to decline.',
    missing: 'This payment page does not exist.',
    methods: 'Payment methods',
    customer: 'Customer',
    card: 'Card',
    replaceCard: 'Replace the card',
    back: 'Back',
    start: 'To the start page',
  },
} as const satisfies Record<PayPageLanguage, Record<string, string>>

/** The preferred one of the two languages by Accept-Language; English when neither is listed. */
export function payPageLanguage(acceptLanguage: string | null): PayPageLanguage {
  const wanted = (acceptLanguage ?? '').slice(0, 500).split(',').map(readRange)
  const known = wanted.filter(({ language, weight }) => weight > 0 && (language === 'pt' || language === 'en'))
  const [first] = known.toSorted((a, b) => b.weight - a.weight)
  return first?.language === 'pt' ? 'pt-BR' : 'en'
}

function readRange(range: string): { language: string; weight: number } {
  const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
  const weight = parameters
    .map((each) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(each)?.[1])
    .find((each) => each !== undefined)
  return { language: tag.split('-')[0] ?? '', weight: Number(weight ?? 1) }
}
