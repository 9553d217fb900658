// What is wrong with a field of quotes, orders, invoices, payments and prices.
import type { FieldSentences } from './fields.ts'

export const salesFields: FieldSentences = {
  required: {
    'is needed when {1}': 'é obrigatório quando {1}',
    'needs the code "default"': 'precisa do código "default"',
    'is needed where PIS, COFINS or CSLL is withheld': 'é obrigatório quando se retém PIS, COFINS ou CSLL',
    'is required: no line of the quote extends an entitlement':
      'é obrigatório: nenhuma linha do orçamento prorroga uma contratação',
    'is required: line {1} has none': 'é obrigatório: a linha {1} não tem',
    'is required: line {1} extends no entitlement': 'é obrigatório: a linha {1} não prorroga uma contratação',
    'is required to extend an entitlement': 'é obrigatório para prorrogar uma contratação',
    'is required without line_items': 'é obrigatório quando não há line_items',
    'is required, since no line of the order has one': 'é obrigatório, pois nenhuma linha do pedido tem um',
    'must be given again: prices of the catalogue are those of a company and a currency':
      'deve ser informado de novo: os preços do catálogo valem para uma empresa e uma moeda',
  },
  not_found: {
    'names no line of the quote': 'não corresponde a uma linha do orçamento',
    'names no product that is sold': 'não corresponde a um produto à venda',
    'names no product of the catalogue': 'não corresponde a um produto do catálogo',
    'names no index that has a rate': 'não corresponde a um índice com taxa',
    'names no quote of this organization': 'não corresponde a um orçamento desta organização',
    'is no entitlement of the organization': 'não é uma contratação da organização',
    'is no order of the organization': 'não é um pedido da organização',
    'is no line of the invoice': 'não é uma linha da fatura',
    'is no line that is billed again': 'não é uma linha com cobrança recorrente',
    'is no payment of the legal entity in the currency': 'não é um pagamento da empresa nesta moeda',
    'is no invoice of {1} in {2}, as the payment is': 'não é uma fatura de {1} em {2}, como o pagamento',
    'has no price for the company and the currency of the quote': 'não tem preço para a empresa e a moeda do orçamento',
    '{1} has no rate of {2}': '{1} não tem taxa de {2}',
  },
  too_few: { 'at least one line must be chosen': 'é preciso escolher pelo menos uma linha' },
  too_small: {
    'must be more than 0': 'deve ser maior que 0',
    'must add up to more than 0': 'deve somar mais que 0',
    'must be more than 0 and at most {1}': 'deve ser maior que 0 e no máximo {1}',
    'must be more than 0 and at most {1} in all': 'deve ser maior que 0 e no máximo {1} no total',
    'must be more than 0 and at most {1}, which is available':
      'deve ser maior que 0 e no máximo {1}, que está disponível',
    'must be more than 0 and at most what is left': 'deve ser maior que 0 e no máximo o que resta',
    'is less than at_least': 'é menor que at_least',
    'is less than the quantity': 'é menor que a quantidade',
    'needs a term of {1} months or more': 'precisa de um prazo de {1} meses ou mais',
  },
  too_large: {
    'must be below {1}': 'deve ser menor que {1}',
    'must be at most {1} percent in all': 'deve ser no máximo {1} por cento no total',
    'is more than the quantity': 'é maior que a quantidade',
    'is larger than the line': 'é maior que a linha',
    'is more than what is left of the line, {1}': 'é maior que o que resta da linha, {1}',
    'the total is larger than any amount that can be billed': 'o total é maior que qualquer valor que se possa faturar',
    'comes to {1} {2}, but the payment provider takes only {3}':
      'chega a {1} {2}, mas o provedor de pagamento aceita somente {3}',
    'must be between {1} and {2}': 'deve estar entre {1} e {2}',
    'is not between {1} and {2}': 'não está entre {1} e {2}',
  },
  too_many: { 'a quote has {1} recipients at most': 'um orçamento tem no máximo {1} destinatários' },
  too_short: {
    'must have {1} characters or more, besides those that cannot be read':
      'deve ter {1} caracteres ou mais, sem contar os ilegíveis',
  },
  too_early: {
    'must not be before {1}, the day of the invoice; {2}': 'não pode ser antes de {1}, o dia da fatura; {2}',
    'must not lie before issue_date': 'não pode ser antes de issue_date',
    'must be after starts_at': 'deve ser depois de starts_at',
    'is of a later day than the payment; {1}': 'é de um dia posterior ao do pagamento; {1}',
  },
  too_late: {
    'must not be after the end of the quote, {1}': 'não pode ser depois do fim do orçamento, {1}',
    'is of a month to come': 'é de um mês que ainda não chegou',
    'must not be after month_to': 'não pode ser depois de month_to',
    'must be less than after_days': 'deve ser menor que after_days',
    'must have a day within the grace, which says that billing stops':
      'deve ter um dia dentro da carência, que avisa que a cobrança para',
  },
  duplicate: {
    'is the day of another profile': 'é o dia de outro perfil',
    'is given twice': 'foi informado duas vezes',
    'is named twice': 'aparece duas vezes',
    'is given twice with different values': 'foi informado duas vezes com valores diferentes',
    'is its due date already': 'já é o vencimento',
    'is the invoice that has it': 'é a fatura que já o tem',
  },
  mismatch: {
    'goes only with {1}': 'vale somente com {1}',
    'goes only with pis': 'vale somente com pis',
    'must be "{1}"': 'deve ser "{1}"',
    'must be "{1}" unless iss is "{2}"': 'deve ser "{1}", a não ser que iss seja "{2}"',
    'cannot be "3": declarations here have no intermediary':
      'não pode ser "3": as declarações daqui não têm intermediário',
    'is {1} in the lines of the order': 'é {1} nas linhas do pedido',
    'is {1} of the order': 'é {1} do pedido',
    'changes with total or line_items only': 'só muda junto com total ou line_items',
    'is that of the order': 'é o do pedido',
    'is not {1} as that of the others': 'não é {1}, como nas outras',
    'is not {1}, as that of the entitlement': 'não é {1}, como na contratação',
    'is not {1}, as the entitlement': 'não é {1}, como a contratação',
    'is not that of line_items, {1}': 'não é o de line_items, {1}',
    'is not the sum of line_items': 'não é a soma de line_items',
    'is another amount than total': 'é um valor diferente de total',
    'is of the other legal entity': 'é da outra empresa',
    'is {1} for an invoice that brings its number': 'é {1} para uma fatura que traz o próprio número',
    'is that of line {1}': 'é o da linha {1}',
  },
  not_together: {
    'cannot be given with interval: it lasts as long as it is paid for':
      'não pode ser informado com interval: dura enquanto for pago',
    'cannot be given: the entitlement keeps its own': 'não pode ser informado: a contratação mantém o seu',
    'cannot be given: the entitlement has its quantity': 'não pode ser informado: a contratação já tem a quantidade',
    'give either this or discount': 'informe este campo ou discount, não os dois',
    'is given together with {1}': 'foi informado junto com {1}',
  },
  not_permitted: {
    'only staff may set this': 'somente a equipe do fornecedor pode definir este campo',
    'only the owner may set this': 'somente o proprietário pode definir este campo',
    'is set by the vendor': 'é definido pelo fornecedor',
    'is fixed: ask the vendor for another one': 'é fixo: peça outro ao fornecedor',
    'is fixed at {1}': 'é fixo em {1}',
    'only an optional line may be left out': 'somente uma linha opcional pode ficar de fora',
    'the line is not optional': 'a linha não é opcional',
    'is one that the service gives itself': 'é um que o próprio serviço atribui',
    'is what the service itself calls those of quotes, subscriptions and late charges':
      'é como o próprio serviço chama as de orçamentos, assinaturas e encargos por atraso',
  },
  not_eligible: {
    'can be cancel only when nothing is left of the invoice': 'só pode ser cancel quando nada resta da fatura',
    'is period_end: what is paid stays until then': 'é period_end: o que foi pago fica até lá',
    'is of an entitlement that is cancelled': 'é de uma contratação cancelada',
    'is of an entitlement without end': 'é de uma contratação sem fim',
    'is of an entitlement that a subscription renews': 'é de uma contratação que uma assinatura renova',
  },
}
